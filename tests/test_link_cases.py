"""The shared cases on call edges, played on the store: callers, callees and impact as the edges alone tell them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from cases_runner import Case, cases, same_name
from linking import dump
from trigpoint.indexing.run import Options, update
from trigpoint.model import MODULE, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.sources.directory import DirectorySource
from trigpoint.stores.memory import MemoryStore

KINDS = ("calls-python", "impact", "staleness", "symbols-python", "lines")
PLAYED = [
    one
    for one in cases()
    if one.kind in KINDS
    and "python" in one.raw.get("languages", ())
    and any(step.action in ("callers", "callees", "impact") for step in one.steps)
]


def meant(snapshot: Snapshot, query: str) -> list[StoredSymbol]:
    """The definitions that a query of a case names: ``a.b.f``, ``C.m``, ``path.py f``, ``f (…)``."""
    words = query.partition(" (")[0].split()
    name, path = words[-1], words[0] if len(words) > 1 else ""
    parts = name.split(".")
    found = []
    for row in snapshot.files():
        module = row.path.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
        for one in snapshot.symbols_of(row.path):
            full = f"{module}.{one.symbol.qualified}"
            named = one.symbol.qualified == name or full == name or full.endswith("." + name)
            if named and (not path or row.path == path) and len(parts) <= len(full.split(".")):
                found.append(one)
    shortest = min((len(one.symbol.qualified) for one in found), default=0)
    return [one for one in found if len(one.symbol.qualified) == shortest]


def callers(snapshot: Snapshot, query: str) -> list[tuple[str, str, int]]:
    """(path, symbol, line of the call)."""
    edges = snapshot.edges_to([one.id for one in meant(snapshot, query)], ("calls",), 0.5)
    return [(*named(snapshot, edge.source), edge.line) for edge in edges]


def named(snapshot: Snapshot, node: int) -> tuple[str, str]:
    (one,) = snapshot.nodes([node])
    return one.path, one.symbol.qualified if one.index != MODULE else "<module>"


def impact(snapshot: Snapshot, query: str, depth: int) -> list[tuple[str, str, int]]:
    """(path, symbol, its name line) of all that reaches it in so many steps, each once."""
    start = {one.id for one in meant(snapshot, query)}
    seen, edge_of = set(start), sorted(start)
    found = []
    for _ in range(depth):
        edges = snapshot.edges_to(edge_of, ("calls",), 0.5)
        edge_of = sorted({edge.source for edge in edges} - seen)
        seen |= set(edge_of)
        found += [(one.path, one.symbol.qualified, one.symbol.name_line) for one in snapshot.nodes(edge_of)]
    return found


def fits(expected: dict[str, Any], row: tuple[str, str, int]) -> bool:
    path, symbol, line = row
    wanted = expected.get("symbol")
    return (
        ("path" not in expected or expected["path"] == path)
        and expected.get("line", expected.get("name_line", line)) == line
        and (wanted is None or same_name(wanted, symbol))
    )


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.id)
def test_the_edges_answer_the_case(case: Case, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    case.build(root)
    store = MemoryStore()
    problems: list[str] = []
    for step in case.steps:
        if step.action in ("index", "update"):
            update(DirectorySource(root), store, Options())
        elif step.action == "shell":
            subprocess.run(["sh", "-euc", step.raw["run"]], cwd=root, check=True)
        elif step.action == "compare":
            fresh = MemoryStore()
            update(DirectorySource(root), fresh, Options())
            assert dump(store.snapshot()) == dump(fresh.snapshot())
        elif step.action in ("callers", "impact"):
            problems += judged(step.number, step.raw, store.snapshot())
    assert not problems


def judged(number: int, step: Any, snapshot: Snapshot) -> list[str]:
    query = step["query"]
    if step["action"] == "callers":
        rows = callers(snapshot, query)
    else:
        rows = impact(snapshot, query, step.get("depth", 10))
    if not meant(snapshot, query):
        return [f"step {number}: {query} is not defined"] if not _foreign(step) else []
    missing = [
        one for one in step.get("found", ()) if not any(fits(one, row) for row in rows) and not _other(one)
    ]
    invented = [one for one in step.get("absent", ()) if any(fits(one, row) for row in rows)]
    return [f"step {number}: no {one} among {rows}" for one in missing] + [
        f"step {number}: {one} is there" for one in invented
    ]


def _other(expected: dict[str, Any]) -> bool:
    return not expected.get("path", ".py").endswith(".py")


def _foreign(step: Any) -> bool:
    return all(_other(one) for one in step.get("found", ()))
