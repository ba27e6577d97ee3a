"""`trig doctor` with real damage: it finds it, says what it is, mends it, and never takes what it should leave."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cases_deeds import contents, index_of, tell_apart
from cases_runner import Trig
from planting import planted
from test_views import read_only
from trigpoint.stores.local import open_local
from trigpoint.stores.local.database import FORMAT, NAME

FILES = {
    f"pkg/m{n}.py": f"from pkg import m{n + 1}\n\n\ndef work_{n}():\n    return m{n + 1}.work_{n + 1}()\n"
    for n in range(12)
}


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    trig = Trig(planted(tmp_path / "garden", FILES))
    assert trig.ask("index").status == 0
    assert trig.ask("doctor").out == "the index is sound\n"
    return trig


def sql(index: Path, *statements: str) -> None:
    with sqlite3.connect(index / NAME) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()


def corrupt_page(index: Path) -> None:
    size = (index / NAME).stat().st_size
    with open(index / NAME, "r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(os.urandom(4096))


def no_head(index: Path) -> None:
    with open(index / NAME, "r+b") as file:
        file.write(os.urandom(100))


def truncated(index: Path) -> None:
    os.truncate(index / NAME, (index / NAME).stat().st_size * 2 // 3)


def empty(index: Path) -> None:
    os.truncate(index / NAME, 0)


def no_rows(index: Path) -> None:
    (index / NAME).unlink()


def torn_content(index: Path) -> None:
    sql(index, "UPDATE contents SET refs = substr(refs, 1, length(refs) - 3) WHERE file = 3")


def lost_rows(index: Path) -> None:
    sql(index, "DELETE FROM files WHERE id = 2")


def foreign_table(index: Path) -> None:
    sql(index, "CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM names; END")


def no_postings(index: Path) -> None:
    shutil.rmtree(index / "postings")


def torn_postings(index: Path) -> None:
    path = next((index / "postings").glob("*.idx"))
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    path.write_bytes(data)


def other_generation(index: Path) -> None:
    sql(index, "UPDATE meta SET value = '77' WHERE key = 'generation'")


def no_vectors(index: Path) -> None:
    shutil.rmtree(index / "vectors")


def no_edges(index: Path) -> None:
    sql(index, "DELETE FROM edges", "UPDATE meta SET value = '' WHERE key = 'user:linked'")


def stray_edges(index: Path) -> None:
    sql(index, "INSERT INTO edges VALUES (99 << 20, 1, 1, 0, 1, 100, 0)")


def leftovers(index: Path) -> None:
    (index / "import-abc").mkdir()
    (index / "damaged-abc").mkdir()
    (index / "vectors" / "codes.0").write_bytes(b"x" * 99)
    (index / "notes.txt").write_text("mine")


DAMAGES: dict[Callable[[Path], None], str] = {
    corrupt_page: "rows",
    no_head: "is damaged",
    truncated: "malformed",
    empty: "the rows are missing",
    no_rows: "the rows are missing",
    torn_content: "cannot be unpacked",
    lost_rows: "the files tell of",
    foreign_table: "tables that no version",
    no_postings: "the postings do not serve generation 1",
    torn_postings: "checksum",
    other_generation: "the postings do not serve generation 77",
    no_vectors: "the vectors are absent",
    no_edges: "the edges are stale",
    stray_edges: "leave files that are gone",
    leftovers: "left from a run",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_found_explained_and_mended(
    damage: Callable[[Path], None], trig: Trig, tmp_path: Path
) -> None:
    index = index_of(trig)
    before = contents(index)
    damage(index)
    found = trig.ask("doctor", "--json")
    assert found.status == 1, found
    assert any(DAMAGES[damage] in one for one in found.json["findings"]), found.json
    assert all("; " in one for one in found.json["findings"]), "each says what becomes of it"
    mended = trig.ask("doctor", "--repair", "--json")
    assert mended.status == 0 and mended.json["mended"] and not mended.json["left"], mended
    assert trig.ask("doctor").out == "the index is sound\n"
    assert set(trig.ask("status", "--json").json["views"].values()) == {"fresh"}
    tell_apart(contents(index), before)
    assert trig.ask("search", "--no-update", literal=("work_3",)).out.startswith("pkg/m3.py:")
    left = {path.name for path in index.iterdir()} - {"tree", "trees", "ranks.bin", "answers.log"}
    assert {name for name in left if not name.startswith(NAME)} == {"postings", "vectors", "writer.lock"} | (
        {"notes.txt"} if damage is leftovers else set()
    )


def test_damage_is_no_reason_to_lose_an_index_unasked(trig: Trig) -> None:
    """No other command than the doctor's repair replaces rows that are damaged."""
    index = index_of(trig)
    no_head(index)
    before = (index / NAME).read_bytes()
    for command in (("index",), ("search", "work_3"), ("status",), ("doctor",)):
        ran = trig.ask(*command)
        assert ran.status in (1, 2) and "doctor --repair" in ran.err + ran.out, ran
        assert "Traceback" not in ran.err
    assert (index / NAME).read_bytes() == before


