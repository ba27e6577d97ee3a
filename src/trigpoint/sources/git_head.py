"""What git's own files say without running git: where the repository is, what is checked out, what a ``.git`` is."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from trigpoint.sources.opening import read_regular

_REF = re.compile(r"refs/(?:(?!\.\.)[^\s\x00-\x1f\x7f:?*\[\\])+")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Head(NamedTuple):
    """The checked-out commit and branch; "" for what there is not (no repository, no commit yet, no branch)."""

    commit: str
    branch: str


def repository_above(folder: str) -> str:
    """The nearest folder, the given one included, with a ``.git`` in it; "" when there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def git_folder(repository: str) -> str:
    """Where the state of the working tree in ``repository`` is kept: ``.git``, or what the file ``.git`` names."""
    dot_git = os.path.join(repository, ".git")
    if os.path.isdir(dot_git):
        return dot_git
    named = _line(dot_git)
    if not named.startswith("gitdir: "):
        return ""
    return os.path.normpath(os.path.join(repository, named[len("gitdir: ") :]))


def common_folder(state: str) -> str:
    """Where the refs of all working trees of a repository are: equal for two trees of one repository."""
    shared = _line(os.path.join(state, "commondir"))
    return os.path.realpath(os.path.join(state, shared)) if shared else os.path.realpath(state)


def kind_of_nested(repository: str) -> str:
    """What a folder with a ``.git`` inside another tree is: a word of the reasons table."""
    if os.path.isdir(os.path.join(repository, ".git")):
        return "nested-repository"
    state = git_folder(repository)
    if os.path.exists(os.path.join(state, "commondir")) or "/worktrees/" in state.replace(os.sep, "/"):
        return "worktree"
    return "submodule" if "/modules/" in state.replace(os.sep, "/") else "nested-repository"


def head_of(folder: str) -> Head:
    """The checked-out state of the repository that the folder is in, by reading at most three small files."""
    repository = repository_above(folder)
    state = git_folder(repository) if repository else ""
    if not state:
        return Head("", "")
    content = _line(os.path.join(state, "HEAD"))
    if _COMMIT.fullmatch(content):
        return Head(content, "")
    reference = content.removeprefix("ref: ").strip()
    if (
        not _REF.fullmatch(reference) or reference == "refs/heads/.invalid"
    ):  # the latter: refs kept as a reftable
        return Head("", "")
    return Head(_commit_of(state, reference), reference.removeprefix("refs/heads/"))


def _commit_of(state: str, reference: str) -> str:
    shared = common_folder(state)
    for place in (state, shared):
        commit = _line(os.path.join(place, reference))
        if _COMMIT.fullmatch(commit):
            return commit
    try:
        packed = os.fsdecode(read_regular(os.path.join(shared, "packed-refs"), 50_000_000))
    except OSError:
        return ""
    found = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(reference)}$", packed, re.MULTILINE)
    return found[1] if found else ""


def _line(path: str) -> str:
    """The first line of a small file; "" when it cannot be read."""
    try:
        return os.fsdecode(read_regular(path, 4096)).split("\n", 1)[0].rstrip("\r")
    except (OSError, ValueError):
        return ""
