"""Which tree an update goes on from after a branch switch: pure, told by what is checked out."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.indexing.freshness import SETTINGS
from trigpoint.ports import KeptTree

HEAD = "head"
"""Key of what was checked out when an index was published: commit and branch, a space between; "" outside git."""

_SHARE = 50
_LEAST = 40
"""A copy of an index costs about as much as reading one in fifty of its files anew, and little goes back unnoticed."""


def share_worth_a_copy(files: int) -> int:
    """How many files must change at once for a copy of the index to be worth its room and time."""
    return max(_LEAST, files // _SHARE)


def is_switch(former: str, head: str) -> bool:
    """Whether another branch was checked out, or without a branch another commit."""
    if not former or not head or former == head:
        return False
    old, new = former.partition(" ")[2], head.partition(" ")[2]
    return not new or old != new


def fitting(kept: Sequence[KeptTree], head: str, settings: str) -> str:
    """The name of the kept tree of this commit, else of this branch; "" when there is none that fits the settings."""
    able = [tree for tree in kept if tree.meta.get(SETTINGS) == settings]
    branch = head.partition(" ")[2]
    same = [tree for tree in able if tree.meta.get(HEAD) == head]
    same += [tree for tree in able if branch and tree.meta.get(HEAD, "").partition(" ")[2] == branch]
    return same[0].name if same else ""
