"""A changed file is brought up to date in place: what is the same keeps its number, its words and its vector."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from equality import differences, everything
from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.record import make_record
from trigpoint.model import FileRecord, SourceFile
from trigpoint.ports import Snapshot
from trigpoint.stores.local import LocalStore, open_local
from trigpoint.stores.local.database import NAME
from trigpoint.stores.local.encode import encode
from trigpoint.stores.local.keys import SHIFT
from trigpoint.stores.local.renewal import Change, renewal
from trigpoint.stores.samples import fill, found, sample

LIMITS = ChunkLimits(60, 5)
NAMES = ("lamp", "wick", "glass", "flame", "shade", "cord", "plug", "stand")


def written(names: tuple[str, ...], extra: str = "") -> str:
    bodies = [
        f"    total = sum(range({len(name) * 7}))\n    return call_{name}(total, {name!r}) * 2\n"
        for name in names
    ]
    return extra + "".join(
        f"def {name}(first, second):\n{body}\n\n" for name, body in zip(names, bodies, strict=True)
    )


def record(path: str, text: str) -> FileRecord:
    return make_record(SourceFile(path, "python", str(hash(text)), text, "utf-8", len(text)), LIMITS)


def put(store: LocalStore, *records: FileRecord) -> None:
    with store.writer() as writer:
        writer.put_encoded(map(store.encoder([one.path for one in records]), records))
        writer.publish()


def changed(store: LocalStore, one: FileRecord) -> Change:
    """What putting a record would write."""
    snapshot = store.snapshot()
    file = snapshot.file(one.path)
    assert file is not None
    return renewal(snapshot.connection, file.id, encode(one))


@pytest.fixture(params=["tantivy", "fts5"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "index", lexical=request.param)


def seen(snapshot: Snapshot, path: str = "a.py") -> dict[str, int]:
    """The chunks of a file: digest and number."""
    return {one.chunk.digest: one.id for one in snapshot.chunks_of(path)}


def test_what_is_the_same_keeps_its_number_and_its_words(store: LocalStore) -> None:
    put(store, record("a.py", written(NAMES)), record("b.py", written(NAMES[:2])))
    before, longer = store.snapshot(), record("a.py", written(NAMES) + "X = 1\n")
    change = changed(store, longer)
    put(store, longer)
    after = store.snapshot()
    old, new = seen(before), seen(after)
    same = old.keys() & new.keys()
    assert len(same) >= 4
    assert {digest: old[digest] for digest in same} == {digest: new[digest] for digest in same}
    base = change.file << SHIFT
    assert {base + at for at in change.worded} == {new[digest] for digest in new.keys() - same}
    assert set(change.unworded) == {old[digest] for digest in old.keys() - same}
    assert before.passages()[change.file] != after.passages()[change.file]


def test_the_same_again_writes_nothing(store: LocalStore) -> None:
    put(store, record("a.py", written(NAMES)))
    change = changed(store, record("a.py", written(NAMES)))
    assert not any(change[2:])


def test_lines_that_move_are_written_and_words_are_not(store: LocalStore) -> None:
    text = written(NAMES, "import os\n" * 30)
    put(store, record("a.py", text))
    lines = {one.symbol.name: one.symbol.start for one in store.snapshot().symbols_of("a.py")}
    moved = record("a.py", text.replace("import os\n", "import os\nimport io\n", 1))
    change = changed(store, moved)
    assert 0 < len(change.worded) < len(moved.chunks) == len(change.chunks)
    assert (len(change.symbols), len(change.moved), change.targets) == (0, len(NAMES), {})
    put(store, moved)
    now = {one.symbol.name: one.symbol.start for one in store.snapshot().symbols_of("a.py")}
    assert now == {name: line + 1 for name, line in lines.items()}
    assert found(store.snapshot(), "call_flame")[0] == f"a.py:{now['flame']}"


def test_a_name_that_changes_is_among_the_words_of_each_chunk_that_has_it(store: LocalStore) -> None:
    """The text of a chunk may stay while the class around it gets another name."""
    body = "".join(f"    def {name}(self):\n        return call_{name}(self, 1) + 2\n\n" for name in NAMES)
    put(store, record("a.py", "class Harbour:\n" + body))
    assert found(store.snapshot(), "harbour", limit=50)
    put(store, record("a.py", "class Haven:\n" + body))
    assert not found(store.snapshot(), "harbour", limit=50)
    assert len(found(store.snapshot(), "haven", limit=50)) == len(seen(store.snapshot()))


@pytest.mark.parametrize("seed", range(4))
def test_any_changes_give_what_a_fresh_index_holds(store: LocalStore, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    lexical = store._lexical

    def some() -> str:
        return written(
            tuple(chance.sample(NAMES, chance.randint(0, 8))), "import os\n" * chance.randint(0, 3)
        )

    texts = {f"{number}.py": some() for number in range(6)}
    for _ in range(6):
        changed = chance.sample(sorted(texts), chance.randint(1, 4))
        texts |= {path: some() for path in changed}
        gone = [path for path in sorted(texts) if path not in changed and chance.random() < 0.1]
        with store.writer() as writer:
            encode = store.encoder([path for path in changed if chance.random() < 0.8])
            writer.delete(gone)
            writer.put_encoded(encode(record(path, texts[path])) for path in [*changed, *changed[:1]])
            writer.publish()
        texts = {path: text for path, text in texts.items() if path not in gone}
    with store.writer() as writer:
        writer.put([record(path, text) for path, text in texts.items()])
        writer.publish()
    store.close()
    fill(open_local(tmp_path / "fresh", lexical), *(record(path, text) for path, text in texts.items()))
    assert not differences(everything(tmp_path / "index", lexical), everything(tmp_path / "fresh", lexical))
    assert list(open_local(tmp_path / "index", lexical).check()) == []


@pytest.mark.parametrize("many", [1, 1_100])
def test_words_are_never_those_of_another_generation(tmp_path: Path, many: int) -> None:
    """The postings hold both for a while, under one number: at once and after the next publication each reader finds its own."""
    store = LocalStore(tmp_path / "index")
    fill(store, *(sample(f"{number}.py", "amber", "steady") for number in range(many)))
    before = store.snapshot()
    fill(store, *(sample(f"{number}.py", "birch", "steady") for number in range(many)))
    middle = store.snapshot()
    fill(store, sample("0.py", "cedar", "steady"))
    after, limit = store.snapshot(), 2 * many + 10
    for snapshot, word, count in (
        (before, "amber", many),
        (middle, "birch", many),
        (after, "birch", many - 1),
    ):
        assert len(found(snapshot, word, limit=limit)) == count
        assert len(found(snapshot, "steady", limit=limit)) == many
    assert found(after, "cedar") == ["0.py:2"]
    for snapshot, words in ((before, "birch cedar"), (middle, "amber cedar"), (after, "amber")):
        assert not found(snapshot, words)
    assert list(store.check()) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from trigpoint.stores.local import LocalStore
from trigpoint.stores.samples import sample
def die(frame, event, told):
    if event == "c_return" and told.__name__ == "commit":
        os.kill(os.getpid(), signal.SIGKILL)
with LocalStore(Path(sys.argv[1])).writer() as writer:
    writer.put([sample("a.py", "birch", "steady")])
    sys.setprofile(die)
    writer.publish()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_writer_killed_between_words_and_rows(tmp_path: Path) -> None:
    store = LocalStore(tmp_path / "index")
    fill(store, sample("a.py", "amber", "steady"), sample("b.py", "steady"))
    fill(store, sample("b.py", "steady", "brass"))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path / "index"], env={"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    assert done.returncode == -signal.SIGKILL
    for _ in range(2):
        snapshot = LocalStore(tmp_path / "index").snapshot()
        assert found(snapshot, "amber brass", limit=9) == ["a.py:2", "b.py:4"]
        assert not found(snapshot, "birch")
        assert len(found(snapshot, "steady")) == 2
        fill(store, sample("c.py", "cedar"))
    assert list(store.check()) == []


def test_postings_made_anew_outlive_a_publication_that_is_undone(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    fill(LocalStore(folder), sample("a.py", "amber"))
    with LocalStore(folder).writer() as writer:
        writer.rebuild()
        writer.put([sample("b.py", "birch")])
        writer._postings.prepare(2)  # and the rows are rolled back, as when it is killed here
    fill(LocalStore(folder), sample("c.py", "cedar"))
    assert found(LocalStore(folder).snapshot(), "amber") == ["a.py:2"]
    assert not found(LocalStore(folder).snapshot(), "birch")


def test_an_index_of_the_former_format_is_taken_over(tmp_path: Path) -> None:
    fill(LocalStore(tmp_path), sample("a.py", "amber"))
    rows = sqlite3.connect(tmp_path / NAME)
    rows.executescript(
        "ALTER TABLE files DROP COLUMN passages; DROP TABLE graves; CREATE TABLE graves (file INTEGER PRIMARY KEY);"
        "PRAGMA user_version = 2"
    )
    rows.close()
    assert found(LocalStore(tmp_path).snapshot(), "amber") == ["a.py:2"]
    fill(LocalStore(tmp_path), sample("a.py", "birch"), sample("b.py", "cedar"))
    snapshot = LocalStore(tmp_path).snapshot()
    assert (found(snapshot, "amber"), found(snapshot, "birch")) == ([], ["a.py:2"])
    assert len(set(snapshot.passages().values())) == 2
