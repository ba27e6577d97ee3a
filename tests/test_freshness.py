"""Whether an index is up to date: never "fresh" for what has changed, never "changed" for what has not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import trigpoint
from equality import differences, everything
from odd_source import FixedStat
from planting import planted
from trigpoint.indexing.freshness import STAMP, TIME, UNFINISHED, Wanted, pending
from trigpoint.indexing.merkle import is_young
from trigpoint.indexing.run import Options, update
from trigpoint.languages import registry, versions
from trigpoint.model import Progress, Stat
from trigpoint.sources.directory import DirectorySource
from trigpoint.stores.local import LocalStore
from trigpoint.stores.memory import MemoryStore

LATER = 1 << 62  # nanoseconds: long after any file was written
SECOND = 1_000_000_000


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("alpha", "beta", "gamma"):
        (folder / f"{name}.py").write_text(f"def {name}():\n    return 1\n")
    return folder


def test_an_unchanged_tree_is_known_by_its_stamp(root: Path) -> None:
    source, store = DirectorySource(root), MemoryStore()
    settle(root)
    update(source, store, Options())
    snapshot = store.snapshot()
    assert snapshot.meta(STAMP)
    changes = pending(source, snapshot, Wanted(), LATER)
    assert (bool(changes), changes.news, changes.unchanged) == (False, False, 3)


@pytest.mark.parametrize("how", ["edit", "add", "remove", "rename", "empty"])
def test_every_change_is_seen(how: str, root: Path) -> None:
    source, store = DirectorySource(root), MemoryStore()
    settle(root)
    update(source, store, Options())
    change(root, how)
    assert pending(source, store.snapshot(), Wanted(), LATER).files >= 1
    update(source, store, Options())
    assert pending(source, store.snapshot(), Wanted(), LATER).files == 0


def change(root: Path, how: str) -> None:
    if how == "edit":
        (root / "alpha.py").write_text("def omega():\n    return 1\n")
    elif how == "add":
        (root / "delta.py").write_text("x = 1\n")
    elif how == "rename":
        (root / "alpha.py").rename(root / "omega.py")
    elif how == "empty":
        (root / "alpha.py").write_text("")
    else:
        (root / "alpha.py").unlink()


@pytest.mark.parametrize(("later_ns", "differ"), [(0, 1), (10_000_000, 1), (30_000_000, 0)])
def test_a_file_of_the_same_moment_is_compared_by_its_bytes(later_ns: int, differ: int) -> None:
    store = MemoryStore()
    update(FixedStat({"a.py": "a=1\n"}), store, Options())
    with store.writer() as writer:  # as if the index had been made so much later than the file
        writer.set_meta(TIME, str(FixedStat.stat.mtime_ns + later_ns))
        writer.publish()
    same, changed = FixedStat({"a.py": "a=1\n"}), FixedStat({"a.py": "b=2\n"})
    assert pending(same, store.snapshot(), Wanted(), LATER).files == 0
    assert pending(changed, store.snapshot(), Wanted(), LATER).files == differ


@pytest.mark.parametrize(
    ("mtime", "ctime", "began", "young"),
    [
        (1.0105, 1.0105, 1.02, True),  # 10 ms before, fine grain
        (1.0105, 1.0105, 1.05, False),
        (4, 4, 5, True),  # whole seconds: up to two may be lost
        (2, 2, 5, False),
        (9.5, 1.5, 5, False),  # a time in the future: the change time would tell a later write
        (1.5, 9.5, 5, False),  # an old time kept by a copy
    ],
)
def test_young_is_measured_in_the_grain_of_the_time(
    mtime: float, ctime: float, began: float, young: bool
) -> None:
    stat = Stat(1, round(mtime * SECOND), round(ctime * SECOND), 1)
    assert is_young(stat, round(began * SECOND)) is young


def test_a_touched_file_is_fresh_and_not_read_again(root: Path) -> None:
    with trigpoint.open(root) as project:
        project.index()
        before = project.status()
        settle(root)
        assert project.status().state == "ready"
        pack = project.search("alpha")
        assert pack.freshness.state == "fresh"
        report = project.index()
        assert (report.added, report.modified, report.unchanged) == (0, 0, 3)
        assert project.status().freshness.root == before.freshness.root


def test_what_was_just_written_is_fresh(root: Path) -> None:
    with trigpoint.open(root) as project:
        for number in range(3):
            (root / "alpha.py").write_text(f"def alpha_{number}():\n    return 1\n")
            assert project.search(f"alpha_{number}").freshness.state == "updated"
            assert project.status().state == "ready"
            assert project.search(f"alpha_{number}").freshness.state == "fresh"
            assert project.search(f"alpha_{number}").hits


def test_other_settings_read_everything_anew(root: Path) -> None:
    source, store = DirectorySource(root), MemoryStore()
    update(source, store, Options(wanted=Wanted("one")))
    assert pending(source, store.snapshot(), Wanted("one"), LATER).files == 0
    assert pending(source, store.snapshot(), Wanted("two"), LATER).files == 3
    assert pending(source, store.snapshot(), Wanted("one", full=True), LATER).files == 3


def test_an_empty_tree_takes_other_settings_too(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for tokens in (800, 100):
        with trigpoint.open(
            tmp_path / "empty", index_dir=tmp_path / "index", chunk_max_tokens=tokens, workers=1
        ) as engine:
            engine.index()
            assert LocalStore(tmp_path / "index").snapshot().meta("settings") == engine._wanted().settings


def test_a_new_version_of_a_language_reads_its_files_anew(root: Path) -> None:
    (root / "main.go").write_text("package main\n")
    (root / "page.ipynb").write_text("{}")
    (root / "plain").write_text("words\n")
    source, store = DirectorySource(root), MemoryStore()
    update(source, store, Options(wanted=Wanted("7 go=1 python=1")))
    stale = {
        settings: [one.path for one in pending(source, store.snapshot(), Wanted(settings), LATER).look]
        for settings in ("7 go=2 python=1", "7 go=1 python=2", "8 go=1 python=1", "7 go=1 python=1 ada=1")
    }
    always, pythons = ["page.ipynb", "plain"], ["alpha.py", "beta.py", "gamma.py"]
    assert stale["7 go=2 python=1"] == ["main.go", *always]
    assert stale["7 go=1 python=2"] == sorted([*pythons, *always])
    assert (
        stale["8 go=1 python=1"] == stale["7 go=1 python=1 ada=1"] == sorted([*pythons, *always, "main.go"])
    )
    report = update(source, store, Options(wanted=Wanted("7 go=2 python=1")))
    assert (report.modified, report.unchanged, report.deleted) == (0, 6, 0)
    assert pending(source, store.snapshot(), Wanted("7 go=2 python=1"), LATER).files == 0


def test_a_first_index_answers_before_all_is_read(tmp_path: Path) -> None:
    root = planted(tmp_path / "tree", {f"m{n:02}.py": f"def oak_{n}():\n    return {n}\n" for n in range(25)})
    store, seen = LocalStore(tmp_path / "index"), []

    def look(event: Progress) -> None:
        if event.phase == "read" and event.done in (9, 24):
            snapshot = LocalStore(tmp_path / "index").snapshot()
            seen.append((snapshot.counts()["files"], snapshot.meta(UNFINISHED)))
            snapshot.close()

    report = update(DirectorySource(root), store, Options(published_each=10), look)
    assert seen == [(0, ""), (20, "interrupted")]
    assert report.added == 25
    fresh = LocalStore(tmp_path / "fresh")
    update(DirectorySource(root), fresh, Options())
    assert not differences(everything(tmp_path / "index"), everything(tmp_path / "fresh"))
    assert not store.check()


def test_each_language_is_in_the_versions() -> None:
    told = versions()
    for name, language in registry().items():
        assert name in told
        assert str(language.version) in told


def settle(root: Path) -> None:
    """Let the files be old, with other stat data than before."""
    for path in root.iterdir():
        os.utime(path, (1_700_000_000, 1_700_000_000))


def test_what_another_version_read_is_not_said_to_have_changed(tmp_path: Path) -> None:
    root = planted(tmp_path / "app", {f"m{n}.py": f"def f{n}():\n    return {n}\n" for n in range(3)})
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1) as engine:
        engine.index()
    with trigpoint.open(
        root, index_dir=tmp_path / "index", workers=1, chunk_max_tokens=700, search_update_max_files=1
    ) as engine:
        assert "3 files were read by another version of trig" in engine.search("f1").freshness.note
