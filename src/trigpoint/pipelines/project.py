"""The index that a pipeline asks: opened once, swapped while questions go on, always one frozen generation a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import trigpoint
from trigpoint.engine import Engine
from trigpoint.errors import NotFoundError, StoreError, UsageError
from trigpoint.model import Filters
from trigpoint.search.pipelines.run import View

TOKENS_A_LINE = 10
"""Tokens of an average line of code: what turns a chunk limit in lines into the index's limit in tokens."""


class Model(NamedTuple):
    """Which embedder a pipeline wants. None everywhere is that of the project's settings."""

    name: str | None = None
    dimension: int | None = None

    def settings(self) -> dict[str, Any]:
        """The settings that choose it."""
        return {} if self.name is None else {"embedder": self.name}


class Index:
    """An index on disk with the means to ask it. ``root`` None stands for an index that is only read."""

    def __init__(
        self, root: Path, settings: dict[str, Any], languages: Sequence[str] = (), *, fixed: bool = False
    ) -> None:
        self.engine: Engine = trigpoint.open(root, **settings)
        self.filters = Filters(languages=tuple(languages))
        self.fixed = fixed  # an index made elsewhere: asked as it is, never brought up to date
        self.settings = settings

    def prepared(self, *, rebuild: bool = False) -> Index:
        """The index, brought up to date, or read anew with ``rebuild``; one made elsewhere must be there already.

        Raises NotFoundError when it is not, StoreError when it cannot be used.
        """
        if self.fixed:
            with self.engine.reading(update=False):
                pass
        else:
            self.engine.index(full=rebuild)
        return self

    def beside(self, folder: str | Path) -> Index:
        """The index in another folder, with the same settings and the same model in memory.

        Raises NotFoundError, StoreError: then this one is still open.
        """
        if not Path(folder).is_dir():
            raise NotFoundError(
                f"{folder} is no folder of an index", "make one with `trig index --index-dir DIR`"
            )
        other = Index(
            self.engine.root, {**self.settings, "index_dir": str(folder)}, self.filters.languages, fixed=True
        )
        other.engine.share(self.engine)
        try:
            return other.prepared()
        except (StoreError, NotFoundError):
            other.engine.close()
            raise

    def check(self, model: Model) -> None:
        """Refuse vectors that are not there, or of another dimension than was asked for. Raises UsageError."""
        with self.engine.reading(update=False) as read:
            if read.vectors is None:
                raise UsageError(
                    "the index has no vectors of this model",
                    "see `trig status`: another embedder made it, or none did",
                )
        found = self.engine.dimensions
        if model.dimension is not None and model.dimension != found:
            raise UsageError(
                f"embedding_dimension cannot be {model.dimension}",
                f"the model gives {found} numbers a vector",
            )

    @contextmanager
    def view(self) -> Iterator[View]:
        """One generation and its vectors."""
        with self.engine.reading(update=not self.fixed) as read:
            yield View(read.snapshot, read.vectors)


def settings_of(index_path: str | Path | None, model: Model, max_lines: int | None) -> dict[str, Any]:
    """The settings of an index by the parameters that pipelines have. Raises UsageError for a bad number of lines."""
    given = model.settings()
    if index_path is not None:
        given["index_dir"] = str(index_path)
    if max_lines is not None:
        if not 5 <= max_lines <= 800:
            raise UsageError(f"max_lines_per_chunk cannot be {max_lines}", "it is a number from 5 to 800")
        given["chunk_max_tokens"] = max_lines * TOKENS_A_LINE
    return given
