"""A few hundred broken texts of every language; `benchmarks/languages/fuzz.py` runs as many as one likes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "benchmarks" / "languages"))

from fuzz import faults, run, seeds

from trigpoint.indexing.formats.table import FORMATS
from trigpoint.indexing.record import outline_of


def test_broken_text_breaks_nothing() -> None:
    texts = seeds((), set())
    for name in FORMATS:
        texts.setdefault(name, [b"# a\nb: {c = 'd'}\n<p id='x'>e</p>\n* f\n"])
    assert [(language, wrong) for language, _, wrong in run(300, 7, texts)] == []


def test_a_range_outside_the_file_is_seen() -> None:
    found = outline_of("def f():\n    pass\n", "python")
    moved = found._replace(symbols=(found.symbols[0]._replace(end=9),))
    assert next(faults("def f():\n    pass\n", found), "") == ""
    assert next(faults("def f():\n    pass\n", moved), "").startswith("lines of")


def test_a_name_that_the_parser_made_up_is_none() -> None:
    for source, language in (
        ('extern "C" {\n    fn c(dept|: i32) -> i32;\n}\n', "rust"),
        ("static const unsigned char qp_class[] = {", "elixir"),
    ):
        found = outline_of(source, language)
        assert all(one.name for one in found.bindings if one.kind != "return")
