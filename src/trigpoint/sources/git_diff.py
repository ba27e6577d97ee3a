"""What git says has changed between a revision and the working tree, or between two revisions: lines, and both texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trigpoint.errors import SourceError, UsageError
from trigpoint.model import SourceFile
from trigpoint.sources.git_listing import GitUnusableError, run_git
from trigpoint.sources.reading import file_of

_DIFF = (
    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--find-renames", "--relative",
)  # fmt: skip
_HUNK = re.compile(rb"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NOTHING = re.compile(r"0+\Z")
_LINK, _SUBMODULE = "120000", "160000"


class FileDiff(NamedTuple):
    """One changed file. ``old`` or ``new`` is "" when it was added or deleted; lines are those that are not blank."""

    old: str
    new: str
    removed: frozenset[int]  # lines of the old text
    added: frozenset[int]  # lines of the new text
    before: SourceFile | None
    after: SourceFile | None  # None is the working tree


class Difference(NamedTuple):
    """The changed files by path, and what was compared, in words. ``tree`` is true when the new side is the working tree."""

    files: tuple[FileDiff, ...]
    words: str
    tree: bool


def difference(folder: str, base: str) -> Difference:
    """What has changed since ``base``, untracked files included, or within a range ``A..B`` or ``A...B``.

    Raises UsageError when the base is no revision, SourceError when git cannot be asked.
    """
    try:
        first, last = _ends(folder, base)
        files = tuple(_files(folder, (first, last) if last else (first,)))
        untracked = () if last else tuple(_untracked(folder))
    except GitUnusableError as error:
        raise SourceError(
            f"the changes cannot be told: {error}", "a diff needs a git repository and git itself"
        ) from None
    words = base if last else f"the working tree against {base}"
    return Difference(
        tuple(sorted((*files, *untracked), key=lambda one: one.new or one.old)), words, not last
    )


def _ends(folder: str, base: str) -> tuple[str, str]:
    """The commits that are compared; the second is "" for the working tree."""
    first, dots, last = base.partition("..")
    if not dots:
        return _commit(folder, base), ""
    if last.startswith("."):
        ends = _commit(folder, first or "HEAD"), _commit(folder, last[1:] or "HEAD")
        output, _ = run_git(folder, "merge-base", *ends)
        return output.decode().strip(), ends[1]
    return _commit(folder, first or "HEAD"), _commit(folder, last or "HEAD")


def _commit(folder: str, revision: str) -> str:
    try:
        output, _ = run_git(
            folder, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"
        )
    except (GitUnusableError, ValueError):  # of a character that no command line can hold
        run_git(folder, "rev-parse", "--git-dir")
        hint = "a branch, a tag, a commit, or a range A..B; HEAD needs a first commit"
        raise UsageError(f"{revision!r} is no revision here", hint) from None
    return output.decode().strip()


class _Entry(NamedTuple):
    old: str
    new: str
    old_blob: str
    new_blob: str
    text: bool  # a regular file, neither a link nor a submodule


def _files(folder: str, ends: Sequence[str]) -> Iterator[FileDiff]:
    raw, _ = run_git(folder, *_DIFF, "--raw", "--no-abbrev", "-z", *ends)
    entries = list(_entries(os.fsdecode(raw).split("\0")))
    patch, _ = run_git(folder, *_DIFF, "--patch", "--unified=0", *ends)
    patches = re.split(rb"^diff --git .*\n", patch, flags=re.MULTILINE)[1:]
    blobs = {entry.old_blob for entry in entries}
    if len(ends) == 2:
        blobs |= {entry.new_blob for entry in entries}
    contents = _contents(folder, sorted(blob for blob in blobs if blob and not _NOTHING.match(blob)))
    for entry, text in zip(entries, patches, strict=False):
        if not entry.text:
            continue
        removed, added = _lines(text)
        before = _source(entry.old, contents.get(entry.old_blob))
        after = _source(entry.new, contents.get(entry.new_blob)) if len(ends) == 2 else None
        yield FileDiff(entry.old, entry.new, removed, added, before, after)


def _entries(words: Sequence[str]) -> Iterator[_Entry]:
    """``:mode mode blob blob status`` NUL path NUL, with a second path for renames and copies."""
    parts = iter(words)
    for head in parts:
        if not head.startswith(":"):
            continue
        old_mode, new_mode, old_blob, new_blob, status = head[1:].split(" ")
        old = next(parts)
        new = next(parts) if status[0] in "RC" else old
        plain = {old_mode, new_mode}.isdisjoint({_LINK, _SUBMODULE})
        yield _Entry("" if status == "A" else old, "" if status == "D" else new, old_blob, new_blob, plain)


def _lines(patch: bytes) -> tuple[frozenset[int], frozenset[int]]:
    """The old and the new line numbers of a patch without context, blank lines left out."""
    removed, added = set(), set()
    old = new = 0
    inside = False
    for line in patch.split(b"\n"):
        if match := _HUNK.match(line):
            old, new, inside = int(match[1]), int(match[2]), True
        elif inside and line[:1] == b"-":
            removed.update([old] if line[1:].strip() else [])
            old += 1
        elif inside and line[:1] == b"+":
            added.update([new] if line[1:].strip() else [])
            new += 1
    return frozenset(removed), frozenset(added)


def _contents(folder: str, blobs: Sequence[str]) -> dict[str, bytes]:
    """The blobs by name: ``name type size`` LF content LF, one after the other."""
    if not blobs:
        return {}
    output, _ = run_git(folder, "cat-file", "--batch", feed="\n".join(blobs).encode() + b"\n")
    found: dict[str, bytes] = {}
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        head = output[at:end].split(b" ")
        size = int(head[2]) if len(head) == 3 else -1
        if size >= 0:
            found[head[0].decode()] = output[end + 1 : end + 1 + size]
        at = end + 1 + (size + 1 if size >= 0 else 0)
    return found


def _source(path: str, content: bytes | None) -> SourceFile | None:
    return file_of(path, content) if path and content is not None else None


def _untracked(folder: str) -> Iterator[FileDiff]:
    output, _ = run_git(folder, "ls-files", "-z", "--others", "--exclude-standard")
    for path in sorted(filter(None, os.fsdecode(output).split("\0"))):
        if not path.endswith("/"):
            yield FileDiff("", path, frozenset(), frozenset(), None, None)
