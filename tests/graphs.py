"""Small linked projects for the tests of what walks the graph."""

from __future__ import annotations

from collections.abc import Mapping

from linking import index, tree
from trigpoint.graph.relation import Relation
from trigpoint.ports import Snapshot
from trigpoint.stores.memory import MemoryStore


def snapshot_of(text: str) -> Snapshot:
    """Files from one text as ``linking.tree`` reads it, indexed and linked in memory."""
    return index(MemoryStore(), tree(text))


def snapshot_with(files: Mapping[str, str]) -> Snapshot:
    """Files, indexed and linked in memory."""
    return index(MemoryStore(), files)


def hops(answer: Relation) -> list[tuple[str, int]]:
    """Name and hop of each row, in order; the top of a file is its path."""
    return [(row.name, row.hop) for row in answer.rows]


CLOCK = """
    # clock.py
    def tick(n):
        return n

    def odd(n):
        return n != 0 and even(n - 1)

    def even(n):
        return n == 0 or odd(tick(n))

    def left(n):
        return even(n)

    def right(n):
        return even(n)

    def top(n):
        return left(n) + right(n)

    # face.py
    from clock import top

    class Face:
        def __init__(self, hands):
            self.hands = hands

        def show(self):
            return top(self.hands)

    def make():
        return Face(2)

    # tests/test_face.py
    from face import Face, make

    def test_face():
        assert make().show()
        assert Face(1).show()
"""
"""Recursion, a diamond, a class with its constructor, and a test."""
