"""The last commits of a project as git tells them: subject, changed files, and the line that each change lies under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.errors import SourceError
from trigpoint.sources.git_listing import GitUnusableError, run_git

_HUNK = re.compile(r"@@ -\S+ \+\S+ @@ ?(.*)")


class PastCommit(NamedTuple):
    """One commit: files it added or changed by their path in it, and what its hunks lie under."""

    id: str
    subject: str
    files: tuple[str, ...]
    scopes: tuple[tuple[str, str], ...]  # path, line


def history(folder: str, count: int, revision: str = "HEAD", under: str = "") -> Iterator[PastCommit]:
    """The last ``count`` commits that are no merges and touch the folder (``under``: a folder of a bare one), newest first.

    Raises SourceError when git has no history of it.
    """
    relative = f"--relative={under}" if under else "--relative"
    form = "--format=%x00%H%x1f%s"
    flags = (
        "-U0",
        "--no-merges",
        "--no-renames",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        f"-n{count}",
    )
    try:
        out, complaint = run_git(folder, "log", *flags, relative, form, revision, "--", under or ".")
    except GitUnusableError as error:
        raise SourceError(
            f"the history of {folder} cannot be read: {error}", "bench mine needs a git repository"
        ) from error
    if not out and complaint:
        raise SourceError(
            f"the history of {folder} cannot be read: {complaint}", "bench mine needs a git repository"
        )
    for block in out.decode("utf-8", "replace").split("\0"):
        if block.strip():
            yield _commit(block)


def _commit(block: str) -> PastCommit:
    head, _, body = block.partition("\n")
    identifier, _, subject = head.partition("\x1f")
    files: dict[str, None] = {}
    scopes: dict[tuple[str, str], None] = {}
    path = ""
    for line in body.split("\n"):
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else ""  # /dev/null: deleted
            if path:
                files[path] = None
        elif path and line.startswith("@@ ") and (match := _HUNK.match(line)):
            scopes[path, match[1]] = None
    return PastCommit(identifier, subject, tuple(files), tuple(one for one in scopes if one[1]))
