"""Questions about structure through `search`: the graph column of the intent table, its packing modes, and the alias leg."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import trigpoint
from graphs import CLOCK
from linking import tree
from planting import planted
from trigpoint.model import Pack
from trigpoint.search import intents
from trigpoint.search.arrange import by_file, by_layer, by_walk
from trigpoint.search.intents import INTENTS, Way, intent_of
from trigpoint.search.subjects import DATA_FLOW, DEPENDENCIES, IMPACT, USAGES, subject
from trigpoint.search.understand import understand

MORE = """
    # hands.py
    import clock as ck
    from face import Face as Dial

    LIMIT = 3

    def turn(n):
        if n > LIMIT:
            return ck.top(n)
        return Dial(n).show()

    def wave():
        return turn(LIMIT) + turn(1)

    def idle():
        return None
"""

Ask = Callable[..., Pack]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Ask a small project, with columns of one row's way changed."""
    root = planted(tmp_path / "works", {**tree(CLOCK), **tree(MORE)})
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache"), chunk_min_tokens=1) as engine:
        engine.index()

        def ask(
            text: str, tier: str | None = None, packing: str = "", without: str = "", **columns: object
        ) -> Pack:
            rows = [
                row._replace(
                    walk=row.walk._replace(**columns) if row.walk else None,
                    packing=packing or row.packing,
                    legs=tuple(leg for leg in row.legs if leg[0] != without),
                )
                for row in INTENTS
            ]
            monkeypatch.setattr(intents, "INTENTS", tuple(rows))
            return engine.search(text, tier=tier)

        yield ask


def symbols(pack: Pack) -> list[str]:
    return [one.hit.symbol.symbol.qualified if one.hit.symbol else "" for one in pack.hits]


def walked(pack: Pack) -> list[tuple[str, int]]:
    """Path and line of the hits that the graph leg voted for."""
    return [
        (one.hit.chunk.path, one.hit.line)
        for one in pack.hits
        if any(r.name == "leg:graph" for r in one.hit.evidence)
    ]


STRUCTURE = {"usages", "impact", "dependencies", "data_flow", "tests", "overview"}


def test_rows_about_structure_walk_and_have_a_dozen_examples() -> None:
    rows = {row.name: row for row in INTENTS}
    assert {name for name, row in rows.items() if row.walk} >= STRUCTURE
    assert all(len(rows[name].examples) >= 12 for name in STRUCTURE)
    assert {row.name for row in INTENTS if row.subject} == {"usages", "impact", "dependencies", "data_flow"}


@pytest.mark.parametrize(
    ("text", "forms", "name"),
    [
        ("who calls parse_config?", USAGES, "parse_config"),
        ("Where is the `retry` function used?", USAGES, "retry"),
        ("find all usages of Parser.parse()", USAGES, "Parser.parse"),
        ("who calls open in store.py", USAGES, "store.py#open"),
        ("callers of ns::Type::run", USAGES, "ns::Type::run"),
        ("what breaks if I rename the Session class?", IMPACT, "Session"),
        ("what breaks if src/app/core.py changes", IMPACT, "src/app/core.py"),
        ("what does the open_valve function call?", DEPENDENCIES, "open_valve"),
        ("where is self.state set or read", DATA_FLOW, "self.state"),
        ("where is the rate limit for uploads used", USAGES, ""),
        ("what breaks if the database goes away", IMPACT, ""),
        ("who calls the police when it rains", USAGES, ""),
        ("how are retries scheduled", USAGES + IMPACT + DEPENDENCIES + DATA_FLOW, ""),
    ],
)
def test_the_subject_of_a_question(text: str, forms: tuple[str, ...], name: str) -> None:
    assert subject(text, forms) == name


@pytest.mark.parametrize(
    "text",
    [
        "how is the config parsed",
        "where is authentication handled",
        "what happens when an upload fails",
        "explain the cache",
    ],
)
def test_questions_about_concepts_stay_so(text: str) -> None:
    assert intent_of(understand(text)).name == "concept"


def test_a_subject_that_is_not_defined_here_makes_a_question_of_words(asked: Ask) -> None:
    assert asked("who calls nobody_at_all").intent == "concept"
    assert asked("who calls top").intent == "usages"


def test_usages_are_call_sites_code_before_tests(asked: Ask) -> None:
    pack = asked("who calls Face")
    assert walked(pack)[0] == ("face.py", 11)
    assert [path for path, _ in walked(pack)] == [
        "face.py",
        "hands.py",
        "tests/test_face.py",
        "hands.py",
        "tests/test_face.py",
    ]
    assert any("calls Face at 11" in r.note for r in pack.hits[0].hit.evidence)


def test_the_sites_column_makes_places_of_use_of_definitions(asked: Ask) -> None:
    assert ("hands.py", 8) in walked(asked("who calls top"))
    assert ("hands.py", 6) in walked(asked("who calls top", sites=False, kinds=("calls",)))


def test_the_kinds_column_bounds_the_edges(asked: Ask) -> None:
    assert walked(asked("who uses LIMIT")) == [("hands.py", 12)]
    assert walked(asked("who uses LIMIT", kinds=("inherits",))) == []


