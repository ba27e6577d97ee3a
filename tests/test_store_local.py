"""The embedded store beyond the common suite: crashes, damage, read-only folders, rebuilding, cold start."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time

import pytest

from trigpoint.errors import ConfigError, StoreDamagedError, StoreError, StoreFormatError, StoreLockedError
from trigpoint.model import Filters
from trigpoint.stores.local import open_local, remove
from trigpoint.stores.local.database import FORMAT, NAME
from trigpoint.stores.samples import fill, found, sample
from trigpoint.text.identifiers import query_terms

KINDS = pytest.mark.parametrize("kind", ["tantivy", "fts5"])
unix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and permissions")

WRITE_FOR_EVER = """
import sys
from pathlib import Path
from trigpoint.stores.samples import sample
from trigpoint.stores.local import open_local
number = 0
with open_local(Path(sys.argv[1]), sys.argv[2]).writer(30.0) as writer:
    while True:
        number += 1
        writer.put([sample(f"f{n % 40}.py", f"turn{n}", "steady") for n in range(number, number + 5)])
        if number % 2:
            writer.publish()
        print(number, flush=True)
"""


@unix
@KINDS
def test_a_killed_writer_leaves_a_whole_generation(tmp_path, kind):
    folder = tmp_path / "index"
    fill(open_local(folder, kind), sample("first.py", "alpha", "steady"))
    generation = 1
    for trial in range(4):
        writing = subprocess.Popen(
            [sys.executable, "-c", WRITE_FOR_EVER, folder, kind], stdout=subprocess.PIPE
        )
        for _ in range(trial * 2 + 1):
            writing.stdout.readline()
        time.sleep(0.004 * trial)
        writing.kill()
        writing.wait()
        writing.stdout.close()
        snapshot = open_local(folder, kind).snapshot()
        assert snapshot.generation >= generation
        generation = snapshot.generation
        assert found(snapshot, "alpha") == ["first.py:2"]
        assert len(found(snapshot, "steady", limit=100)) == snapshot.counts()["files"]
        snapshot.close()
        fill(open_local(folder, kind), sample("next.py", "steady"))
        assert list(open_local(folder, kind).check()) == []
        assert (
            len(found(open_local(folder, kind).snapshot(), "steady", limit=100))
            == (open_local(folder, kind).snapshot().counts()["files"])
        )


@pytest.mark.parametrize(("first", "second"), [("tantivy", "fts5"), ("fts5", "tantivy")])
def test_postings_that_do_not_fit_are_rebuilt_from_the_rows(tmp_path, first, second):
    fill(open_local(tmp_path, first), sample("a.py", "parseUrl"), sample("b.py", "other"))
    assert found(open_local(tmp_path, second).snapshot(), "parse") == ["a.py:2"]
    fill(open_local(tmp_path, second), sample("c.py", "parse_it"))
    snapshot = open_local(tmp_path, first).snapshot()
    assert sorted(found(snapshot, "parse")) == ["a.py:2", "c.py:2"]
    assert list(open_local(tmp_path, first).check()) == []


@pytest.mark.parametrize("damage", ["gone", "older", "scribbled"])
def test_lost_or_older_tantivy_postings_are_found_by_check_and_mended(tmp_path, damage):
    folder = tmp_path / "index"
    fill(open_local(folder), sample("a.py", "alpha"))
    shutil.copytree(folder / "postings", tmp_path / "older")
    fill(open_local(folder), sample("b.py", "beta"))
    if damage == "scribbled":
        (folder / "postings" / "meta.json").write_text("{")
    else:
        shutil.rmtree(folder / "postings")
    if damage == "older":
        shutil.copytree(tmp_path / "older", folder / "postings")
    assert list(open_local(folder).check()) == ["the postings do not serve generation 2"]
    assert list(open_local(folder).repair()) == ["the postings were rebuilt for generation 2"]
    assert list(open_local(folder).check()) == []
    assert found(open_local(folder).snapshot(), "beta alpha") != []
    assert list(open_local(folder).repair()) == []


def test_a_rebuilt_index_ranks_like_the_first(tmp_path):
    records = [
        sample(f"src/m{n}.py", f"getThing{n}", "shared_name", body="return parse(thing)") for n in range(30)
    ]
    fill(open_local(tmp_path), *records)
    terms = query_terms(["thing", "parsing"], ["getThing7"])
    before = open_local(tmp_path).snapshot().lexical(terms, 40, Filters())
    shutil.rmtree(tmp_path / "postings")
    after = open_local(tmp_path).snapshot().lexical(terms, 40, Filters())
    assert [(hit.chunk, round(hit.score, 4)) for hit in before] == [
        (hit.chunk, round(hit.score, 4)) for hit in after
    ]


def test_a_newer_format_and_foreign_files_are_refused_and_left_alone(tmp_path):
    fill(open_local(tmp_path / "new"), sample("a.py", "alpha"))
    with sqlite3.connect(tmp_path / "new" / NAME) as connection:
        connection.execute(f"PRAGMA user_version={FORMAT + 1}")
    connection.close()
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk" / NAME).write_bytes(b"not a database at all" * 200)
    for folder, error in (("new", StoreFormatError), ("junk", StoreDamagedError)):
        before = (tmp_path / folder / NAME).read_bytes()
        store = open_local(tmp_path / folder)
        with pytest.raises(error) as raised:
            store.snapshot()
        assert raised.value.hint
        with pytest.raises(error), store.writer(1.0):
            pass
        assert len(store.check()) == 1
        assert (tmp_path / folder / NAME).read_bytes() == before


def test_torn_rows_are_an_error_with_a_hint(tmp_path):
    fill(open_local(tmp_path), *(sample(f"a{n}.py", f"name{n}") for n in range(200)))
    data = bytearray((tmp_path / NAME).read_bytes())
    data[4096 * 3 : -4096] = os.urandom(len(data) - 4096 * 4)
    (tmp_path / NAME).write_bytes(data)
    assert open_local(tmp_path).check()
    with pytest.raises(StoreError) as raised:
        snapshot = open_local(tmp_path).snapshot()
        list(snapshot.files())
        found(snapshot, "name7")
    assert raised.value.hint
    assert (tmp_path / NAME).read_bytes() == data


def test_the_writer_that_has_to_wait_is_told_who_writes(tmp_path):
    told = pytest.raises(StoreLockedError, match=str(os.getpid()))
    with open_local(tmp_path).writer(1.0), told, open_local(tmp_path).writer(0.1):
        pass
    with open_local(tmp_path).writer(0.0):
        assert open_local(tmp_path).is_locked()
    assert not open_local(tmp_path).is_locked()


READ_ONLY = """
import os, sys, tempfile
from pathlib import Path
from trigpoint.errors import StoreError
from trigpoint.stores.samples import fill, found, sample
from trigpoint.stores.local import open_local
with tempfile.TemporaryDirectory() as folder:  # import everything while the files of Python can be read
    fill(open_local(Path(folder), sys.argv[2]), sample("a.py", "alpha"))
    found(open_local(Path(folder), sys.argv[2]).snapshot(), "alpha")
