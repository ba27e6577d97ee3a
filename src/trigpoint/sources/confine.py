"""A path that somebody gave us, kept inside the root."""

from __future__ import annotations

import os
import re
from pathlib import Path

from trigpoint.errors import NotFoundError, OutsideRootError
from trigpoint.sources.secrets import names_a_secret
from trigpoint.sources.tools import VERSION_CONTROL

_HINT = "paths are relative to the project's root"
_WINDOWS_ROOT = re.compile(r"[A-Za-z]:|[\\/]{2}")


def resolve_inside(root: str, given: str) -> Path:
    """The real path of an existing regular file of the tree. ``root`` is a real path.

    Relative paths start at the root; an absolute path is fine when it lies in the root. Backslashes separate like
    slashes unless a file of exactly that name exists. Raises OutsideRootError for what would leave the root, also
    through a link, and NotFoundError for what is no file of the tree or is never shown. Messages quote no path of
    the machine.
    """
    if "\0" in given:
        raise OutsideRootError("a path cannot hold a NUL character")
    relative = _relative(root, given)
    if not relative:
        raise NotFoundError("not a file", "name a file of the project")
    try:
        real = os.path.realpath(os.path.join(root, *relative))
    except (OSError, ValueError):  # a name that the file system cannot hold
        raise NotFoundError("no such file in the project", _HINT) from None
    if not real.startswith(root.rstrip(os.sep) + os.sep):
        raise OutsideRootError("the path leads outside the project", _HINT)
    if not os.path.lexists(real):
        raise NotFoundError("no such file in the project", _HINT)
    inside = real[len(root.rstrip(os.sep)) + 1 :].split(os.sep)
    if not os.path.isfile(real):
        raise NotFoundError("not a file", "name a file of the project")
    if not VERSION_CONTROL.isdisjoint(inside) or names_a_secret(inside[-1].lower()):
        raise NotFoundError("this file is not part of the index and is not shown", "it may hold secrets")
    return Path(real)


def _relative(root: str, given: str) -> list[str]:
    """The segments below the root, after taking ``.`` and ``..`` away by name."""
    if given.startswith(root.rstrip(os.sep) + os.sep):
        given = given[len(root.rstrip(os.sep)) + 1 :]
    if "\\" in given and not os.path.lexists(os.path.join(root, given)):
        given = given.replace("\\", "/")
    if given.startswith("/") or _WINDOWS_ROOT.match(given):
        raise OutsideRootError("an absolute path outside the project", _HINT)
    segments: list[str] = []
    for segment in given.split("/"):
        if segment == "..":
            if not segments:
                raise OutsideRootError("the path leads outside the project", _HINT)
            segments.pop()
        elif segment not in ("", "."):
            segments.append(segment)
    return segments
