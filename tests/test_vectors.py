"""The vectors of an index: what is embedded, what is kept, what is found."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from trigpoint.embedders.hashing import HashingEmbedder
from trigpoint.errors import ConfigError, ProviderError
from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.record import make_record
from trigpoint.model import Passage, SourceFile
from trigpoint.search.legs.vector import rank
from trigpoint.search.understand import understand
from trigpoint.stores.local import vector_health, vector_places, vector_writer, vectors
from trigpoint.stores.local.vector_places import Places
from trigpoint.stores.local.vector_view import open_vectors, state
from trigpoint.stores.local.vectors import FOLDER, Manifest, VectorTable
from trigpoint.stores.memory import MemoryStore

RETRY = "def retry_later(job):\n    '''Schedule a job again after a pause.'''\n    queue.push(job, delay=backoff(job.tries))\n"
PARSE = "def parse_config(text):\n    return dict(line.split('=') for line in text.splitlines())\n"
COLOUR = "class Palette:\n    def brightest(self):\n        return max(self.colours, key=luminance)\n"


class Counting(HashingEmbedder):
    """Tells how many passages it was asked for."""

    def __init__(self, dimensions: int = 64) -> None:
        super().__init__(dimensions)
        self.asked = 0

    def encode_documents(self, passages):
        self.asked += len(passages)
        return super().encode_documents(passages)


def record(path: str, text: str):
    digest = str(hash(text))
    return make_record(SourceFile(path, "python", digest, text, "utf-8", len(text)), ChunkLimits())


def put(store, texts: dict[str, str], gone: tuple[str, ...] = ()) -> None:
    with store.writer() as writer:
        writer.delete(gone)
        writer.put([record(path, text) for path, text in texts.items()])
        writer.publish()


def refreshed(folder: Path, store, embedder) -> Manifest:
    snapshot = store.snapshot()
    try:
        return vector_writer.refresh(folder / FOLDER, snapshot, embedder)
    finally:
        snapshot.close()


def found(folder: Path, store, embedder, question: str) -> list[str]:
    snapshot = store.snapshot()
    view = open_vectors(folder, embedder, snapshot.generation)
    assert view is not None
    hits = view.nearest(question, 5)
    paths = {one.id: one.path for one in snapshot.chunks([hit.chunk for hit in hits])}
    return [paths[hit.chunk] for hit in hits]


@pytest.fixture
def store():
    made = MemoryStore()
    put(made, {"a.py": RETRY, "lib/core/b.py": PARSE, "c.py": COLOUR})
    return made


def test_the_nearest_chunk_is_that_which_shares_the_words(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    assert found(tmp_path, store, embedder, "schedule a job again after a pause")[0] == "a.py"
    assert found(tmp_path, store, embedder, "brightest colours of the palette")[0] == "c.py"


def test_only_new_text_is_embedded(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    before = embedder.asked
    put(store, {"src/lib/core/b.py": PARSE, "c.py": COLOUR + "\nX = 1\n"}, gone=("lib/core/b.py",))
    refreshed(tmp_path, store, embedder)
    assert embedder.asked - before == 1
    assert found(tmp_path, store, embedder, "parse config text")[0] == "src/lib/core/b.py"
    put(store, {"c.py": COLOUR}, gone=("src/lib/core/b.py",))
    refreshed(tmp_path, store, embedder)
    assert embedder.asked - before == 1


def test_what_is_gone_is_not_found(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    put(store, {}, gone=("a.py",))
    refreshed(tmp_path, store, embedder)
    assert "a.py" not in found(tmp_path, store, embedder, "schedule a job again after a pause")


def test_the_same_text_twice_is_one_row_and_two_chunks(tmp_path, store):
    embedder = Counting()
    put(store, {"old/lib/core/b.py": PARSE})
    manifest = refreshed(tmp_path, store, embedder)
    assert manifest.rows == embedder.asked == 3
    assert sorted(found(tmp_path, store, embedder, "parse config text")[:2]) == [
        "lib/core/b.py",
        "old/lib/core/b.py",
    ]


def test_another_model_embeds_all_anew(tmp_path, store):
    refreshed(tmp_path, store, Counting())
    other = Counting(128)
    snapshot = store.snapshot()
    assert open_vectors(tmp_path, other, snapshot.generation) is None
    assert state(tmp_path, other, snapshot.generation) == "stale"
    manifest = refreshed(tmp_path, store, other)
    assert (other.asked, manifest.dimensions, manifest.rows) == (3, 128, 3)
    assert sorted(path.name.split(".")[0] for path in (tmp_path / FOLDER).iterdir()) == [
        "chunks",
        "codes",
        "keys",
        "manifest",
        "scales",
        "signs",
    ]


def test_a_former_generation_is_not_answered_from(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    put(store, {"d.py": PARSE + "# more\n"})
    assert open_vectors(tmp_path, embedder, store.snapshot().generation) is None


def test_within_scores_only_what_is_asked_for(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    snapshot = store.snapshot()
    view = open_vectors(tmp_path, embedder, snapshot.generation)
    hits = view.nearest("parse config", 3)
    assert view.within("parse config", [hits[1].chunk, 12345]) == {
        hits[1].chunk: pytest.approx(hits[1].score, abs=1e-5)
    }


def test_rows_behind_what_counts_are_cut_off(tmp_path, store):
    embedder = Counting()
    manifest = refreshed(tmp_path, store, embedder)
    with open(vectors.row_file(tmp_path / FOLDER, "codes", manifest.epoch), "ab") as file:
        file.write(b"left by a killed run")
    put(store, {"d.py": "def wholly_new_words():\n    return saxophone + trombone\n"})
    refreshed(tmp_path, store, embedder)
    assert found(tmp_path, store, embedder, "saxophone trombone")[0] == "d.py"


def test_an_unreadable_manifest_means_no_vectors_yet(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    (tmp_path / FOLDER / vectors.MANIFEST).write_text("{")
    assert open_vectors(tmp_path, embedder, store.snapshot().generation) is None
    refreshed(tmp_path, store, embedder)
    assert found(tmp_path, store, embedder, "parse config text")[0] == "lib/core/b.py"


@pytest.mark.parametrize(
    "answer",
    [
        np.zeros((2, 64), np.float32),
        np.zeros((3, 32), np.float32),
        np.full((3, 64), np.nan, np.float32),
        np.full((3, 64), 9.0, np.float32),
    ],
    ids=["count", "size", "not a number", "too long"],
)
def test_vectors_that_break_the_promise_are_refused(tmp_path, store, answer):
    class Broken(HashingEmbedder):
        def encode_documents(self, passages):
            return answer

    with pytest.raises(ProviderError, match="the embedder hashing gave"):
        refreshed(tmp_path, store, Broken())
    assert Manifest.read(tmp_path / FOLDER) is None


def test_compaction_keeps_what_is_used(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    put(store, {}, gone=("lib/core/b.py",))
    manifest = refreshed(tmp_path, store, embedder)
    smaller = vector_writer.compact(tmp_path / FOLDER, manifest)
    assert (smaller.rows, smaller.epoch) == (2, manifest.epoch + 1)
    assert found(tmp_path, store, embedder, "brightest colours of the palette")[0] == "c.py"


def table_of(folder: Path, rows: np.ndarray) -> VectorTable:
    """A table made of rows, without an index."""
    folder.mkdir(exist_ok=True)
    scales = np.abs(rows).max(1) / 127
    codes = np.rint(rows / scales[:, None]).astype(np.int8)
    columns = {"codes": codes, "scales": scales.astype(np.float32), "signs": vectors.packed(rows)}
    for kind, values in columns.items():
        vectors.row_file(folder, kind, 1).write_bytes(values.tobytes())
    count = len(rows)
    np.savez(
        folder / "chunks.npz",
        ids=np.arange(count),
        rows=np.arange(count),
        files=np.array([0]),
        digests=np.array(["x"]),
    )
    return VectorTable(folder, Manifest("test", rows.shape[1], 1, 1, count, "chunks.npz"))


def clustered(count: int) -> np.ndarray:
    dice = np.random.default_rng(5)
    centres = dice.standard_normal((300, 128), np.float32)
    rows = centres[dice.integers(0, 300, count)] + dice.standard_normal((count, 128), np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_search_by_signs_misses_little(tmp_path):
    table = table_of(tmp_path / "v", clustered(45_000))
    assert table.way == "signs"
    assert vector_writer.recall(table) >= 0.97


def test_the_depth_is_set_by_the_recall_that_it_gives(tmp_path):
    rows = clustered(41_000)
    near = table_of(tmp_path / "near", rows)
    made = vector_writer.findable(tmp_path / "near", near.manifest, "auto")
    assert made.recall >= vector_writer.ENOUGH
    assert made.measured == 41_000
    assert vector_writer.findable(tmp_path / "near", made, "auto") == made
    alike = np.random.default_rng(1).standard_normal((41_000, 128), np.float32)  # no row has a near neighbour
    alike /= np.linalg.norm(alike, axis=1, keepdims=True)
    hard = table_of(tmp_path / "hard", alike)
    deeper = vector_writer.findable(tmp_path / "hard", hard.manifest, "auto")
    assert deeper.depth > made.depth
    assert VectorTable(tmp_path / "hard", deeper).way == "signs"


def test_many_questions_are_answered_as_one_by_one(tmp_path):
    rows = clustered(3_000)
    table = table_of(tmp_path / "v", rows)
    for one, hits in zip(rows[:5], table.exact_many(rows[:5], 4), strict=True):
        assert [hit.chunk for hit in hits] == [hit.chunk for hit in table.exact(one, 4)]


@pytest.mark.parametrize(("search", "way"), [("auto", "exact"), ("exact", "exact"), ("signs", "signs")])
def test_the_way_to_search_is_a_setting(tmp_path, search, way):
    rows = clustered(5_000)
    table_of(tmp_path / "v", rows)
    table = VectorTable(tmp_path / "v", Manifest("test", 128, 1, 1, 5_000, "chunks.npz"), search)
    assert table.way == way
    assert table.nearest(rows[7], 3)[0].chunk == 7


def test_faiss_finds_what_is_near_and_what_came_later(tmp_path):
    pytest.importorskip("faiss", exc_type=ImportError)
    rows = clustered(20_000)
    folder = tmp_path / "v"
    made = vector_writer.findable(folder, table_of(folder, rows[:19_000]).manifest, "faiss")
    table_of(folder, rows)
    made = made._replace(rows=20_000)
    assert made.approximate == 19_000
    found = VectorTable(folder, made, "faiss")
    assert found.way == "faiss"
    assert vector_writer.recall(found) >= 0.97
    assert found.nearest(rows[19_500], 3)[0].chunk == 19_500
    assert (
        vector_writer.findable(folder, made, "faiss") == made
    )  # a twentieth more is no reason to build it anew
    whole = folder / f"faiss.1.{made.approximate}"
    whole.unlink()  # a reader has it mapped
    whole.write_bytes(b"cut")
    assert VectorTable(folder, made, "faiss").way == "signs"


def test_faiss_is_missed_by_name(tmp_path):
    if importlib.util.find_spec("faiss"):
        pytest.skip("the extra is installed")
    table = table_of(tmp_path / "v", clustered(500))
    with pytest.raises(ConfigError, match="faiss"):
        vector_writer.findable(tmp_path / "v", table.manifest, "faiss")


def test_a_filter_restricts_before_anything_is_scored(tmp_path, store):
    embedder = Counting()
    put(store, {f"many/f{n}.py": RETRY + f"\nX{n} = {n}\n" for n in range(30)})
    refreshed(tmp_path, store, embedder)
    snapshot = store.snapshot()
    view = open_vectors(tmp_path, embedder, snapshot.generation)
    query = understand("schedule a job again after a pause path:c.py")
    hits = rank(query, snapshot, view, 2)
    assert [one.path for one in snapshot.chunks([hit.chunk for hit in hits])] == ["c.py"]


def test_a_search_goes_on_over_what_it_has_open_while_rows_are_replaced(tmp_path, store):
    embedder = Counting()
    refreshed(tmp_path, store, embedder)
    old = open_vectors(tmp_path, embedder, store.snapshot().generation)
    before = old.nearest("parse config text", 3)
    put(store, {}, gone=("a.py",))
    manifest = refreshed(tmp_path, store, embedder)
    vector_writer.compact(tmp_path / FOLDER, manifest)
    old._known.clear()
    assert old.nearest("parse config text", 3) == before
    new = open_vectors(tmp_path, embedder, store.snapshot().generation)
    assert len(new.nearest("parse config text", 9)) == len(before) - 1


def test_the_manifest_is_json_with_its_format(tmp_path, store):
    refreshed(tmp_path, store, Counting())
    data = json.loads((tmp_path / FOLDER / vectors.MANIFEST).read_text())
    assert data["format"] == vectors.FORMAT
    assert Passage("a", "b") == ("a", "b")


@pytest.mark.parametrize("name", ["chunks.1.1", "chunks.1.1.npz"])
def test_which_chunk_has_which_row_is_one_file_that_tells_damage(tmp_path, name):
    numbers = [np.arange(size, dtype=np.int64) * step for size, step in ((5, 3), (5, 7), (2, 1), (2, 9))]
    path, places = tmp_path / name, Places(*numbers)
    if name.endswith(".npz"):  # as earlier versions wrote it: told by numbers that were never given twice
        np.savez(path, ids=places.ids, rows=places.rows, files=places.files, digests=np.array(["a", "b"]))
        places = places._replace(passages=places.files)
    else:
        vector_places.write(path, places)
    found = vector_places.read(path)
    assert all(np.array_equal(one, other) for one, other in zip(found, places, strict=True))
    assert not vector_places.is_damaged(path, deep=True)
    whole = path.read_bytes()
    at = len(whole) // 3
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert vector_places.is_damaged(path, deep=True)
    path.write_bytes(whole[:-9])
    assert vector_places.is_damaged(path, deep=False)
    with pytest.raises(Exception) as raised:
        vector_places.read(path)
    assert vector_health.unreadable(raised.value)