def test_what_a_newer_version_or_another_program_made_is_left_alone(trig: Trig) -> None:
    index = index_of(trig)
    sql(index, f"PRAGMA user_version = {FORMAT + 1}")
    newer = (index / NAME).read_bytes()
    sql(index, f"PRAGMA user_version = {FORMAT}", "PRAGMA application_id = 77")
    foreign = (index / NAME).read_bytes()
    for data, words in ((newer, "update Trigpoint"), (foreign, "not an index of Trigpoint")):
        for side in ("-wal", "-shm"):
            (index / (NAME + side)).unlink(missing_ok=True)
        (index / NAME).write_bytes(data)
        for flags in ((), ("--repair",)):
            ran = trig.ask("doctor", *flags)
            assert ran.status == 1 and words in ran.out, ran
        assert trig.ask("index").status == 2
        assert trig.ask("index", "--full").status == 2
        assert (index / NAME).read_bytes() == data


def test_a_locked_index_is_left_alone(trig: Trig) -> None:
    index = index_of(trig)
    no_postings(index)
    (index / "import-abc").mkdir()
    with open_local(index, "fts5").writer():
        ran = trig.ask("doctor", "--repair")
        assert ran.status == 2 and "is writing the index" in ran.err, ran
        assert (index / "import-abc").exists(), "it may be at work"
    assert trig.ask("doctor", "--repair").status == 0


