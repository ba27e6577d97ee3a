"""Each answer, on every surface, says of what state of the tree it was given: state, generation, stale files, HEAD, branch, root."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import trigpoint
from cases_runner import Trig
from planting import planted
from soak_trees import git
from test_mcp_tools import ask
from trigpoint.surfaces.mcp.desk import Desk
from trigpoint.surfaces.mcp.projects import Projects

KEYS = {"state", "generation", "stale", "head", "branch", "root"}
TREE = {
    "pkg/a.py": "def alpha():\n    return beta()\n\n\ndef beta():\n    return 1\n",
    "u.py": "from pkg.a import alpha\n\n\ndef use():\n    return alpha()\n",
}
QUESTIONS = {
    "search": ("alpha",),
    "context": ("alpha",),
    "symbol": ("alpha",),
    "outline": ("u.py",),
    "callers": ("alpha",),
    "callees": ("use",),
    "deps": ("u.py",),
    "impact": ("alpha",),
    "path": ("use", "beta"),
    "map": (),
    "status": (),
}


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    root = planted(tmp_path / "garden", TREE)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    made = Trig(root)
    assert made.ask("index").status == 0
    return made


def checked(found: dict, root: Path, state: str, stale: int) -> None:
    """A block with all that the issue asks of it, and true."""
    assert set(found) >= KEYS, found
    assert (found["state"], found["stale"], found["branch"]) == (state, stale, "main")
    head = (root / ".git" / "refs" / "heads" / "main").read_text().strip()
    assert head.startswith(found["head"]) and len(found["head"]) >= 12 and len(found["root"]) >= 12


@pytest.mark.parametrize("command", QUESTIONS)
def test_on_the_command_line(trig: Trig, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = QUESTIONS[command]
    checked(trig.ask(command, "--json", literal=words).json["freshness"], trig.root, "fresh", 0)
    monkeypatch.setenv("TRIGPOINT_SEARCH_UPDATE_MAX_FILES", "1")
    monkeypatch.setenv("TRIGPOINT_SEARCH_BACKGROUND", "false")
    for path in ("one.py", "two.py"):
        (trig.root / path).write_text("x = 1\n")
    checked(trig.ask(command, "--json", literal=words).json["freshness"], trig.root, "stale", 2)
    told = trig.ask(command, literal=words)
    assert "2 files have changed" in told.err + told.out or (command == "status" and "stale" in told.out)


@pytest.fixture
def desk(trig: Trig, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(Projects([trig.root], {"index.dir": str(tmp_path / "served"), "workers": "1"}, fixed=True))
    with trigpoint.open(trig.root, index_dir=tmp_path / "served", workers=1) as engine:
        engine.index()
    yield made
    made.close()


ARGUMENTS = {"context": {"query": "alpha"}, "search": {"query": "alpha"}, "symbol": {"name": "alpha"}}
ARGUMENTS |= {"impact": {"name": "alpha"}, "map": {}, "status": {}}


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_over_mcp(desk: Desk, trig: Trig, tool: str) -> None:
    found = ask(desk, tool, **ARGUMENTS[tool]).structured["freshness"]
    checked(found, trig.root, "fresh", 0)


def test_over_mcp_while_many_files_are_brought_in(trig: Trig, tmp_path: Path) -> None:
    settings = {"index.dir": str(tmp_path / "served"), "search.update_max_files": "1", "workers": "1"}
    with trigpoint.open(trig.root, index_dir=tmp_path / "served", workers=1) as engine:
        engine.index()
    for number in range(3):
        (trig.root / f"new{number}.py").write_text("x = 1\n")
    desk = Desk(Projects([trig.root], settings, fixed=True))
    try:
        checked(ask(desk, "search", query="alpha").structured["freshness"], trig.root, "stale", 3)
    finally:
        desk.close()


def test_in_the_library(trig: Trig, tmp_path: Path) -> None:
    with trigpoint.open(trig.root, search_update_max_files=0, workers=1) as engine:
        (trig.root / "one.py").write_text("x = 1\n")
        for found in (
            engine.symbol("alpha"),
            engine.outline("u.py"),
            engine.search("alpha"),
            engine.callers("alpha"),
        ):
            assert (found.freshness.state, found.freshness.stale) == ("stale", 1)
            assert len(found.freshness.root) == 64 and found.freshness.branch == "main"