def test_the_direction_column_turns_the_walk(asked: Ask) -> None:
    assert symbols(asked("what does turn depend on", hops=1))[0] == "turn"
    assert "wave" not in symbols(asked("what does turn depend on", hops=1))
    assert "wave" in symbols(asked("what does turn depend on", hops=1, direction="backward"))
    both = symbols(asked("what does turn depend on", hops=1, direction="both"))
    assert {"wave", "top"} <= set(both)


def test_the_hops_column_says_how_far(asked: Ask) -> None:
    assert "left" not in symbols(asked("what does turn depend on", hops=1))
    assert "left" in symbols(asked("what does turn depend on", hops=2))
    assert "even" not in symbols(asked("what does turn depend on", hops=2))


def test_the_fan_column_cuts_hubs(asked: Ask) -> None:
    pack = asked("what does wave depend on", hops=2, fan=1)
    assert any("only the first 1" in note for note in pack.notes)
    assert not any("only the first" in note for note in asked("what does wave depend on", hops=2).notes)


def test_impact_goes_breadth_first_over_files(asked: Ask) -> None:
    paths = [path for path, _ in walked(asked("what breaks if even changes", hops=9))]
    assert paths[: len(set(paths))] == list(dict.fromkeys(paths))
    best = [path for path, _ in walked(asked("what breaks if even changes", hops=9, packing="depth first"))]
    assert best != paths


def test_dependencies_come_in_layers_and_the_subject_first(asked: Ask) -> None:
    pack = asked("what does wave depend on", hops=3)
    order = symbols(pack)
    assert order[0] == "wave"
    assert order.index("turn") < order.index("top") < order.index("left")


def test_call_sites_open_at_the_use(asked: Ask) -> None:
    (site,) = [one for one in asked("who calls turn").hits if one.hit.chunk.path == "hands.py"][:1]
    assert site.hit.line == 12
    window = site.window
    assert window is not None
    assert "turn(LIMIT)" in window.text


def test_tests_are_found_by_what_they_exercise(asked: Ask) -> None:
    pack = asked("tests for Face")
    assert pack.intent == "tests"
    assert "tests/test_face.py" in [path for path, _ in walked(pack)]
    assert walked(asked("tests for Face", kinds=("inherits",))) == []


def test_an_overview_is_a_map(asked: Ask) -> None:
    pack = asked("give me an overview")
    assert "leg:graph" in {r.name for one in pack.hits for r in one.hit.evidence}
    window = pack.hits[0].window
    assert window is not None
    assert "def top(n)" in window.text or "class Face" in window.text
    assert walked(asked("give me an overview", direction="backward")) == []


def test_fast_walks_nothing_and_says_so(asked: Ask) -> None:
    pack = asked("who calls top", tier="fast")
    assert walked(pack) == []
    assert "graph" not in pack.plan
    assert "graph" in asked("who calls top").plan


def test_what_is_unresolved_is_said(asked: Ask, tmp_path: Path) -> None:
    (tmp_path / "works" / "loose.py").write_text("def loose(thing):\n    return thing.turn(2)\n")
    assert any(
        "1 use of this name could not be resolved: loose.py:2" in note
        for note in asked("who calls turn").notes
    )


def test_an_alias_leads_to_what_it_means(asked: Ask) -> None:
    pack = asked("who calls Dial")
    assert pack.intent == "usages"
    assert ("face.py", 11) in walked(pack)
    hits = [one.hit for one in pack.hits if any(r.name == "leg:alias" for r in one.hit.evidence)]
    assert [hit.chunk.path for hit in hits] == ["face.py"]
    assert any("Dial is Face in hands.py:2" in r.note for r in hits[0].evidence)


def test_a_name_that_only_imports_bind_finds_the_definition(asked: Ask) -> None:
    pack = asked("Dial")
    assert pack.intent == "symbol"
    assert pack.hits[0].hit.chunk.path == "face.py"
    assert "face.py" not in [one.hit.chunk.path for one in asked("Dial", without="alias").hits]


class Place:
    def __init__(self, path: str) -> None:
        self.path = path


def test_the_orders() -> None:
    chunks = {1: Place("a"), 2: Place("a"), 3: Place("b"), 4: Place("c"), 5: Place("a")}
    hops = {2: 1, 1: 1, 3: 2}
    assert by_layer([4, 3, 1, 2], hops, chunks) == [1, 2, 3, 4]  # type: ignore[arg-type]
    assert by_walk([4, 3, 1, 2], hops, chunks) == [2, 1, 3, 4]  # type: ignore[arg-type]
    assert by_file([5, 4, 3, 1, 2], hops, chunks) == [2, 3, 1, 4, 5]  # type: ignore[arg-type]


def test_a_way_without_kinds_is_the_map() -> None:
    assert [row.name for row in INTENTS if row.walk == Way((), "rank")] == ["overview"]


def test_an_overview_is_drawn_from_kept_ranks(tmp_path: Path) -> None:
    root = planted(tmp_path / "works", tree(CLOCK))
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache")) as engine:
        first = engine.search("give me an overview")
    (kept,) = (tmp_path / "cache").rglob("ranks.bin")
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache")) as engine:
        assert [one.hit.chunk.path for one in engine.search("give me an overview").hits] == [
            one.hit.chunk.path for one in first.hits
        ]
    assert kept.exists()
