"""Git's own list of a folder: what it tracks and what it would add, by all its rules, global ones included."""

from __future__ import annotations

import os
import re
import subprocess
from typing import NamedTuple

_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_STAGED = ("ls-files", "-z", "--stage")
_SUBMODULE = "160000 "
_TIMEOUT = 300  # seconds; a tree of 100,000 files takes 0.3
_REDIRECTIONS_TEXT = """
    GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_PREFIX GIT_NAMESPACE GIT_OBJECT_DIRECTORY
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS
"""
_REDIRECTIONS = frozenset(_REDIRECTIONS_TEXT.split())
_UNOPENED = re.compile(r"^warning: could not open directory '(.*?)/?': ", re.MULTILINE)
_REFUSALS = (
    (
        "dubious ownership",
        "git refuses this repository because another user owns it (see git's safe.directory)",
    ),
    ("not a git repository", "git does not recognise the repository"),
    ("must be run in a work tree", "git has no working tree here"),
)


class GitUnusableError(Exception):
    """Git gives no list here; the message is the cause, as the beginning of a sentence."""


class GitListing(NamedTuple):
    """Paths relative to the folder that was asked about."""

    paths: list[str]  # files, links, submodules; deleted ones too; sorted, each once
    nested: list[str]  # untracked folders that are repositories of their own
    unopened: list[str]  # folders that git could not look into


def list_with_git(folder: str) -> GitListing:
    """What git lists in the folder. Raises GitUnusableError when git is missing or refuses."""
    output, complaints = run_git(folder, *_LIST)
    names = dict.fromkeys(
        os.fsdecode(output).split("\0")
    )  # two sorted runs: cheap to sort as long as they stay so
    names.pop("", None)
    nested = sorted(name[:-1] for name in names if name[-1] == "/")
    paths = sorted(name for name in names if name[-1] != "/") if nested else sorted(names)
    unopened = _UNOPENED.findall(complaints) if "could not open" in complaints else []
    return GitListing(paths, nested, unopened)


def submodules_of(folder: str) -> frozenset[str]:
    """The paths in the index that are commits of another repository."""
    output, _ = run_git(folder, *_STAGED)
    rows = os.fsdecode(output).split("\0")
    return frozenset(row.partition("\t")[2] for row in rows if row.startswith(_SUBMODULE))


def ignored_as_a_whole(folder: str) -> bool:
    """Whether the repository around the folder ignores it, so that git lists nothing below it."""
    try:
        run_git(folder, "check-ignore", "-q", ".")
    except GitUnusableError:
        return False
    return True


def run_git(folder: str, *arguments: str, feed: bytes = b"") -> tuple[bytes, str]:
    """Output and complaints of a git command that is fed these bytes.

    A file system monitor named by the repository is never started. Raises GitUnusableError.
    """
    command = ("git", "-c", "core.fsmonitor=false", *arguments)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(),
            input=feed,
            capture_output=True,
            timeout=_TIMEOUT,
        )
    except FileNotFoundError:
        raise GitUnusableError("git was not found") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitUnusableError(f"git did not answer ({type(error).__name__})") from None
    complaints = done.stderr.decode("utf-8", "replace")
    if done.returncode:
        raise GitUnusableError(_cause(complaints))
    return done.stdout, complaints


def _environment() -> dict[str, str]:
    """Ours, without what a git hook sets to point git at another repository, and with messages in English."""
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTIONS}
    return kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _cause(complaints: str) -> str:
    for words, sentence in _REFUSALS:
        if words in complaints:
            return sentence
    return "git failed on this repository"
