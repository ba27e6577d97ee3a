"""What every Source promises, checked on each implementer with the same trees."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from trigpoint.model import Level, SourceEntry
from trigpoint.ports import Source
from trigpoint.sources.directory import DirectorySource
from trigpoint.sources.memory import MemorySource
from trigpoint.sources.reasons import REASONS

Make = Callable[[Mapping[str, bytes]], Source]

TREE = {
    "zeta.py": b"def z():\n    return 1\n",
    "a/deep/er/one.go": b"package er\n",
    "a-b.txt": b"words\n",
    "a/b.ts": b"export const b = 1\r\n",
    "empty.py": b"",
    "cut.py": b"x = 1",
    "form\x0cfeed.py": b"a = 1\n\x0c\nb = 2\n",
    "odd/ sp ace/\xe9.py": b"def e(): pass\n",
    "vendor/lib/x.js": b"var x = 1\n",
    ".env": b"TOKEN=1\n",
    "picture.png": b"no matter",
    "nul.txt": b"a\0b",
    "latin.c": b"/* caf\xe9 */\nint x;\n",
    "app.min.js": b"function a(){}\n",
    "big.txt": b"x\n" * 600_000,
}


@pytest.fixture(params=["directory", "memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    def on_disk(files: Mapping[str, bytes]) -> Source:
        root = tmp_path / "tree"
        root.mkdir()
        for path, data in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        return DirectorySource(root)

    return on_disk if request.param == "directory" else MemorySource


def test_is_a_source(make: Make) -> None:
    source = make({})
    assert isinstance(source, Source)
    assert source.name
    assert list(source.entries()) == []


def test_lists_every_file_once_sorted_by_path(make: Make) -> None:
    paths = [entry.path for entry in make(TREE).entries()]
    assert paths == sorted(TREE)


def test_listing_twice_gives_the_same(make: Make) -> None:
    source = make(TREE)
    assert list(source.entries()) == list(source.entries())


def test_the_stamp_is_that_of_the_entries(make: Make) -> None:
    source = make(TREE)
    first, second = source.listing(), source.listing()
    assert first.stamp == second.stamp != ""
    assert list(first.entries()) == list(second.entries()) == list(source.entries())


def test_another_tree_has_another_stamp(tmp_path: Path) -> None:
    files = {"a.py": b"a = 1\n", "b.py": b"b = 1\n"}
    others = (
        {**files, "c.py": b""},
        {"a.py": files["a.py"]},
        {**files, "a.py": b"a = 2\n"},
        {"z.py": b"", **files},
    )
    stamps = {MemorySource(tree).listing().stamp for tree in (files, *others)}
    assert len(stamps) == 1 + len(others)
    stamps = set()
    for number, tree in enumerate((files, *others)):
        for path, data in tree.items():
            (tmp_path / path).write_bytes(data)
            os.utime(tmp_path / path, (number, number))
        stamps.add(DirectorySource(tmp_path).listing().stamp)
    (tmp_path / "a.py").unlink()
    stamps.add(DirectorySource(tmp_path).listing().stamp)
    assert len(stamps) == 2 + len(others)


def test_the_digest_is_that_of_the_file(make: Make) -> None:
    source = make(TREE)
    for entry in source.entries():
        if entry.refused is None:
            assert source.digest(entry) == source.read(entry).digest
    assert source.digest(SourceEntry("gone.py", None)) == ""


def test_reads_text_exactly_as_it_is(make: Make) -> None:
    source = make(TREE)
    read = {entry.path: source.read(entry) for entry in source.entries()}
    for path in ("zeta.py", "a/b.ts", "empty.py", "cut.py", "form\x0cfeed.py"):
        assert read[path].text == TREE[path].decode()
        assert read[path].outcome.level is Level.INDEXED
        assert read[path].encoding == "utf-8"
    assert read["latin.c"].text == "/* café */\nint x;\n"
    assert "guessed-encoding" in read["latin.c"].marks


def test_digest_and_size_are_of_the_bytes(make: Make) -> None:
    source = make(TREE)
    for entry in source.entries():
        file = source.read(entry)
        if entry.refused is None:
            assert (file.digest, file.size) == (sha256(TREE[entry.path]).hexdigest(), len(TREE[entry.path]))


def test_refused_files_have_a_reason_and_no_text(make: Make) -> None:
    source = make(TREE)
    entries = {entry.path: entry for entry in source.entries()}
    reasons = {path: entry.refused.reason for path, entry in entries.items() if entry.refused}
    assert reasons == {".env": "secrets", "picture.png": "binary", "big.txt": "too-large"}
    for path in reasons:
        file = source.read(entries[path])
        assert (file.text, file.language, file.outcome) == ("", "", entries[path].refused)


def test_what_is_not_fully_indexed_has_a_word_of_the_table(make: Make) -> None:
    source = make(TREE)
    read = [source.read(entry) for entry in source.entries()]
    odd = {file.path: file for file in read if file.outcome.level is not Level.INDEXED}
    assert set(odd) == {".env", "picture.png", "big.txt", "nul.txt", "app.min.js"}
    for file in odd.values():
        assert REASONS[file.outcome.reason][0] is file.outcome.level
        assert file.outcome.detail and file.text == ""
    assert odd["app.min.js"].outcome.level is Level.PARTIAL
    assert odd["app.min.js"].digest and odd["app.min.js"].language


def test_marks_of_the_entry_are_marks_of_the_file(make: Make) -> None:
    source = make(TREE)
    for entry in source.entries():
        assert entry.marks <= source.read(entry).marks
        assert ("vendored" in entry.marks) == entry.path.startswith("vendor/")


def test_a_file_that_is_gone_is_an_outcome(make: Make) -> None:
    file = make({}).read(SourceEntry("gone.py", None))
    assert (file.outcome.level, file.outcome.reason, file.text) == (Level.SKIPPED, "unreadable", "")
