"""Packages of the extras: imported when first needed, and missed in words that help."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from trigpoint.errors import ConfigError


def package(name: str, extra: str) -> Any:
    """A package that an extra of ours brings. Raises ConfigError, with what to install, where it is missing."""
    try:
        return import_module(name)
    except ImportError:
        raise ConfigError(
            f"this needs the package {name}", f'install it: pip install "trigpoint[{extra}]"'
        ) from None
