"""Killed anywhere, an index answers as before, goes on where it was, and ends up like one made anew.

In `make check` some kills; `make soak` sets SOAK_KILLS.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import trigpoint
from equality import Fact, differences, everything
from planting import planted
from soak_trees import PATHS, git, text_for

KILLS = int(os.environ.get("SOAK_KILLS", "16"))
POINTS: set[tuple[str, int]] = set()
SEEN = {"kills": 0, "of real processes": 0}


class Killer:
    """The process whose children are killed."""

    def __init__(self) -> None:
        line = [sys.executable, str(Path(__file__).with_name("soak_killer.py"))]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, at: int, garden: Garden) -> tuple[int, int]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(
            "\t".join([str(at), str(garden.root), str(garden.index), garden.lexical, "\n"])
        )
        self.process.stdin.flush()
        seen, code = map(int, self.process.stdout.readline().split())
        return seen, code


class Garden:
    """A tree with two states, and what an index made anew holds of each."""

    def __init__(self, folder: Path, lexical: str) -> None:
        self.root, self.index, self.lexical = folder / "tree", folder / "index", lexical
        self.root.mkdir()
        git(self.root, "init", "-q", "-b", "main")
        self.fresh: list[list[Fact]] = []
        self.state = 0
        for state in (0, 1):
            self.turn_to(state)
            self.fresh.append(self.made_anew(folder / f"fresh-{state}"))
        self.engine_index()

    def turn_to(self, state: int) -> None:
        """Some files stay, some change, some come and go."""
        self.state = state
        for path in self.root.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        some = {path: text_for(path, number + state * (number % 3)) for number, path in enumerate(PATHS)}
        planted(
            self.root,
            {path: text for number, (path, text) in enumerate(some.items()) if (number + state) % 5},
        )
        os.utime(self.root / "main.go") if (self.root / "main.go").exists() else None

    def made_anew(self, index: Path) -> list[Fact]:
        with trigpoint.open(self.root, index_dir=str(index), lexical=self.lexical, workers=1) as engine:
            engine.index()
        return everything(index, self.lexical)

    def engine_index(self) -> None:
        with trigpoint.open(self.root, index_dir=str(self.index), lexical=self.lexical, workers=1) as engine:
            engine.index()

    def check_killed(self) -> None:
        """A reader sees a whole generation: the former one or the new one."""
        with trigpoint.open(self.root, index_dir=str(self.index), lexical=self.lexical) as engine:
            pack = engine.search("make", update=False)
            assert pack.hits, "nothing answers"
        found = answers(everything(self.index, self.lexical))
        assert found in map(answers, self.fresh), "half of a generation is seen"

    def check_resumed(self) -> None:
        self.engine_index()
        found = differences(everything(self.index, self.lexical), self.fresh[self.state])
        assert not found, found
        with trigpoint.open(self.root, index_dir=str(self.index), lexical=self.lexical) as engine:
            found = [one for one in engine.doctor() if "left from a run that was killed" not in one]
            assert found == []


def answers(facts: list[Fact]) -> list[Fact]:
    """What a search reads."""
    return [fact for fact in facts if fact[0] in ("file", "symbol", "chunk", "word")]


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    made = Killer()
    yield made
    assert made.process.stdin is not None and made.process.stdout is not None
    made.process.stdin.close()
    made.process.wait()
    made.process.stdout.close()


@pytest.mark.parametrize("lexical", ["tantivy", "fts5"])
def test_killed_at_any_point(lexical: str, killer: Killer, tmp_path: Path) -> None:
    garden, chance = Garden(tmp_path, lexical), random.Random(1)
    garden.turn_to(1 - garden.state)
    total, code = killer.run(0, garden)
    assert (code, total > 100) == (0, True)
    for _ in range(KILLS // 2):
        garden.turn_to(1 - garden.state)
        for at in [chance.randint(1, total) for _ in range(chance.choice((1, 1, 2)))]:
            _, code = killer.run(at, garden)
            if code == -signal.SIGKILL:
                POINTS.add((lexical, at))
                SEEN["kills"] += 1
            garden.check_killed()
        garden.check_resumed()


def test_a_first_index_killed_at_any_point(killer: Killer, tmp_path: Path) -> None:
    garden, chance = Garden(tmp_path, "tantivy"), random.Random(2)
    for _ in range(max(2, KILLS // 8)):
        shutil.rmtree(garden.index)
        _, code = killer.run(chance.randint(1, 900), garden)
        SEEN["kills"] += code == -signal.SIGKILL
        garden.check_resumed()


def test_real_processes_killed_at_any_time(tmp_path: Path) -> None:
    garden, chance = Garden(tmp_path, "tantivy"), random.Random(3)
    line = [sys.executable, "-m", "trigpoint", "index", str(garden.root), "--index-dir", str(garden.index)]
    for _ in range(max(2, KILLS // 12)):
        garden.turn_to(1 - garden.state)
        running = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(0.1, 1.0))
        running.kill()
        _, err = running.communicate()
        assert b"Traceback" not in err
        SEEN["kills"] += running.returncode == -signal.SIGKILL
        SEEN["of real processes"] += running.returncode == -signal.SIGKILL
        garden.check_killed()
        garden.check_resumed()


def test_there_were_enough_kills() -> None:
    """The tests above have killed, and `make soak` prints how often."""
    if not POINTS:
        pytest.skip("the tests above were not chosen")
    print(
        f"durability: {SEEN['kills']} kills at {len(POINTS)} points, {SEEN['of real processes']} of real processes, no loss"
    )
    assert SEEN["kills"] >= KILLS * 0.8
