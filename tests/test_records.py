"""Records that left the index are found again when their files are as they were, and never change an index."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import trigpoint
from equality import differences, everything
from planting import planted
from soak_trees import TEXTS, git
from trigpoint.engine import Engine
from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.record import make_record
from trigpoint.sources.directory import DirectorySource
from trigpoint.stores.local import open_local
from trigpoint.stores.local.encode import documents_of, encode
from trigpoint.stores.local.records import NAME, LocalRecords, count
from trigpoint.stores.local.trees import Limits

DAY = 86_400


def body(number: int) -> str:
    return (
        f"from m{number + 1} import go_{number + 1}\n\n\ndef go_{number}():\n    return go_{number + 1}()\n"
    )


SOURCES = Path(trigpoint.__file__).parent
SOME = {f"{kind}{number}.{kind}": text for kind, texts in TEXTS.items() for number, text in enumerate(texts)}
ODD = {
    "ünï/größe.py": "def größe():\n    '''日本語 the size'''\n    return 'ß'\n",
    "notes.ipynb": '{"cells": [{"cell_type": "code", "source": ["def cell():\\n", "    return 1"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "page.html": "<html><script>function go() { return 1; }</script></html>",
    "long.py": "def long():\n" + "".join(f"    value_{n} = {n}\n" for n in range(3_000)),
    "one_line.js": "var a = 1;" * 900,
    "empty.py": "",
    "\x01odd \\ name.py": "X = 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = planted(tmp_path / "tree", SOME | ODD)
    (made / "latin.py").write_bytes("# größer\nx = 1\n".encode("latin-1"))
    (made / "broken.txt").write_bytes(b"caf\xc3 \xed\xa0\x80 text\n")
    return made


@pytest.fixture
def engine(root: Path, tmp_path: Path) -> Iterator[Engine]:
    with opened(root, tmp_path / "index") as made:
        made.index()
        yield made


def opened(root: Path, index: Path, lexical: str = "tantivy", **more: object) -> Engine:
    return trigpoint.open(root, index_dir=str(index), lexical=lexical, workers=1, **more)


def change(root: Path, text: str = "\n# changed\n") -> None:
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            path.write_bytes(path.read_bytes() + text.encode())


def back(root: Path) -> None:
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            path.write_bytes(path.read_bytes().removesuffix(b"\n# changed\n"))


def check_equal(engine: Engine, tmp_path: Path) -> None:
    lexical, fresh = engine.settings.lexical, tmp_path / "fresh"
    settings = {"chunk_max_tokens": engine.settings.chunk_max_tokens}
    with opened(engine.root, fresh, lexical, **settings) as other:
        other.index()
    found = differences(everything(engine.settings.index_dir, lexical), everything(fresh, lexical))
    shutil.rmtree(fresh)
    assert not found, found
    assert engine.doctor() == ()


def test_a_record_from_the_rows_is_the_one_that_was_put(tmp_path: Path, root: Path) -> None:
    """Of files of many languages: all fields, the words of each chunk included."""
    for number, path in enumerate(sorted(SOURCES.rglob("sample.*"))):
        shutil.copyfile(path, root / f"{number}-{path.name}")
    source, limits = DirectorySource(root), ChunkLimits(400, 50)
    entries = [one for one in source.entries() if not one.refused]
    store = open_local(tmp_path / "index")
    made = {one.path: make_record(source.read(one), limits, one.stat) for one in entries}
    with store.writer() as writer:
        writer.put(made.values())
        writer.publish()
    before = store.snapshot()
    with store.writer(), store.records("settings") as records:
        records.keep(before, list(made))
        found = {one.path: records.find(one, lambda one=one: source.digest(one)) for one in entries}
    same = {path: encode(made[path]) for path in found}
    known = {path: one for path, one in found.items() if one is not None}
    worded = {
        path: (one._replace(documents=documents_of(one, path, range(len(one.chunks)))), digest)
        for path, (one, digest) in known.items()
    }
    assert worded == {path: (same[path], made[path].digest) for path in known}
    assert len(known) >= len(entries) - 3  # what was skipped, or what rows do not tell all of
    assert count(tmp_path / "index") == len(known)
    before.close()


@pytest.mark.parametrize("lexical", ["tantivy", "fts5"])
def test_what_is_as_it_was_is_not_read_again(root: Path, tmp_path: Path, lexical: str) -> None:
    with opened(root, tmp_path / "index", lexical) as engine:
        engine.index()
        change(root)
        assert engine.index().reused == 0
        back(root)
        report = engine.index()
        assert report.reused == report.modified > 25
        change(root)
        report = engine.index()
        assert report.reused == report.modified
        check_equal(engine, tmp_path)


def test_what_went_and_came_back(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / "py0.py").rename(root / "other.py")
    (root / "go0.go").unlink()
    assert engine.index().reused == 0
    (root / "other.py").rename(root / "py0.py")
    (root / "go0.go").write_text(SOME["go0.go"])
    assert engine.index().reused == 2
    check_equal(engine, tmp_path)


def test_a_small_switch_and_a_stash(engine: Engine, root: Path, tmp_path: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    git(root, "switch", "-qc", "side")
    (root / "py1.py").write_text("def elm():\n    pass\n")
    git(root, "commit", "-qam", "two")
    engine.index()
    (root / "py2.py").write_text("def oak():\n    pass\n")
    engine.index()
    for words in (["stash"], ["switch", "-q", "main"], ["switch", "-q", "side"], ["stash", "pop"]):
        assert git(root, *words)
        report = engine.index()
        assert report.reused == report.modified == 1, words
    check_equal(engine, tmp_path)


def test_settings_in_between(tmp_path: Path) -> None:
    """Records of other settings are not found; those of the same ones are, whatever lay between."""
    long = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(60))
    root, index = planted(tmp_path / "tree", {f"m{n}.py": long for n in range(5)}), tmp_path / "index"
    for tokens, reused in ((800, 0), (100, 0), (800, 5), (100, 5)):
        with opened(root, index, chunk_max_tokens=tokens) as engine:
            engine.index()  # other settings than before: all is read, by rights
            change(root)
            assert engine.index().reused == reused
            back(root)
            assert engine.index().reused == 5
    with opened(root, index, chunk_max_tokens=100) as engine:
        check_equal(engine, tmp_path)


def test_full_reads_every_file(engine: Engine, root: Path) -> None:
    change(root)
    engine.index()
    back(root)
    assert engine.index(full=True).reused == 0


def test_what_ignore_rules_take_out_is_not_kept(engine: Engine, root: Path) -> None:
    index = engine.settings.index_dir
    (root / "py0.py").write_text("password_hint = 1\n")
    engine.index()
    assert count(index) == 1  # what it was before
    (root / ".trigignore").write_text("py0.py\n")
    engine.index()
    assert count(index) == 0
    (root / "go0.go").unlink()
    engine.index()
    assert count(index) == 1


def test_what_was_never_in_the_index_is_not_kept(root: Path, tmp_path: Path) -> None:
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\n"
        + "MIIEowIBAAKCAQEA7bq8\n" * 20
        + "-----END RSA PRIVATE KEY-----\n"
    )
    (root / "deploy.pem").write_text(key)
    (root / "blob.bin").write_bytes(bytes(range(256)) * 9)
    with opened(root, tmp_path / "index") as engine:
        engine.index()
        (root / "deploy.pem").unlink()
        (root / "blob.bin").unlink()
        engine.index()
        assert count(tmp_path / "index") == 0


# the file itself


def test_old_ones_go_and_too_many_go(tmp_path: Path, root: Path) -> None:
    index, now = tmp_path / "index", time.time()
    with opened(root, index) as engine:
        engine.index()
        before = open_local(index).snapshot()
        paths = [row.path for row in before.files()]

        def kept(limits: Limits, at: float, some: list[str]) -> int:
            records = LocalRecords(index, limits, "s", at)
            records.keep(before, some)
            records.tidy()
            records.close()
            return count(index)

        assert kept(Limits(), now, paths) > 25
        size = (index / NAME).stat().st_size
        assert kept(Limits(days=30), now + 31 * DAY, []) == 0
        assert (index / NAME).stat().st_size < size / 2
        assert kept(Limits(), now, paths[:5]) == 5
        assert kept(Limits(days=30), now + 20 * DAY, paths[4:]) > 25
        assert kept(Limits(days=30), now + 40 * DAY, []) > 20  # the first four went, the fifth was used again
        everything_kept = count(index)
        assert kept(Limits(days=30), now - 300 * DAY, []) == everything_kept  # a clock that was set back
        some = kept(Limits(bytes=size // 2), now + 40 * DAY, [])
        assert 0 < some < everything_kept
        assert kept(Limits(bytes=size // 2), now + 40 * DAY, []) == some
        assert kept(Limits(days=0), now + 41 * DAY, []) == 0
        assert kept(Limits(bytes=0), now, paths) == 0
        assert not (index / NAME).exists()
        before.close()


def test_an_index_without_changes_lets_go_too(root: Path, tmp_path: Path) -> None:
    """What is kept grows old although nobody changes anything."""
    index = tmp_path / "index"
    with opened(root, index) as engine:
        engine.index()
        (root / "py0.py").write_text("x = 1\n")
        engine.index()
        engine.index()
        assert count(index) == 1
        with sqlite3.connect(index / NAME) as rows:
            rows.execute("UPDATE records SET used = used - ?", (31 * DAY,))
        rows.close()
        engine.index()
        assert count(index) == 0


def test_settings_say_how_much_is_kept(root: Path, tmp_path: Path) -> None:
    with opened(root, tmp_path / "index", records_megabytes=0) as engine:
        engine.index()
        change(root)
        engine.index()
        back(root)
        assert engine.index().reused == 0
        assert not (tmp_path / "index" / NAME).exists()


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def overwritten(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 500)


def of_another(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as rows:
        rows.execute("CREATE TABLE records (id INTEGER, thing TEXT)")
    rows.close()


def with_a_trigger(path: Path) -> None:
    with sqlite3.connect(path) as rows:
        rows.execute("CREATE TRIGGER evil AFTER UPDATE ON records BEGIN DELETE FROM records; END")
    rows.close()


def forged(path: Path) -> None:
    """Each record holds the rows and the text of another one."""
    with sqlite3.connect(path) as rows:
        some = rows.execute("SELECT rows, text, proof FROM records ORDER BY id").fetchall()
        for number, one in enumerate(some[1:] + some[:1]):
            rows.execute(
                "UPDATE records SET rows = ?, text = ?, proof = ? "
                "WHERE id = (SELECT id FROM records ORDER BY id LIMIT 1 OFFSET ?)",
                (*one, number),
            )
    rows.close()


def flipped(path: Path) -> None:
    """One byte of each page from the third on."""
    data = bytearray(path.read_bytes())
    for at in range(3 * 4096 + 2000, len(data), 4096):
        data[at] ^= 0x55
    path.write_bytes(data)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "mine").touch()


@pytest.mark.parametrize(
    "harm", [truncated, emptied, overwritten, of_another, with_a_trigger, forged, flipped, a_folder]
)
def test_a_damaged_or_foreign_file_costs_time_only(tmp_path: Path, harm) -> None:
    index, root = tmp_path / "index", planted(tmp_path / "tree", {f"m{n}.py": body(n) for n in range(20)})
    with opened(root, index) as engine:
        engine.index()
        change(root)
        engine.index()
    harm(index / NAME)
    with opened(root, index) as engine:
        back(root)
        report = engine.index()
        assert report.modified == 20
        change(root)
        assert engine.index().reused == (20 if harm is not a_folder else 0)
        check_equal(engine, tmp_path)


def test_an_export_leaves_them_out_and_clean_removes_them(engine: Engine, root: Path, tmp_path: Path) -> None:
    change(root, "\nzebra_that_went = 1\n")
    engine.index()
    (root / "py0.py").write_text("x = 1\n")
    engine.index()
    engine.export_index(tmp_path / "export.tar.gz")
    import tarfile

    with tarfile.open(tmp_path / "export.tar.gz") as archive:
        assert not [name for name in archive.getnames() if "records" in name]
    assert (engine.settings.index_dir / NAME).exists()
    engine.clean()
    assert not engine.settings.index_dir.exists()


def test_an_index_made_anew_by_the_doctor_reads_the_files(engine: Engine, root: Path, tmp_path: Path) -> None:
    change(root)
    engine.index()
    rows = engine.settings.index_dir / "trigpoint.sqlite3"
    engine.close()
    os.truncate(rows, 5000)
    assert engine.doctor(repair=True)
    check_equal(engine, tmp_path)


def test_status_and_doctor_know_them(engine: Engine, root: Path) -> None:
    index = engine.settings.index_dir
    assert engine.status().kept is None
    (root / "py0.py").write_text("x = 1\n")
    engine.index()
    kept = engine.status().kept
    assert kept is not None and (kept.trees, kept.records) == (0, 1) and kept.records_size > 4096
    assert engine.doctor() == ()
    overwritten(index / NAME)
    (found,) = engine.doctor()
    assert "records kept for later are of no use" in found
    engine.doctor(repair=True)
    assert not (index / NAME).exists() and engine.doctor() == ()
    assert engine.search("Base").hits
