"""A file that linking fails on costs its own edges, and is told."""

from __future__ import annotations

import pytest

from trigpoint.indexing.link import link
from trigpoint.indexing.record import outline_of
from trigpoint.model import Outline

GOOD = "def prime():\n    pass\n\n\ndef pump():\n    prime()\n"


def load(path: str) -> tuple[str, frozenset[str], Outline]:
    outline = outline_of(GOOD, "python")
    if path == "odd.py":  # no outline of ours is like this
        outline = Outline(outline.symbols, references=(None,))  # type: ignore[arg-type]
    return "python", frozenset(), outline


def test_one_odd_file_costs_its_own_edges() -> None:
    faults: list[str] = []
    files = {"good.py": "python", "odd.py": "python"}
    edges = dict(link(files, load, lambda path: GOOD, fault=lambda path, error: faults.append(path)))
    assert faults == ["odd.py"]
    assert edges["odd.py"] == []
    assert [edge.kind for edge in edges["good.py"]] == ["calls"]


def test_without_a_listener_a_fault_is_raised() -> None:
    with pytest.raises((AttributeError, TypeError)):
        dict(link({"odd.py": "python"}, load, lambda path: GOOD))