def test_a_stale_lock_holds_nobody_up(trig: Trig) -> None:
    """The lock ends with the process that holds it; what is left of it is a number in a file."""
    index = index_of(trig)
    code = f"""
import time
from pathlib import Path
from trigpoint.stores.local import open_local
with open_local(Path({str(index)!r})).writer():
    print("held", flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline()
    assert open_local(index).is_locked()
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    assert (index / "writer.lock").read_text().strip() == str(holder.pid)
    assert trig.ask("doctor").out == "the index is sound\n"
    began = time.monotonic()
    (trig.root / "new.py").write_text("def fresh(): pass\n")
    assert trig.ask("index", "--json").json["added"] == 1
    assert time.monotonic() - began < 20


def test_a_read_only_index_is_examined_and_left_alone(trig: Trig) -> None:
    index = index_of(trig)
    no_vectors(index)
    with read_only(trig, index):
        listing = sorted(str(path) for path in index.rglob("*"))
        found = trig.ask("doctor")
        assert found.status == 1 and "vectors are absent" in found.out
        ran = trig.ask("doctor", "--repair")
        assert ran.status == 2 and "cannot be written" in ran.err, ran
        assert sorted(str(path) for path in index.rglob("*")) == listing
        assert trig.ask("search", literal=("work_3",)).status == 0
    assert trig.ask("doctor", "--repair").status == 0


def test_a_repair_that_fails_puts_back_what_was_there(trig: Trig) -> None:
    """The tree cannot be listed: nothing takes the place of the damaged index, so it stays."""
    index = index_of(trig)
    foreign_table(index)
    before = contents(index)
    away = trig.root.with_name("away")
    trig.always = ("--index-dir", str(index))
    import trigpoint
    from trigpoint.errors import SourceError

    with trigpoint.open(trig.root, index_dir=str(index)) as project:
        trig.root.rename(away)
        with pytest.raises(SourceError):
            project.doctor(repair=True)
    away.rename(trig.root)
    assert contents(index) == before
    assert trig.ask("doctor", "--repair").status == 0


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from trigpoint.surfaces.cli import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs limits of the size of files")
@pytest.mark.parametrize("room", [1_000, 60_000])
def test_a_disk_without_room_costs_nothing(room: int, trig: Trig) -> None:
    """No file may grow beyond so many bytes: what was published before stays, in every command."""
    index = index_of(trig)
    before = contents(index)
    for n in range(25):
        (trig.root / f"big{n}.py").write_text("".join(f"def big_{n}_{k}(): return {k}\n" for k in range(90)))
    for command in (["index"], ["export", str(trig.root.with_name("x.trig"))], ["search", "work_3"]):
        line = [sys.executable, "-c", FULL, str(room), command[0], "--root", str(trig.root), *command[1:]]
        ran = subprocess.run(line, capture_output=True, text=True, check=False)
        assert ran.returncode == 2 or (command[0] == "search" and ran.returncode == 0), ran
        assert "Traceback" not in ran.stderr and ran.stderr.strip(), ran
        assert contents(index) == before, command
        assert not list(index.glob("import-*"))
    assert trig.ask("doctor", "--repair").status == 0
    assert trig.ask("index", "--json").json["files"] == 37
    assert trig.ask("doctor").out == "the index is sound\n"


@pytest.mark.skipif(not shutil.which("mount") or os.geteuid() != 0, reason="needs the right to mount")
def test_a_full_file_system_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=800k", "tmpfs", str(small)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        trig = Trig(planted(tmp_path / "garden", FILES))
        trig.always = ("--index-dir", str(small / "index"))
        assert trig.ask("index").status == 0
        before = contents(small / "index")
        for n in range(25):
            (trig.root / f"big{n}.py").write_text(
                "".join(f"def big_{n}_{k}(): return {k}\n" for k in range(120))
            )
        ran = trig.ask("index")
        assert ran.status == 2 and "Traceback" not in ran.err, ran
        assert contents(small / "index") == before
        found = trig.ask("search", literal=("work_3",))
        assert found.status == 0 and "Traceback" not in found.err
        assert subprocess.run(["mount", "-o", "remount,size=100m", str(small)], check=False).returncode == 0
        assert trig.ask("doctor", "--repair").status == 0
        assert trig.ask("index", "--json").json["files"] == 37
        assert trig.ask("doctor").out == "the index is sound\n"
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_where_nothing_is_indexed_nothing_is_called_sound(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    trig = Trig(tmp_path / "empty")
    trig.always = ("--index-dir", str(tmp_path / "index"))
    assert trig.ask("doctor").out == "nothing is indexed here, so nothing is wrong\n"


def test_whatever_becomes_of_the_files_of_the_word_index(trig: Trig, tmp_path: Path) -> None:
    """tantivy does not only raise where its files are damaged, it panics: no command may end by that."""
    index = index_of(trig)
    (trig.root / "pkg" / "m3.py").write_text("def work_3():\n    return 'changed'\n")
    assert trig.ask("index").status == 0  # something is deleted now
    sound = tmp_path / "sound"
    shutil.copytree(index, sound)
    names = sorted(path.name for path in (sound / "postings").iterdir() if path.suffix != ".lock")
    assert any(name.endswith(".del") for name in names)
    for number, name in enumerate(names):
        other = (sound / "postings" / names[number - 1]).read_bytes()
        for content in (other, b"\x07" * 3000, None):
            shutil.rmtree(index)
            shutil.copytree(sound, index)
            (index / "postings" / name).unlink()
            if content is not None:
                (index / "postings" / name).write_bytes(content)
            for command in (("status",), ("search", "work_3"), ("doctor",)):
                ran = trig.ask(*command)
                assert ran.status in (0, 1) and "Traceback" not in ran.err, (name, ran)
            trig.ask("doctor", "--repair")
            assert trig.ask("doctor").status == 0, name
            assert trig.ask("search", "--no-update", literal=("work_3",)).out.startswith("pkg/m3.py:")
