"""Every language: its tables fit its grammar, its sample gives the outline beside it, and nothing makes the walk stumble."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trigpoint.languages as languages
from outlines import expected, of_file
from trigpoint.indexing.grammar import load
from trigpoint.indexing.outline import outline
from trigpoint.model import MODULE, Outline

FOLDER = Path(languages.__file__).parent
SAMPLES = sorted(path for path in FOLDER.glob("*/sample*") if path.suffix not in (".outline", ".pyc"))
PARSED = [language.name for language in languages.registry().values() if language.level == "full"]
DEEP = 8000
UNWRITTEN = ("default", "Companion", "given_")
"""What a language calls an export, a companion object and a given that have no name."""


def name_of(sample: Path) -> str:
    return f"{sample.parent.name}/{sample.name}"


def read(sample: Path) -> tuple[bytes, str]:
    source = sample.read_bytes()
    return source, languages.detect(sample.name, source[:4096].decode())


@pytest.mark.parametrize("language", PARSED)
def test_the_tables_name_only_what_the_grammar_has(language: str) -> None:
    assert load(language).parser is not None


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_the_sample_has_the_outline_beside_it(sample: Path) -> None:
    assert of_file(sample) == expected(sample).read_text("utf-8")


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_a_symbol_lies_where_it_says(sample: Path) -> None:
    source, language = read(sample)
    lines = source.split(b"\n")
    found = outline(source, language)
    assert found.symbols
    for symbol in found.symbols:
        assert 1 <= symbol.start <= symbol.name_line <= symbol.end <= len(lines), symbol
        named = lines[symbol.name_line - 1][symbol.name_column :]
        written = symbol.name.isidentifier() and not symbol.name.startswith(UNWRITTEN)
        assert named.startswith(symbol.name.encode()) or not written, symbol
        if symbol.container != MODULE:
            outer = found.symbols[symbol.container]
            assert outer.start <= symbol.start and symbol.end <= outer.end, symbol
            assert symbol.qualified.startswith(outer.qualified + "."), symbol


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_windows_line_ends_change_no_line(sample: Path) -> None:
    source, language = read(sample)
    assert _places(outline(source.replace(b"\n", b"\r\n"), language)) == _places(outline(source, language))


def _places(found: Outline) -> list[tuple[str, int, int, int]]:
    return [(one.qualified, one.start, one.end, one.name_line) for one in found.symbols]


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_a_file_cut_anywhere_still_has_an_outline(sample: Path) -> None:
    source, language = read(sample)
    for part in range(1, 20):
        cut = outline(source[: len(source) * part // 20], language)
        assert all(one.start <= one.name_line <= one.end for one in cut.symbols)


@pytest.mark.parametrize("opening", ["(", "[", "{", "f(", "a.b(", "if (a) {", "x = (", "!", "<a>"])
@pytest.mark.parametrize("language", PARSED)
def test_nesting_is_no_danger(language: str, opening: str) -> None:
    assert isinstance(outline((opening * DEEP).encode(), language), Outline)


FORMS = [
    ("typescript", "export const x: {\n  (d: D): <A extends T>(self: A) => A\n  // a note\n\n  /** words */\n  <A extends T>(self: A): A\n} = f()\nexport const after = (z: Z): L<C> => g(z)\n", [("x", 1), ("after", 8)]),
    ("typescript", "interface Box<in out T> { get(): T }\nclass Last {}\n", [("Box", 1), ("get", 1), ("Last", 2)]),
    ("cpp", "class IOCP final : public Poller {\n public:\n  IOCP();\n};\nclass API_X Name : Base {};\n", [("IOCP", 1), ("IOCP", 3), ("Name", 5)]),
    ("cpp", "struct A {\n  ALWAYS_INLINE ~A() { f(); }\n};\nint after();\n", [("A", 1), ("~A", 2), ("after", 4)]),
    ("c", "#ifdef WIDE\nint f(long a) {\n#else\nint f(int a) {\n#endif\n  return a;\n}\nint g(void) { return 1; }\n", [("f", 2), ("g", 8)]),
    ("c", "int f(int a)\n{\n  if (a) {\n#ifdef X\n  } else if (b) {\n#endif\n    h();\n  }\n}\nint g(void) { return 1; }\n", [("f", 1), ("g", 10)]),
    ("bash", "f() {\n  if [[ $a =~ ^(\\$\\{[#!]?)([a-z]*)\\[([^]]*)$ ]]; then echo 1; fi\n}\ng() { :; }\n", [("f", 1), ("g", 4)]),
]  # fmt: skip
"""Text that a grammar stumbles over unless it is told not to, and what must still be found: name and line."""


@pytest.mark.parametrize(("language", "source", "wanted"), FORMS)
def test_what_a_grammar_stumbles_over_hides_no_definition(
    language: str, source: str, wanted: list[tuple[str, int]]
) -> None:
    found = [(one.name, one.name_line) for one in outline(source.encode(), language).symbols]
    assert [one for one in wanted if one not in found] == []
    named = {line for _, line in wanted}
    ends = {one.name_line: one.end for one in outline(source.encode(), language).symbols}
    assert max(ends[line] for line in named) == source.count("\n"), ends


@pytest.mark.parametrize("kind", ["extensions", "filenames", "shebangs"])
def test_what_tells_a_language_is_read_without_parsing_its_file(kind: str) -> None:
    told = [
        (sign, language.name)
        for language in languages.registry().values()
        for sign in getattr(language, kind)
    ]
    assert list(languages._signs(kind.encode())) == told


def test_a_language_is_parsed_when_it_is_asked_for() -> None:
    script = (
        "import sys\nfrom trigpoint.languages import detect, registry\n"
        "assert detect('a.py', '') == 'python' and detect('x', '#!/bin/sh') == 'bash'\nassert 'tomllib' not in sys.modules\n"
        "assert registry()['python'].title == 'Python' and len(registry()._parsed) == 1"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONPATH": os.pathsep.join(sys.path)}
        ).returncode
        == 0
    )
