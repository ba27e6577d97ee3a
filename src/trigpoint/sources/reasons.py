"""The words of the ledger: every reason why a file is not fully indexed, with its level and its sentence."""

from __future__ import annotations

from trigpoint.model import Level, Outcome

REASONS: dict[str, tuple[Level, str]] = {
    "binary": (Level.SKIPPED, "not text"),
    "cache": (Level.SKIPPED, "a cache folder"),
    "data": (Level.PARTIAL, "a big data file: found by path, content left out"),
    "dependencies": (Level.SKIPPED, "installed packages, not part of the project"),
    "generated": (Level.PARTIAL, "written by a tool: found by path, content left out"),
    "lock-file": (Level.PARTIAL, "written by a package manager: found by path, content left out"),
    "minified": (Level.PARTIAL, "minified: found by path, content left out"),
    "nested-repository": (Level.SKIPPED, "a repository of its own, not part of this one; index it by itself"),
    "secrets": (Level.SKIPPED, "may hold secrets: neither read nor shown"),
    "source-map": (Level.PARTIAL, "a source map: found by path, content left out"),
    "special-file": (Level.SKIPPED, "a pipe, socket or device: never opened"),
    "submodule": (Level.SKIPPED, "a git submodule; index it by itself"),
    "symlink": (Level.SKIPPED, "a link"),
    "too-large": (Level.SKIPPED, "over the size limit"),
    "unreadable": (Level.SKIPPED, "cannot be read"),
    "worktree": (Level.SKIPPED, "another working tree of a repository that is listed already"),
}
"""A reason -> its level and the sentence that explains it when there is nothing more exact to say."""


def because(reason: str, detail: str = "") -> Outcome:
    """The ledger entry for a reason of the table; ``detail`` replaces its sentence."""
    level, sentence = REASONS[reason]
    return Outcome(level, reason, detail or sentence)
