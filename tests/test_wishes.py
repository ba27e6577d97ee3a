"""What the words of a question do to its answer: marks it refuses, languages and kinds it names, filters alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import trigpoint
from planting import planted
from trigpoint import Engine
from trigpoint.model import Pack

TREE = {
    "src/mill.py": "class Mill:\n    def grind(self, grain):\n        return grain\n\n\ndef grind_mill(grain):\n    return Mill().grind(grain)\n",
    "src/mill.go": "package mill\n\nfunc GrindMill(grain int) int {\n\treturn grain\n}\n",
    "src/deep/nested.py": "def other(grain):\n    if grain:\n        return 1\n    return 2\n",
    "tests/test_mill.py": "from mill import grind_mill\n\n\ndef test_grind_mill():\n    assert grind_mill(1)\n",
    "schema.proto": 'syntax = "proto3";\nmessage Grain {}\n',
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = planted(tmp_path_factory.mktemp("works") / "mill", TREE)
    with trigpoint.open(root, cache_dir=str(tmp_path_factory.mktemp("cache"))) as opened:
        opened.index()
        yield opened


def paths(pack: Pack) -> list[str]:
    return list(dict.fromkeys(one.hit.chunk.path for one in pack.hits))


def test_files_that_are_not_wanted_do_not_come(engine: Engine) -> None:
    assert "tests/test_mill.py" in paths(engine.search("how does the mill grind"))
    assert "tests/test_mill.py" not in paths(engine.search("how does the mill grind, not in tests"))


def test_a_language_that_is_named_comes_first(engine: Engine) -> None:
    assert paths(engine.search("grinding of the mill in golang"))[0] == "src/mill.go"
    assert paths(engine.search("grinding of the mill in python"))[0] == "src/mill.py"


def test_a_kind_that_is_named_is_a_reason(engine: Engine) -> None:
    pack = engine.search("which function handles the grain")
    noted = {r.note for one in pack.hits for r in one.hit.evidence if r.name == "signal:named-kind"}
    assert noted <= {"function", "method"} and noted


def test_a_pattern_of_files_finds_them(engine: Engine) -> None:
    assert paths(engine.search("*.proto"))[0] == "schema.proto"
    assert set(paths(engine.search("src/*.go"))[:1]) == {"src/mill.go"}


def test_filters_alone_list_what_passes(engine: Engine) -> None:
    listed = engine.search("path:src")
    assert set(paths(listed)) == {"src/mill.py", "src/mill.go", "src/deep/nested.py"}
    assert listed.plan.endswith("listing")
    assert not listed.notes
    kinds = engine.search("kind:function lang:python -path:tests")
    assert [one.hit.name for one in kinds.hits] == ["other", "grind_mill"]
    assert paths(engine.search("name:GrindMill")) == ["src/mill.go"]
    assert paths(engine.search("complexity:>1 -path:tests")) == ["src/deep/nested.py"]
    assert not engine.search("path:nowhere").hits


def test_the_first_line_of_a_report_weighs_most(engine: Engine) -> None:
    asides = "pump valve gauge hose filter clamp " * 5
    first = engine.search(f"grind mill\n{asides}\nother nested")
    other = engine.search(f"other nested\n{asides}\ngrind mill")
    assert paths(first)[0] != paths(other)[0]
    assert paths(other)[0] == "src/deep/nested.py"


def test_bm25_counts_more_in_a_report(engine: Engine) -> None:
    asides = "pump valve gauge hose filter clamp " * 5
    short, long = "grind the mill", f"grind the mill\n{asides}"

    def reasons(question: str) -> set[str]:
        return {reason.name for one in engine.search(question).hits for reason in one.hit.evidence}

    assert "signal:report-bm25" in reasons(long)
    assert "signal:report-bm25" not in reasons(short)
