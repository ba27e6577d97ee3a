"""The parts of an index are independent: each is broken here for real, and the answers come from the others and say so."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import trigpoint
from cases_deeds import index_of
from cases_runner import Ran, Trig
from planting import planted
from trigpoint.indexing.run import Options, update
from trigpoint.sources.memory import MemorySource
from trigpoint.stores.local.database import NAME
from trigpoint.stores.memory import MemoryStore, MemoryWriter

FILES = {
    "kiln.py": "import clay\n\n\ndef fire_kiln(pot):\n    return clay.shape(pot)\n",
    "clay.py": 'def shape(pot):\n    """Turn a lump into a vessel."""\n    return pot\n',
    "glaze.py": "import kiln\n\n\ndef dip(pot):\n    return kiln.fire_kiln(pot)\n",
}


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    trig = Trig(planted(tmp_path / "pottery", FILES))
    assert trig.ask("index").status == 0
    return trig


def views(trig: Trig) -> tuple[dict[str, str], dict[str, str]]:
    found = trig.ask("status", "--json").json
    return found["views"], found["view_reasons"]


def answers(trig: Trig, *words: str) -> Ran:
    """A search that finds the kiln, whatever is broken."""
    ran = trig.ask("search", "--json", "--no-update", *words, literal=("fire_kiln",))
    assert ran.status == 0 and ran.json["results"][0]["path"] == "kiln.py", ran
    return ran


def test_whole_all_views_are_fresh_and_a_change_makes_them_stale(trig: Trig) -> None:
    assert views(trig) == (dict.fromkeys(("lexical", "symbols", "edges", "vectors"), "fresh"), {})
    (trig.root / "new.py").write_text("x = 1\n")
    states, reasons = views(trig)
    assert set(states.values()) == {"stale"} and "1 files have changed since" in reasons["lexical"]
    assert "lexical stale (1 files" in trig.ask("status").out


@pytest.mark.parametrize("how", ["scribbled", "cut", "no manifest", "empty manifest"])
def test_damaged_vectors_cost_meaning_alone(trig: Trig, how: str) -> None:
    folder = index_of(trig) / "vectors"
    chunks = next(folder.glob("chunks.*"))
    if how == "scribbled":
        data = bytearray(chunks.read_bytes())
        data[60:120] = os.urandom(60)
        chunks.write_bytes(data)
    elif how == "cut":
        os.truncate(folder / "codes.1", 10)
    elif how == "no manifest":
        chunks.unlink()
    else:
        (folder / "manifest.json").write_text("")
    notes = trig.ask("search", "--json", "--no-update", literal=("how is a lump turned into a vessel",)).json
    assert notes["results"][0]["path"] == "clay.py"
    assert any("answered by words alone" in note and "doctor" in note for note in notes["notes"]), notes[
        "notes"
    ]
    answers(trig)
    found, reasons = views(trig)
    assert [found[name] for name in ("lexical", "symbols", "edges")] == ["fresh"] * 3
    if how != "scribbled":  # which takes reading all of them
        assert found["vectors"] == "failed" and reasons["vectors"]
    assert trig.ask("doctor").status == 1
    assert trig.ask("doctor", "--repair").status == 0
    assert views(trig)[0]["vectors"] == "fresh"
    assert trig.ask("doctor").status == 0


def test_a_missing_model_costs_meaning_alone(trig: Trig, tmp_path: Path) -> None:
    """A copy of the package from which the model was lost."""
    package = Path(trigpoint.__file__).parent
    copy = tmp_path / "lib" / "trigpoint"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("static_model", "__pycache__", "sample.*"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    (trig.root / "wheel.py").write_text("def spin_wheel():\n    return 1\n")
    indexed = trig.spawn("index", "--json", env=env)
    assert indexed.status == 0 and "model static cannot be read" in indexed.json["note"]
    ran = trig.spawn("search", "--json", literal=("how is the wheel spun",), env=env)
    assert ran.json["results"][0]["path"] == "wheel.py"
    assert any("model static cannot be read" in note for note in ran.json["notes"])
    status = trig.spawn("status", "--json", env=env).json
    assert status["views"]["vectors"] == "failed" and "cannot be read" in status["view_reasons"]["vectors"]
    assert status["views"]["lexical"] == "fresh"
    assert trig.ask("index").status == 0  # the model is back
    assert views(trig)[0]["vectors"] == "fresh"


@contextmanager
def read_only(trig: Trig, index: Path) -> Iterator[None]:
    """The index can be read and not written, root or not."""
    if os.geteuid() == 0:
        command = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
        if not shutil.which("setpriv") or subprocess.run([*command, "true"], check=False).returncode:
            pytest.skip("needs an unprivileged user, and there is no setpriv")
        trig.through = command
    subprocess.run(["chmod", "-R", "a-w", str(index)], check=True)
    try:
        yield
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(index)], check=True)
        trig.through = ()


@pytest.mark.parametrize("how", ["no postings", "scribbled"])
def test_a_broken_word_index_costs_the_words_alone(trig: Trig, how: str) -> None:
    """Where it can be mended it is, unasked: it is made of the rows. Here nothing may be written."""
    index = index_of(trig)
    postings = index / "postings"
    for path in list(postings.iterdir()):
        if how == "no postings":
            path.unlink()
        elif path.suffix in (".term", ".idx", ".store"):
            path.write_bytes(os.urandom(path.stat().st_size))
    with read_only(trig, index):
        ran = answers(trig)
        assert any("without the word index" in note for note in ran.json["notes"]), ran.json["notes"]
        found, reasons = views(trig)
        assert found["lexical"] == "failed" and "postings" in reasons["lexical"]
        assert [found[name] for name in ("symbols", "edges", "vectors")] == ["fresh"] * 3
        assert trig.ask("callers", "--no-update", literal=("shape",)).out.startswith("kiln.py:5:")
        assert trig.ask("outline", "--no-update", literal=("kiln.py",)).status == 0
    answers(trig)
    assert trig.ask("doctor", "--repair").status == 0
    assert views(trig)[0]["lexical"] == "fresh"


def scribble(trig: Trig, *names: str) -> None:
    """Random bytes over the first page of tables or indexes."""
    path = index_of(trig) / NAME
    with sqlite3.connect(path) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        pages = [
            connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0]
            for name in names
        ]
    connection.close()
    with open(path, "r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(os.urandom(size))


def test_damaged_edges_cost_the_walks_alone(trig: Trig) -> None:
    scribble(trig, "edges", "edges_target")
    ran = answers(trig)
    assert any("edges" in note for note in ran.json["notes"])
    states, reasons = views(trig)
    assert states["edges"] == "failed" and "damaged" in reasons["edges"]
    assert [states[name] for name in ("lexical", "symbols", "vectors")] == ["fresh"] * 3
    walk = trig.ask("callers", "--no-update", literal=("shape",))
    assert walk.status == 2 and "Traceback" not in walk.err
    assert trig.ask("doctor", "--repair").status == 0
    assert trig.ask("callers", "--no-update", literal=("shape",)).out.startswith("kiln.py:5:")


def test_damaged_names_cost_the_symbols_alone(trig: Trig) -> None:
    scribble(trig, "name_words", "names_folded")
    ran = trig.ask("search", "--json", "--no-update", literal=("lump vessel",))
    assert ran.json["results"][0]["path"] == "clay.py", ran
    assert any("symbols" in note for note in ran.json["notes"]), ran.json["notes"]
    states, _ = views(trig)
    assert states == {"lexical": "fresh", "symbols": "failed", "edges": "fresh", "vectors": "fresh"}
    assert trig.ask("doctor", "--repair").status == 0
    assert set(views(trig)[0].values()) == {"fresh"}


class Unlinkable(MemoryStore):
    """Its writer cannot show what linking reads."""

    broken = True

    @contextmanager
    def writer(
        self, wait_seconds: float = 60.0, base: Callable[..., str] | None = None
    ) -> Iterator[MemoryWriter]:
        with super().writer(wait_seconds) as writer:
            yield _Blind(self) if self.broken else writer


class _Blind(MemoryWriter):
    """Fails who reads first, which is the linking; the digests of folders are read after it."""

    failed = False

    def reading(self):  # type: ignore[no-untyped-def]
        if self.failed:
            return super().reading()
        self.failed = True
        raise RuntimeError("no such luck")


def test_a_fault_in_linking_as_a_whole_costs_the_edges_alone() -> None:
    store = Unlinkable()
    report = update(MemorySource(FILES), store, Options())
    assert (report.files, report.symbols) == (3, 3)
    snapshot = store.snapshot()
    assert snapshot.meta("linked") == "" and "no such luck" in snapshot.meta("link_fault")
    assert list(snapshot.edges()) == [] and snapshot.symbols_named("shape")
    store.broken = False
    update(MemorySource(FILES), store, Options())
    after = store.snapshot()
    assert after.meta("link_fault") == "" and len(list(after.edges())) >= 2
