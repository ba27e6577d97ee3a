"""The tree of digests: comparing descends only where digests differ, and a written tree is read back whole."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases_runner import Trig
from planting import planted
from trigpoint.indexing import merkle
from trigpoint.indexing.merkle import (
    EMPTY,
    Folder,
    differences,
    folder_digests,
    folders_after,
    folders_of,
    root_of,
    tree_of,
)

FILES = {"a.py": "def alpha(): pass\n", "pkg/b.py": "def beta(): pass\n", "pkg/c.py": "def gamma(): pass\n"}

PATHS = st.sampled_from(["a", "b", "d/a", "d/b", "d/e/a", "f/a", "f/b/c"])
TREES = st.dictionaries(PATHS, st.sampled_from(["1", "2", "3"]))


@settings(max_examples=300, deadline=None)
@given(TREES, TREES)
def test_every_file_is_told_once_and_right(before: dict[str, str], after: dict[str, str]) -> None:
    found = differences(tree_of(before), tree_of(after))
    assert bool(found) == (before != after) == (root_of(before) != root_of(after))
    assert root_of(before) == tree_of(before).digest
    new = {*found.added, *(path for _, path in found.renamed)}
    gone = {*found.deleted, *(path for path, _ in found.renamed)}
    assert new == after.keys() - before.keys()
    assert gone == before.keys() - after.keys()
    assert set(found.modified) == {
        path for path in before.keys() & after.keys() if before[path] != after[path]
    }
    assert found.unchanged == sum(before.get(path) == digest for path, digest in after.items())
    assert all(before[old] == after[now] for old, now in found.renamed)
    left = {before[path] for path in found.deleted} & {after[path] for path in found.added}
    assert not left, "a digest that went and came is a renamed file"


def test_folders_of_one_digest_are_not_looked_into() -> None:
    class Closed(dict[str, str]):
        def keys(self):  # type: ignore[no-untyped-def]
            raise AssertionError("looked into")

    same = Folder("x", {}, Closed())
    assert differences(
        Folder("1", {"s": same}, {"a": "1"}), Folder("2", {"s": same}, {"a": "2"})
    ).modified == ("a",)
    with pytest.raises(AssertionError):
        differences(Folder("1", {}, Closed()), Folder("2", {}, Closed()))


def test_a_folder_stands_for_all_below_it() -> None:
    tree = tree_of({"a": "1", "d/b": "2", "d/e/c": "3"})
    told = dict(folders_of(tree))
    assert list(told) == ["", "d", "d/e"]
    assert told["d"] == tree_of({"b": "2", "e/c": "3"}).digest
    assert root_of({}) == EMPTY.digest == ""
    assert merkle.renames({"x/a.py": "1", "y.py": "1"}, {"z/y.py": "1", "z/q.py": "1"}) == [
        ("x/a.py", "z/q.py"),
        ("y.py", "z/y.py"),
    ]


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    return Trig(planted(tmp_path / "garden", FILES))


def written(trig: Trig, name: str) -> Path:
    path = trig.root.with_name(name)
    path.write_text(trig.ask("tree", "export").out)
    return path


def test_two_exports_and_the_tree_as_it_is_are_compared(trig: Trig) -> None:
    (trig.root / "pic.png").write_bytes(b"\x89PNG" * 9)
    before = written(trig, "before.json")
    same = trig.ask("tree", "diff", str(before))
    assert (same.status, same.out) == (1, "")
    (trig.root / "a.py").write_text("def omega(): pass\n")
    (trig.root / "pkg" / "b.py").rename(trig.root / "pkg" / "moved.py")
    (trig.root / "pkg" / "c.py").unlink()
    (trig.root / "new.py").write_text("x = 1\n")
    (trig.root / "pic.png").write_bytes(b"\x89PNG" * 10)
    shown = "M a.py\nA new.py\nM pic.png\nD pkg/c.py\nR pkg/b.py -> pkg/moved.py\n"
    now = trig.ask("tree", "diff", str(before))
    assert (now.status, now.out) == (0, shown)
    after = written(trig, "after.json")
    found = trig.ask("tree", "diff", str(before), str(after), "--json").json
    assert found["renamed"] == [{"from": {"path": "pkg/b.py"}, "to": {"path": "pkg/moved.py"}}]
    assert (found["unchanged"], found["unread"]) == (0, 1)
    assert found["after"] == trig.ask("status", "--json").json["freshness"]["root"]
    back = trig.ask("tree", "diff", str(after), str(before))
    assert "R pkg/moved.py -> pkg/b.py\n" in back.out


def test_an_export_tells_all_there_is_of_a_file(trig: Trig) -> None:
    found = json.loads(written(trig, "tree.json").read_text())
    assert {
        "tree",
        "version",
        "settings",
        "root",
        "head",
        "branch",
        "generation",
        "indexed_at_ns",
    } < found.keys()
    assert [folder["path"] for folder in found["folders"]] == ["", "pkg"]
    assert found["folders"][0]["digest"] == found["root"]
    row = next(row for row in found["files"] if row["path"] == "a.py")
    status = (trig.root / "a.py").stat()
    assert (row["bytes"], row["mtime_ns"]) == (status.st_size, status.st_mtime_ns)
    assert len(row["digest"]) == 64


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no text")
def test_odd_names_come_back(trig: Trig) -> None:
    odd = os.fsencode(trig.root) + b"/\xff\n.py"
    with open(odd, "wb") as file:
        file.write(b"x = 1\n")
    before = written(trig, "odd.json")
    assert trig.ask("tree", "diff", str(before)).status == 1
    os.unlink(odd)
    found = trig.ask("tree", "diff", str(before), "--json").json
    assert found["deleted"] == [{"path": "\ufffd\n.py", "path_bytes": "/woucHk="}]


def test_what_is_no_tree_is_refused(trig: Trig) -> None:
    good = written(trig, "tree.json")
    data = json.loads(good.read_text())
    data["files"][0]["digest"] = "0" * 64
    bad = {
        "changed": json.dumps(data),
        "newer": json.dumps({**data, "tree": 99}),
        "junk": "{",
        "foreign": '{"files": []}',
    }
    for name, text in bad.items():
        path = trig.root.with_name(name)
        path.write_text(text)
        ran = trig.ask("tree", "diff", str(path))
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 2), name
    assert trig.ask("tree", "diff").status == 2
    assert trig.ask("tree", "prune").status == 2
    assert trig.ask("tree", "diff", "nowhere.json").status == 2
    assert trig.ask("tree", "diff", str(good), "--no-update").status == 1


def test_verify_hashes_what_stat_data_would_vouch_for(trig: Trig) -> None:
    """The same size, times and inode with other bytes: only a digest tells. Stat data are forged in the index."""
    assert trig.ask("index").status == 0
    path = trig.root / "a.py"
    path.write_text("def delta(): pass\n")
    forge(Path(trig.ask("status", "--json").json["index"]), path)
    assert trig.ask("index", "--json").json["modified"] == 0
    assert trig.ask("index", "--verify", "--json").json["modified"] == 1
    assert trig.ask("symbol", "--no-update", literal=("delta",)).status == 0


def forge(index: Path, path: Path) -> None:
    """Let the index believe that it has read the file as it is, long ago."""
    from trigpoint.indexing.freshness import STAMP, TIME
    from trigpoint.model import Stat
    from trigpoint.stores.local import open_local

    status = os.stat(path)
    with open_local(index).writer() as writer:
        stat = Stat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        writer.touch({path.name: stat})
        writer.set_meta(STAMP, "")
        writer.set_meta(TIME, str(status.st_mtime_ns + 10**12))
        writer.publish()


def test_every_answer_names_the_tree_it_is_of(trig: Trig) -> None:
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(trig.root)], check=True)
    whole = trig.ask("index", "--json") and trig.ask("status", "--json").json["freshness"]
    asked = (("search", "alpha"), ("callers", "alpha"), ("impact", "alpha"), ("map",))
    for command in asked:
        fresh = trig.ask(*command, "--json").json["freshness"]
        assert (fresh["root"], fresh["branch"], fresh["stale"]) == (whole["root"][:12], "trunk", 0), command
    (trig.root / "a.py").write_text("def omega(): pass\n")
    assert trig.ask("search", "--json", "omega").json["freshness"]["root"] != whole["root"][:12]


@pytest.mark.parametrize("when", [10**9, 4 * 10**9])
def test_times_of_another_clock_hide_no_change(when: int, trig: Trig) -> None:
    """Files dated long ago or far in the future, as after a clock that jumped."""
    for path in trig.root.rglob("*.py"):
        os.utime(path, (when, when))
    assert trig.ask("index").status == 0
    path = trig.root / "a.py"
    path.write_text("def sigma(): pass\n")  # of the same size, and then of the same time
    os.utime(path, (when, when))
    assert trig.ask("status", "--json").json["freshness"]["stale"] == 1
    assert trig.ask("search", "--json", "sigma").json["freshness"]["state"] == "updated"
    assert trig.ask("symbol", "--no-update", literal=("sigma",)).status == 0


def test_few_changes_are_worked_into_the_digests_of_folders() -> None:
    chance = random.Random(5)
    names = [
        f"{one}{two}{three}"
        for one in ("", "a/", "b/", "b-/")
        for two in ("", "x/", "x/y/")
        for three in "pqr"
    ]
    files = {name: f"{number}" for number, name in enumerate(names)}
    folders = folder_digests(files)
    for step in range(60):
        changed = chance.sample(names, chance.randint(1, 12))
        for name in changed:
            if chance.random() < 0.6:
                files.pop(name, None)
            else:
                files[name] = f"{step}"

        def inside(folder: str, files: dict[str, str] = files) -> dict[str, str]:
            found = {path[len(folder) :]: digest for path, digest in files.items() if path.startswith(folder)}
            return {name: digest for name, digest in found.items() if "/" not in name}

        folders = folders_after(folders, changed, inside)
        assert folders == folder_digests(files)
        assert folders.get("", "") == root_of(files) == tree_of(files).digest
