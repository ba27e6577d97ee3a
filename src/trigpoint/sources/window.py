"""Lines of a file as it is now: confined to the root, decoded as the index decodes, never a secret."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from trigpoint.errors import NotFoundError
from trigpoint.model import Span, Window
from trigpoint.sources.decoding import decode
from trigpoint.sources.opening import read_regular

if TYPE_CHECKING:
    from trigpoint.sources.directory import DirectorySource

READ_LIMIT = 20_000_000
"""Bytes of a file that are shown; a larger one is for other tools."""


def read_window(
    source: DirectorySource, path: str, lines: tuple[int, int | None], shown: Callable[[str, str], str]
) -> Window:
    """The first to the last (None: its last) of these lines of a file, cut to the lines that it has.

    ``shown`` gives the text whose lines are meant, of a path and its decoded text.
    Raises OutsideRootError for a path that leaves the root, NotFoundError for a file that is not there, is binary or
    secret, or has fewer lines than ``start``.
    """
    place = source.resolve(path)
    relative = os.path.relpath(place, source.name).replace(os.sep, "/")
    try:
        decoded = decode(read_regular(str(place), READ_LIMIT))
    except OSError as error:
        raise NotFoundError(f"{relative} cannot be read: {error.strerror}", "check its permissions") from None
    if decoded is None:
        raise NotFoundError(f"{relative} is no text", "open it with another tool")
    rows = shown(relative, decoded.text).split("\n")
    if rows and not rows[-1]:
        rows.pop()
    start, end = lines
    if start > max(1, len(rows)):
        number = f"{len(rows)} line" + "s" * (len(rows) != 1)
        raise NotFoundError(f"{relative} has {number}", "lines count from 1")
    last = len(rows) if end is None else min(end, len(rows))
    return Window(Span(relative, start, last), "\n".join(rows[start - 1 : last]))
