"""`trig watch` follows a tree as people and tools change it, with real files, real notices and a real process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases_runner import Trig
from planting import planted
from trigpoint.model import Watched
from trigpoint.render import upkeep as render
from trigpoint.sources.directory import DirectorySource
from trigpoint.sources.relevance import Relevance
from trigpoint.sources.watching import remote
from trigpoint.stores.local import open_local
from watching import Watch

TREE = {"a.py": "def alpha(): pass\n", "pkg/b.py": "def beta(): pass\n", "build/out.py": "x = 1\n"}


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    root = planted(tmp_path / "garden", {**TREE, ".gitignore": "build/\n"})
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return Trig(root)


@pytest.fixture
def watch(trig: Trig) -> Iterator[Watch]:
    running = Watch(trig)
    assert running.event("ready")["added"] == 3
    yield running
    assert running.stop() == 0


def test_it_follows_what_people_and_tools_do(trig: Trig, watch: Watch) -> None:
    root = trig.root
    for number in range(20):  # a burst is one update
        (root / f"burst{number}.py").write_text(f"def burst_{number}(): pass\n")
    assert watch.event("update")["added"] == 20
    (root / "a.py.swp").write_text("def saved(): pass\n")  # an atomic save
    (root / "a.py.swp").replace(root / "a.py")
    found = watch.event("update")
    assert (found["added"], found["modified"], found["deleted"]) == (0, 1, 0)
    assert trig.ask("symbol", "--no-update", literal=("saved",)).status == 0
    (root / "pkg").rename(root / "lib")  # a folder moves with all that is in it
    found = watch.event("update")
    assert (found["added"], found["deleted"], found["renamed"]) == (0, 0, 1)
    (root / "lib" / "deep" / "er").mkdir(parents=True)
    (root / "lib" / "deep" / "er" / "c.py").write_text("def gamma(): pass\n")
    assert watch.event("update")["paths"] == [{"path": "lib/deep/er/c.py"}]
    (root / "build" / "more.py").write_text("y = 1\n")  # ignored
    watch.quiet(1.0)
    (root / ".gitignore").write_text("lib/\n")  # other rules, applied at once
    found = watch.event("update")
    assert (found["added"], found["deleted"]) == (2, 2)
    shutil.rmtree(root / "build")
    assert watch.event("update")["deleted"] == 2


def test_it_survives_the_removal_and_return_of_its_folder(trig: Trig, watch: Watch) -> None:
    away = trig.root.with_name("away")
    trig.root.rename(away)
    watch.event("gone")
    assert open_local(trig.root.parent / "cache").snapshot().generation == 0
    (away / "new.py").write_text("def delta(): pass\n")
    away.rename(trig.root)
    assert watch.event("ready")["added"] == 1
    (trig.root / "later.py").write_text("def epsilon(): pass\n")
    assert watch.event("update")["added"] == 1
    shutil.rmtree(trig.root)  # another folder in its place
    planted(trig.root, {"other.py": "def zeta(): pass\n"})
    while (found := watch.event_of("ready", "update", "gone"))["type"] == "gone" or found["files"] != 1:
        pass
    assert trig.ask("symbol", "--no-update", literal=("zeta",)).status == 0


def test_it_waits_for_another_writer_(trig: Trig, watch: Watch) -> None:
    index = Path(trig.ask("status", "--json").json["index"])
    with open_local(index).writer():
        (trig.root / "a.py").write_text("def omega(): pass\n")
        watch.quiet(1.0)
    assert watch.event("update")["modified"] == 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_by_polling_it_follows_too_and_ends_well(trig: Trig, how: int) -> None:
    running = Watch(trig, "--poll")
    assert running.event("polling")["note"] == "as asked"
    running.event("ready")
    (trig.root / "a.py").write_text("def polled(): pass\n")
    assert running.event("update")["modified"] == 1
    assert running.stop(how) == 0


def test_what_cannot_be_written_is_an_error_from_the_start(trig: Trig, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = trig.spawn("watch", "--index-dir", str(tmp_path / "file" / "index"))
    assert (ran.status, ran.out) == (2, "")
    assert "cannot be made" in ran.err


@pytest.mark.parametrize("limit", ["max_inotify_instances", "max_inotify_watches"])
def test_without_room_for_notices_it_polls(trig: Trig, limit: str) -> None:
    """The limit is set for this watch alone, in a name space of its own."""
    script = f'echo {int(limit.endswith("watches"))} > /proc/sys/user/{limit} && exec "$@"'
    trig.through = ("unshare", "-Ur", "sh", "-c", script, "sh")
    if not shutil.which("unshare") or subprocess.run([*trig.through, "true"], check=False).returncode:
        pytest.skip("needs name spaces of users")
    running = Watch(trig)
    assert "no notices" in running.event("polling")["note"]
    running.event("ready")
    (trig.root / "pkg" / "b.py").write_text("def seen(): pass\n")
    assert running.event("update")["modified"] == 1
    assert running.stop() == 0


def test_a_folder_that_may_not_be_read_keeps_nothing_from_being_seen(trig: Trig) -> None:
    if os.geteuid() == 0:
        trig.through = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
        if not shutil.which("setpriv") or subprocess.run([*trig.through, "true"], check=False).returncode:
            pytest.skip("needs an unprivileged user, and there is no setpriv")
    closed = trig.root / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        running = Watch(trig)
        assert "denied" in running.event("polling")["note"]
        running.event("ready")
        (trig.root / "pkg" / "b.py").write_text("def seen(): pass\n")
        assert running.event("update")["modified"] == 1
        assert running.stop() == 0
    finally:
        closed.chmod(0o755)


def test_relevance_never_denies_what_a_listing_has(tmp_path: Path) -> None:
    """The filter that keeps a watch quiet may only be wrong on the safe side."""
    root = planted(
        tmp_path / "t",
        {
            ".gitignore": "out/*\n!out/kept.py\n*.log\n",
            ".trigignore": "secret/\n",
            "out/kept.py": "a = 1\n",
            "out/gone.py": "a = 1\n",
            "secret/x.py": "a = 1\n",
            "sub/.gitignore": "!noise.log\nlocal/\n",
            "sub/noise.log": "a\n",
            "sub/local/y.py": "a = 1\n",
            "node_modules/m/i.js": "a\n",
            "deep/__pycache__/z.py": "a = 1\n",
        },
    )
    for git in (False, True):
        if git:
            subprocess.run(["git", "init", "-q", str(root)], check=True)
        listed = {entry.path for entry in DirectorySource(root).entries() if entry.stat is not None}
        asked = Relevance(str(root), ())
        everything = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        files = {path for path in everything if not path.startswith(".git/")}
        said = {path for path in files if asked.any([path])}
        assert listed <= said
        left = {"out/gone.py", "secret/x.py", "sub/local/y.py"}
        assert said.isdisjoint(left | (set() if git else {"node_modules/m/i.js", "deep/__pycache__/z.py"}))
        assert Relevance(str(root), {"secret/x.py"}).any(["secret/x.py"])
        assert Relevance(str(root), {"secret/x.py"}).any(["secret"])
        assert [asked.any([f".git/{name}"]) for name in ("HEAD", "index", "index.lock", "objects/ab")] == [
            True,
            True,
            False,
            False,
        ]


def test_a_network_mount_is_polled(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        "23 22 0:40 / /home/me/far\\040away rw shared:1 - nfs4 server:/x rw\n"
    )
    assert "nfs4" in remote("/home/me/far away/project", str(table))
    assert remote("/home/me/project", str(table)) == ""
    assert remote(os.path.realpath(tmp_path)) == ""


def test_an_event_is_one_line() -> None:
    assert render.watched(Watched("gone", note="no\nfolder")).count("\n") == 1
