"""An index travels as one file: checked part by part, taken only where it fits, never at the cost of the one that is there."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sqlite3
import subprocess
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cases_deeds import contents, index_of, tell_apart
from cases_runner import Trig
from planting import planted
from trigpoint.stores.local import portable
from trigpoint.stores.local.vectors import Manifest

FILES = {
    f"pkg/m{n}.py": f"from pkg import m{n + 1}\n\n\ndef work_{n}():\n    return m{n + 1}.work_{n + 1}()\n"
    for n in range(8)
}


@pytest.fixture
def ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    """A tree on another machine, indexed and exported."""
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    trig = Trig(planted(tmp_path / "ci", FILES))
    done = trig.ask("export", str(tmp_path / "index.trig"), "--json")
    assert done.status == 0, done
    return trig


@pytest.fixture
def export(ci: Trig) -> Path:
    return ci.root.with_name("index.trig")


@pytest.fixture
def laptop(ci: Trig, tmp_path: Path) -> Trig:
    """The same tree here, not indexed."""
    return Trig(planted(tmp_path / "laptop", FILES))


def members(export: Path) -> dict[str, bytes]:
    with tarfile.open(export) as archive:
        return {one.name: archive.extractfile(one).read() for one in archive.getmembers()}  # type: ignore[union-attr]


def packed(target: Path, parts: dict[str, bytes]) -> Path:
    with tarfile.open(target, "w:gz") as archive:
        for name, content in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return target


def resealed(export: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """An export with other content whose digests are right."""
    parts = members(export)
    manifest = portable.Manifest.read(parts.pop(portable.MANIFEST))
    change(parts)
    from hashlib import sha256

    told = tuple(portable.Part(name, len(data), sha256(data).hexdigest()) for name, data in parts.items())
    return packed(target, {portable.MANIFEST: manifest._replace(parts=told).written(), **parts})


def test_what_ci_built_is_what_a_laptop_would_build(
    ci: Trig, export: Path, laptop: Trig, tmp_path: Path
) -> None:
    (laptop.root / "pkg" / "m3.py").write_text("def other():\n    return 1\n")
    ran = laptop.ask("import", str(export), "--json")
    assert ran.status == 0, ran
    assert (ran.json["files"], ran.json["same"], ran.json["report"]["modified"]) == (8, 7, 1)
    assert laptop.ask("doctor").status == 0
    assert laptop.ask("status", "--json").json["views"]["vectors"] == "fresh"
    fresh = Trig(laptop.root)
    fresh.always = ("--index-dir", str(tmp_path / "fresh"))
    assert fresh.ask("index").status == 0
    tell_apart(contents(index_of(laptop)), contents(tmp_path / "fresh"))
    for words in ("work_5", "how is work done"):
        here = laptop.ask("search", "--json", "--no-update", literal=(words,)).json["results"]
        there = fresh.ask("search", "--json", "--no-update", literal=(words,)).json["results"]
        assert [row["path"] for row in here] == [row["path"] for row in there]


def test_two_exports_of_one_index_are_the_same_bytes_and_tell_nothing_of_the_machine(
    ci: Trig, export: Path
) -> None:
    again = export.with_name("again.trig")
    ran = ci.ask("export", str(again), "--json")
    assert again.read_bytes() == export.read_bytes()
    from hashlib import sha256

    assert ran.json["digest"] == sha256(again.read_bytes()).hexdigest()
    whole = gzip.decompress(export.read_bytes())
    assert str(ci.root).encode() not in whole
    rows = export.with_name("rows")
    rows.write_bytes(members(export)["trigpoint.sqlite3"])
    with sqlite3.connect(rows) as connection:
        assert connection.execute("SELECT count(*) FROM files WHERE stat != ''").fetchone() == (0,)
    connection.close()


def test_every_damage_is_seen_and_costs_nothing(ci: Trig, export: Path, laptop: Trig) -> None:
    assert laptop.ask("index").status == 0
    before = contents(index_of(laptop))
    data = export.read_bytes()
    bad = export.with_name("bad.trig")
    for at in range(0, len(data), len(data) // 12):
        bad.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        ran = laptop.ask("import", str(bad))
        assert (ran.status, ran.err.count("\n")) == (2, 2), (at, ran)
    for size in (0, 100, len(data) // 2, len(data) - 2000):
        bad.write_bytes(data[:size])
        assert laptop.ask("import", str(bad)).status == 2
    assert laptop.ask("import", str(export.with_name("nowhere"))).status == 2
    assert contents(index_of(laptop)) == before
    assert not list(index_of(laptop).glob("import-*"))


def test_what_is_sealed_well_but_foreign_is_refused(ci: Trig, export: Path, laptop: Trig) -> None:
    bad = export.with_name("bad.trig")

    def trigger(parts: dict[str, bytes]) -> None:
        rows = export.with_name("rows")
        rows.write_bytes(parts["trigpoint.sqlite3"])
        with sqlite3.connect(rows) as connection:
            connection.execute("CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM files; END")
        connection.close()
        parts["trigpoint.sqlite3"] = rows.read_bytes()

    def outside(parts: dict[str, bytes]) -> None:
        parts["../../evil"] = b"x"

    def unasked(parts: dict[str, bytes]) -> None:
        parts["notes.txt"] = b"x"

    for change in (trigger, outside, unasked, lambda parts: parts.pop("trigpoint.sqlite3")):
        resealed(export, bad, change)
        assert laptop.ask("import", str(bad)).status == 2
    manifest = json.loads(members(export)[portable.MANIFEST])
    newer = packed(bad, {portable.MANIFEST: json.dumps({**manifest, "format": 99}).encode()})
    ran = laptop.ask("import", str(newer))
    assert ran.status == 2 and "format 99" in ran.err and "update Trigpoint" in ran.err
    assert not (export.parent.parent / "evil").exists()
    assert laptop.ask("status", "--json").json["state"] == "absent"
    assert not index_of(laptop).exists()


def test_it_is_taken_only_where_it_fits(ci: Trig, export: Path, tmp_path: Path, laptop: Trig) -> None:
    other = Trig(planted(tmp_path / "other", {f"x{n}.py": f"def x{n}(): pass\n" for n in range(5)}))
    ran = other.ask("import", str(export))
    assert ran.status == 2 and "only 0 of" in ran.err
    assert not index_of(other).exists()
    forced = other.ask("import", str(export), "--force", "--json")
    assert (
        forced.status == 0 and forced.json["report"]["added"] == 5 and forced.json["report"]["deleted"] == 8
    )
    assert other.ask("doctor").status == 0
    assert laptop.ask("import", str(export), "--exact").status == 0
    (laptop.root / "pkg" / "m0.py").write_text("def other(): pass\n")
    exact = laptop.ask("import", str(export), "--exact")
    assert exact.status == 2 and "1 of 8 files" in exact.err
    settings = laptop.ask("import", str(export), "--set", "chunk.max_tokens=300")
    assert settings.status == 2 and "other settings" in settings.err


def test_a_reader_keeps_what_it_sees_while_an_import_replaces_it(
    ci: Trig, export: Path, laptop: Trig
) -> None:
    import trigpoint

    (laptop.root / "extra.py").write_text("def extra(): pass\n")
    with trigpoint.open(laptop.root) as project:
        project.index()
        with project._snapshot() as snapshot:
            generation = snapshot.generation
            assert laptop.ask("import", str(export)).status == 0
            assert snapshot.generation == generation
            assert snapshot.file("extra.py") is not None
        assert project.search("extra").hits
        assert project.status().generation > generation


def test_a_file_that_is_no_export_is_not_overwritten(ci: Trig) -> None:
    source = ci.root / "pkg" / "m0.py"
    before = source.read_text()
    ran = ci.ask("export", str(source))
    assert ran.status == 2 and source.read_text() == before
    assert ci.ask("export", str(ci.root / "no" / "such" / "folder" / "x")).status == 2
    assert ci.ask("export", str(ci.root)).status == 2


def test_killed_at_any_moment_an_import_leaves_an_index(ci: Trig, export: Path, laptop: Trig) -> None:
    (laptop.root / "mine.py").write_text("def mine(): pass\n")
    assert laptop.ask("index").status == 0
    for seconds in (0.15, 0.2, 0.25, 0.3, 0.35):
        running = subprocess.Popen(laptop.line("import", str(export)), stderr=subprocess.PIPE)
        time.sleep(seconds)
        running.kill()
        running.communicate(timeout=60)
        assert laptop.ask("status").status == 0
        assert laptop.ask("search", literal=("work_3",)).status == 0
    assert laptop.ask("doctor", "--repair").status == 0
    assert laptop.ask("doctor").status == 0
    assert laptop.ask("symbol", "--no-update", literal=("mine",)).status == 0


def test_vectors_of_another_model_are_made_anew(ci: Trig, export: Path, laptop: Trig) -> None:
    bad = export.with_name("bad.trig")

    def model(parts: dict[str, bytes]) -> None:
        manifest = json.loads(parts["vectors/manifest.json"])
        parts["vectors/manifest.json"] = json.dumps({**manifest, "fingerprint": "other"}).encode()

    assert laptop.ask("import", str(resealed(export, bad, model))).status == 0
    assert laptop.ask("status", "--json").json["views"]["vectors"] == "fresh"
    found = Manifest.read(index_of(laptop) / "vectors")
    assert found is not None and found.fingerprint != "other"
    shutil.rmtree(index_of(laptop) / "vectors")
    without = laptop.ask("export", str(export.with_name("without.trig")), "--no-update")
    assert without.status == 0
    assert not [name for name in members(export.with_name("without.trig")) if name.startswith("vectors")]