os.setgroups([]); os.setgid(65534); os.setuid(65534)
store = open_local(Path(sys.argv[1]), sys.argv[2])
snapshot = store.snapshot()
assert found(snapshot, "alpha") == ["a.py:2"], found(snapshot, "alpha")
assert snapshot.symbols_named("alpha") and not store.check()
try:
    with store.writer(0.1) as writer:
        pass
except StoreError as error:
    print(error.message)
"""


@unix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to become nobody")
@pytest.mark.parametrize("leftovers", [False, True])
@KINDS
def test_a_folder_that_cannot_be_written_is_still_read(tmp_path, kind, leftovers):
    folder = tmp_path / "index"
    fill(open_local(folder, kind), sample("a.py", "alpha"))
    if leftovers:
        open_local(folder, kind).snapshot().close()
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o555 if place.is_dir() else 0o444)
    for parent in (tmp_path, *list(tmp_path.parents)[:2]):
        parent.chmod(0o755)
    listing = sorted(path.name for path in folder.rglob("*"))
    source = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, folder, kind],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": source},
    )
    assert done.returncode == 0, done.stderr
    assert "cannot be written" in done.stdout
    assert sorted(path.name for path in folder.rglob("*")) == listing


def test_removing_takes_only_what_is_ours(tmp_path):
    fill(open_local(tmp_path / "one"), sample("a.py", "alpha"))
    fill(open_local(tmp_path / "two"), sample("a.py", "alpha"))
    (tmp_path / "two" / "notes.txt").write_text("mine")
    with open_local(tmp_path / "one").writer(1.0), pytest.raises(StoreLockedError):
        remove(tmp_path / "one")
    assert remove(tmp_path / "three") == ()
    assert remove(tmp_path / "one") == (str(tmp_path / "one"),)
    assert not (tmp_path / "one").exists()
    assert remove(tmp_path, nested=True) == (str(tmp_path / "two"),)
    assert [path.name for path in (tmp_path / "two").iterdir()] == ["notes.txt"]


def test_an_unknown_lexical_index_is_a_setting_error(tmp_path):
    with pytest.raises(ConfigError):
        open_local(tmp_path, "grep")


QUERY = """
import sys
from pathlib import Path
from trigpoint.model import Filters
from trigpoint.stores.local import open_local
from trigpoint.text.identifiers import query_terms
snapshot = open_local(Path(sys.argv[1]), sys.argv[2]).snapshot()
hits = snapshot.lexical(query_terms(["alpha", "things"], ["parseUrl"]), 20, Filters())
assert snapshot.chunks([hit.chunk for hit in hits])
heavy = {"numpy", "tree_sitter", "toktok", "importlib.resources", "asyncio"} & set(sys.modules)
assert not heavy, heavy
"""


@KINDS
def test_a_query_in_a_fresh_process_imports_nothing_heavy(tmp_path, kind):
    fill(open_local(tmp_path, kind), sample("a.py", "alpha"))
    source = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", QUERY, tmp_path, kind],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": source},
    )
    assert done.returncode == 0, done.stderr
