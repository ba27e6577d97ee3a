"""A branch that was seen before is gone back to without reading anything anew, and nothing else changes."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import trigpoint
from equality import differences, everything
from planting import planted
from soak_trees import git
from trigpoint.engine import Engine
from trigpoint.model import Progress
from trigpoint.stores.local import open_local, place, trees

MANY = 60


def body(number: int, word: str) -> str:
    return f"from m{(number + 1) % MANY} import {word}_{(number + 1) % MANY}\n\n\ndef {word}_{number}():\n    return {word}_{(number + 1) % MANY}()\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two branches that differ in every file but one."""
    made = planted(
        tmp_path / "tree", {f"m{n}.py": body(n, "oak") for n in range(MANY)} | {"same.py": "x = 1\n"}
    )
    git(made, "init", "-q", "-b", "main")
    commit(made)
    git(made, "switch", "-qc", "side")
    for number in range(MANY):
        (made / f"m{number}.py").write_text(body(number, "elm"))
    commit(made)
    git(made, "switch", "-q", "main")
    return made


def commit(root: Path) -> None:
    git(root, "add", "-A")
    assert git(root, "commit", "-qm", "step")


@pytest.fixture(params=["tantivy", "fts5"])
def engine(request: pytest.FixtureRequest, root: Path, tmp_path: Path) -> Iterator[Engine]:
    with trigpoint.open(root, index_dir=str(tmp_path / "index"), lexical=request.param, workers=1) as made:
        made.index()
        yield made


def updated(engine: Engine) -> list[str]:
    """The files that an update reads."""
    read: list[str] = []

    def note(event: Progress) -> None:
        if event.phase == "read" and event.path:
            read.append(event.path)

    engine.index(progress=note)
    return read


def check_equal(engine: Engine, tmp_path: Path) -> None:
    lexical = engine.settings.lexical
    fresh = tmp_path / "fresh"
    with trigpoint.open(engine.root, index_dir=str(fresh), lexical=lexical, workers=1) as other:
        other.index()
    found = differences(everything(engine.settings.index_dir, lexical), everything(fresh, lexical))
    shutil.rmtree(fresh)
    assert not found, found
    assert engine.doctor() == ()


def test_going_back_reads_nothing(engine: Engine, root: Path, tmp_path: Path) -> None:
    git(root, "switch", "-q", "side")
    assert len(updated(engine)) == MANY
    check_equal(engine, tmp_path)
    for branch in ("main", "side", "main"):
        git(root, "switch", "-q", branch)
        assert updated(engine) == []
        check_equal(engine, tmp_path)


def test_what_differs_from_what_was_seen_there_is_read(engine: Engine, root: Path, tmp_path: Path) -> None:
    git(root, "switch", "-q", "side")
    updated(engine)
    git(root, "switch", "-q", "main")
    (root / "m3.py").write_text(body(3, "yew"))
    (root / "same.py").unlink()
    assert updated(engine) == ["m3.py"]
    check_equal(engine, tmp_path)
    commit(root)
    git(root, "switch", "-q", "side")
    updated(engine)
    git(root, "switch", "-q", "main")  # another commit of the branch than the one that was indexed
    assert updated(engine) == []
    check_equal(engine, tmp_path)


def test_a_reader_sees_the_former_branch_until_the_new_one_is_published(engine: Engine, root: Path) -> None:
    git(root, "switch", "-q", "side")
    seen: list[str] = []
    with trigpoint.open(
        root, index_dir=str(engine.settings.index_dir), lexical=engine.settings.lexical
    ) as reader:

        def look(event: Progress) -> None:
            if event.phase == "read" and event.done == MANY // 2:
                seen.extend(one.symbol.name for name in ("oak_5", "elm_5") for one in reader.symbol(name))

        engine.index(progress=look)
        assert seen == ["oak_5"]
        assert not reader.symbol("oak_5") and reader.symbol("elm_5")
        assert reader.search("elm_5", update=False).hits


def test_generations_never_come_twice(engine: Engine, root: Path) -> None:
    seen = []
    for branch in ("side", "main", "side", "main"):
        git(root, "switch", "-q", branch)
        seen.append(engine.index().generation)
    assert sorted(set(seen)) == seen


def test_a_small_switch_is_an_update(engine: Engine, root: Path) -> None:
    git(root, "switch", "-qc", "small")
    (root / "m1.py").write_text("def ash():\n    pass\n")
    updated(engine)
    assert place(engine.settings.index_dir) == engine.settings.index_dir
    assert trees.kept(engine.settings.index_dir) == ()


def test_what_is_too_many_too_old_or_too_large_goes(engine: Engine, root: Path) -> None:
    index = engine.settings.index_dir
    for branch in ("side", "main"):
        git(root, "switch", "-q", branch)
        engine.index()
    assert len(trees.kept(index)) == 1
    now = time.time()
    assert trees.forget(index, trees.Keep(), now) == ()
    assert trees.forget(index, trees.Keep(days=30), now + 31 * 86_400) == ("1",)
    assert trees.kept(index) == ()
    git(root, "switch", "-q", "side")
    assert len(updated(engine)) == MANY
    assert trees.forget(index, trees.Keep(bytes=1), now) == (".",)
    assert engine.search("elm_5").hits and engine.doctor() == ()


def test_an_old_tree_goes_without_a_switch(engine: Engine, root: Path) -> None:
    index = engine.settings.index_dir
    for branch in ("side", "main"):
        git(root, "switch", "-q", branch)
        engine.index()
    long_ago = time.time() - 31 * 86_400
    os.utime(trees.folder_of(index, "1") / "trigpoint.sqlite3", (long_ago, long_ago))
    engine.index()
    assert trees.kept(index) == ()


def test_settings_say_how_many_are_kept(root: Path, tmp_path: Path) -> None:
    with trigpoint.open(root, index_dir=str(tmp_path / "index"), trees_kept=0, workers=1) as engine:
        engine.index()
        for branch in ("side", "main"):
            git(root, "switch", "-q", branch)
            assert len(updated(engine)) == MANY
        assert trees.kept(tmp_path / "index") == ()


def test_a_kept_tree_that_is_damaged_is_left_alone(engine: Engine, root: Path, tmp_path: Path) -> None:
    git(root, "switch", "-q", "side")
    updated(engine)
    rows = engine.settings.index_dir / "trigpoint.sqlite3"
    os.truncate(rows, 100)
    git(root, "switch", "-q", "main")
    assert len(updated(engine)) == MANY
    check_equal(engine, tmp_path)


@pytest.mark.parametrize("junk", [b"\xff\xfe\xf8", b"", b"7", b"../..", b"\0" * 5000])
def test_a_damaged_pointer_costs_time_only(engine: Engine, root: Path, tmp_path: Path, junk: bytes) -> None:
    git(root, "switch", "-q", "side")
    updated(engine)
    (engine.settings.index_dir / "tree").write_bytes(junk)
    engine.index()
    check_equal(engine, tmp_path)


def test_removing_an_index_removes_its_trees(engine: Engine, root: Path) -> None:
    git(root, "switch", "-q", "side")
    updated(engine)
    assert engine.clean() == (str(engine.settings.index_dir),)
    assert not engine.settings.index_dir.exists()
    assert open_local(engine.settings.index_dir).snapshot().generation == 0
