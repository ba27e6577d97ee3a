"""`trig languages --check`: a language folder of one's own against its sample."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import trigpoint.languages as languages
from trigpoint.surfaces.cli import main

OURS = Path(languages.__file__).parent
TABLES = """name = "tiny"
title = "Tiny"
version = 1
level = "full"
extensions = [".tiny"]
grammar = "tree_sitter_python:language"
hooks = true
define_hook = ["class_definition"]
define = { function_definition = "function" }
"""
HOOKS = """from trigpoint.languages.tiny.words import KIND
from trigpoint.languages.syntax import Definition, text


def definition(node, src, inside):
    name = node.child_by_field_name("name")
    yield Definition(text(name, src), KIND, name, node.child_by_field_name("body"))
"""
SAMPLE = "class A:\n    def f(self):\n        pass\n"
EXPECTED = "symbols\n  record A 1-3@1 | class A\n  method A.f 2-3@2 cx=1 | def f(self)\n"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    for name, text in {
        "language.toml": TABLES,
        "hooks.py": HOOKS,
        "words.py": 'KIND = "record"\n',
        "__init__.py": "",
        "sample.tiny": SAMPLE,
        "sample.outline": EXPECTED,
    }.items():
        (folder / name).write_text(text)
    return folder


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["languages", "--check", *arguments])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_a_folder_that_fits_is_as_expected(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, str(tiny)) == (0, "sample.tiny: as expected, 2 symbols\n", "")


def test_what_differs_is_a_diff_and_status_1(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tiny / "sample.outline").write_text(EXPECTED.replace("2-3@2", "2-2@2"))
    status, out, _ = told(capsys, str(tiny))
    assert status == 1
    assert "-  method A.f 2-2@2 cx=1 | def f(self)\n+  method A.f 2-3@2 cx=1 | def f(self)\n" in out
    status, out, _ = told(capsys, str(tiny), "--json")
    assert status == 1 and json.loads(out)["checked"][0]["sample"] == "sample.tiny"


def test_a_sample_without_an_outline_shows_the_one_it_has(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tiny / "sample.outline").unlink()
    status, out, _ = told(capsys, str(tiny))
    assert status == 1 and "+  record A 1-3@1 | class A" in out


def test_a_folder_of_ours_passes_and_a_changed_copy_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, str(OURS / "javascript"))[0] == 0
    shutil.copytree(OURS / "zig", tmp_path / "zig2", ignore=shutil.ignore_patterns("__pycache__"))
    assert told(capsys, str(tmp_path / "zig2"))[0] == 0
    (tmp_path / "zig2" / "sample.zig").write_bytes(b"\n" + (OURS / "zig" / "sample.zig").read_bytes())
    assert told(capsys, str(tmp_path / "zig2"))[0] == 1


BAD = [
    ("language.toml", None, "no language.toml"),
    ("language.toml", "name = ", "language.toml: "),
    ("language.toml", TABLES.replace("title", "titel"), "lacks 'title'"),
    ("language.toml", TABLES.replace('"full"', '"fully"'), "level 'fully'"),
    ("language.toml", TABLES.replace("tree_sitter_python", "tree_sitter_pyhton"), "install the wheel"),
    (
        "language.toml",
        TABLES.replace("class_definition", "klass"),
        "'klass', which its grammar does not have",
    ),
    ("language.toml", TABLES.replace("grammar =", "gramar ="), "names no grammar"),
    ("hooks.py", "import nothing_of_that_name", "nothing_of_that_name"),
    ("hooks.py", "def definition(node, src, inside):\n    return 1 / 0\n", "ZeroDivisionError"),
    ("sample.tiny", None, "has no sample"),
]


@pytest.mark.parametrize(("file", "text", "words"), BAD)
def test_a_bad_folder_is_status_2_and_says_why(
    tiny: Path, capsys: pytest.CaptureFixture[str], file: str, text: str | None, words: str
) -> None:
    if text is None:
        (tiny / file).unlink()
    else:
        (tiny / file).write_text(text)
    status, out, err = told(capsys, str(tiny))
    assert (status, out) == (2, "") and words in err
