"""Trigpoint finds the code that answers a question.

import trigpoint

with trigpoint.open() as project:
    for packed in project.search("who retries a failed upload").hits:
        print(packed.hit.chunk.span)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigpoint.errors import (
    ConfigError,
    NotFoundError,
    OutsideRootError,
    ProviderError,
    SourceError,
    StoreDamagedError,
    StoreError,
    StoreFormatError,
    StoreLockedError,
    TrigpointError,
    UsageError,
)

if TYPE_CHECKING:
    from trigpoint.engine import Engine
    from trigpoint.model import (
        Definitions,
        Filters,
        Hit,
        IndexReport,
        Pack,
        PackedHit,
        Progress,
        Span,
        Status,
        StoredSymbol,
        Window,
    )

__version__ = "0.1.0"

__all__ = [
    "ConfigError",
    "Definitions",
    "Engine",
    "Filters",
    "Hit",
    "IndexReport",
    "NotFoundError",
    "OutsideRootError",
    "Pack",
    "PackedHit",
    "Progress",
    "ProviderError",
    "SourceError",
    "Span",
    "Status",
    "StoreDamagedError",
    "StoreError",
    "StoreFormatError",
    "StoreLockedError",
    "StoredSymbol",
    "TrigpointError",
    "UsageError",
    "Window",
    "open",
]

_NOUNS = frozenset(__all__) - set(globals()) - {"Engine", "open"}


def open(path: str | Path | None = None, **settings: Any) -> Engine:
    """The engine of a project: exactly the folder ``path``, or without one the project around the current folder.

    Settings are given with ``_`` for ``.``: ``open(".", search_limit=5, lexical="fts5")``. Nothing is indexed or
    written before the first question. Raises ConfigError for a bad setting, NotFoundError when there is no such folder.
    """
    from trigpoint.config import find_root, keys_of, load
    from trigpoint.engine import Engine

    root = find_root(Path()) if path is None else Path(path)
    if not root.is_dir():
        raise NotFoundError(f"{root} is not a folder", "give the folder of the project")
    return Engine(root.resolve(), load(root, keys_of(settings)))


def __getattr__(name: str) -> Any:
    """The engine and the nouns, imported when first asked for, so that `import trigpoint` costs nothing."""
    from importlib import import_module

    if name == "Engine":
        return import_module("trigpoint.engine").Engine
    if name in _NOUNS:
        return getattr(import_module("trigpoint.model"), name)
    raise AttributeError(f"module 'trigpoint' has no attribute {name!r}")
