"""Fusion, signals and saturation: pure, on a handful of candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.model import MODULE, Chunk, Evidence, Scored, StoredChunk
from trigpoint.search.fuse import fuse
from trigpoint.search.ranking import Candidates, Vote
from trigpoint.search.saturate import saturate
from trigpoint.search.signals import SIGNALS, Facts, apply
from trigpoint.search.understand import understand
from trigpoint.search.words import Words, alike, name_share, path_share


def stored(number: int, path: str, **over: object) -> StoredChunk:
    kept = {"marks": frozenset(), "qualified": "", "kind": "function", "digest": str(number), **over}
    chunk = Chunk(number, number + 5, "function", MODULE, (), path, "text", 1, str(kept["digest"]))
    name = str(kept["qualified"]).rpartition(".")[2]
    return StoredChunk(
        number, path, "python", kept["marks"], chunk, name, str(kept["qualified"]), str(kept["kind"]), 1, ""
    )


def state(question: str, *chunks: StoredChunk) -> Candidates:
    return Candidates(understand(question), {one.id: one for one in chunks}, {one.id: [] for one in chunks})


def words(question: str) -> Words:
    query = understand(question)
    idf = dict.fromkeys(query.words, 1.0)
    return Words(idf, frozenset(query.words), float(len(idf)))


def signalled(candidates: Candidates, question: str, **facts: object) -> dict[int, dict[str, float]]:
    given = {"lexical": {}, "files": {}, "defines": {}, "words": words(question), **facts}
    apply(candidates, Facts(query=understand(question), **given), SIGNALS)
    return {chunk: {one.name: one.value for one in reasons} for chunk, reasons in candidates.evidence.items()}


def test_the_best_of_a_fusion_is_one_and_every_vote_is_named() -> None:
    fused = fuse(
        [Vote("lexical", 1.0, (Scored(1, 9.0), Scored(2, 8.0))), Vote("symbol", 0.5, (Scored(2, 1.0),))]
    )
    assert sum(one.value for one in fused[2]) == pytest.approx(1.0)
    assert [one.name for one in fused[2]] == ["leg:lexical", "leg:symbol"]
    assert sum(one.value for one in fused[1]) < 1.0


def test_a_leg_has_one_vote_a_chunk_and_the_first_stays() -> None:
    twice = fuse([Vote("lexical", 1.0, (Scored(1, 9.0), Scored(2, 8.0), Scored(1, 99.0)))])
    assert [one.note for one in twice[1]] == ["lexical #1"]


@given(st.lists(st.integers(0, 30), unique=True, max_size=30), st.integers(1, 500))
def test_one_ranking_keeps_its_order_through_fusion(order: list[int], k: int) -> None:
    fused = fuse([Vote("lexical", 1.0, tuple(Scored(one, 1.0) for one in order))], k)
    assert sorted(fused, key=lambda one: -sum(e.value for e in fused[one])) == order


def test_a_score_is_the_sum_of_its_reasons() -> None:
    candidates = state("pump", stored(1, "a.py"))
    candidates.add(1, "leg:lexical", 0.75)
    candidates.add(1, "signal:role", -0.25)
    candidates.add(1, "signal:nothing", 0.0)
    assert candidates.evidence[1] == [Evidence("leg:lexical", 0.75), Evidence("signal:role", -0.25)]
    assert candidates.score(1) == 0.5


def test_a_test_stands_back_unless_it_is_asked_for() -> None:
    for question, stands_back in (("how is the pump primed", True), ("which test checks the pump", False)):
        candidates = state(question, stored(1, "test_pump.py", marks=frozenset({"test"})))
        candidates.evidence[1].append(Evidence("leg:lexical", 1.0))
        assert ("signal:role" in signalled(candidates, question)[1]) is stands_back


def test_a_header_stands_back_only_beside_its_implementation() -> None:
    alone = state("pump", stored(1, "pump.h"))
    beside = state("pump", stored(1, "pump.h"), stored(2, "pump.c"))
    for candidates in (alone, beside):
        candidates.evidence[1].append(Evidence("leg:lexical", 1.0))
    assert "signal:header" not in signalled(alone, "pump")[1]
    assert signalled(beside, "pump")[1]["signal:header"] < 0


def test_an_older_version_stands_back_unless_it_is_named() -> None:
    for question, stands_back in (("pump schema", True), ("pump schema of v1", False)):
        candidates = state(question, stored(1, "src/v1/pump.ts"), stored(2, "src/v2/pump.ts"))
        candidates.evidence[1].append(Evidence("leg:lexical", 1.0))
        assert ("signal:older-version" in signalled(candidates, question)[1]) is stands_back


def test_a_definition_counts_by_its_kind() -> None:
    candidates = state("pump", stored(1, "a.py", kind="class"), stored(2, "b.py", kind="field"))
    found = signalled(candidates, "pump", defines={1: 1.0, 2: 1.0})
    assert found[1]["signal:definition"] > found[2]["signal:definition"] > 0


def test_files_agree_by_the_sum_of_their_chunks() -> None:
    candidates = state("pump", stored(1, "a.py"), stored(2, "a.py"), stored(3, "b.py"))
    found = signalled(candidates, "pump", lexical={1: 1.0, 2: 1.0, 3: 1.5})
    assert found[1]["signal:file-bm25"] > found[3]["signal:file-bm25"]


def test_a_written_path_counts_most() -> None:
    candidates = state("pump", stored(1, "a.py"), stored(2, "b.py"))
    assert signalled(candidates, "pump", files={"a.py": 2.0})[1]["signal:written-path"] == 1.5


@pytest.mark.parametrize(
    ("first", "second", "likeness"),
    [
        ("pump", "pump", 1.0),
        ("config", "configur", 0.9),
        ("resolv", "resolut", 0.6),
        ("go", "gopher", 0.0),
        ("cat", "dog", 0.0),
    ],
)
def test_stems_are_alike_by_their_beginning(first: str, second: str, likeness: float) -> None:
    assert alike(first, second) == alike(second, first) == likeness


def test_a_file_is_named_by_its_folder_when_its_own_name_says_nothing() -> None:
    asked = words("pump")
    assert path_share("pump/index.js", asked)[0] > path_share("valve/index.js", asked)[0] == 0
    assert path_share("lib/pump.py", asked)[0] > path_share("pump/other.py", asked)[0] > 0


def test_a_name_is_covered_whole_by_adjacent_words() -> None:
    asked = Words({"doc": 1.0, "book": 1.0}, frozenset({"docbook"}), 2.0)
    assert name_share("DocBook", asked) == 1.0


def test_copies_share_a_place_and_a_file_does_not_fill_the_list() -> None:
    chunks = [stored(n, "a.py") for n in range(1, 5)] + [stored(9, "b.py"), stored(10, "c.py", digest="9")]
    candidates = state("pump", *chunks)
    for n, one in enumerate(chunks):
        candidates.add(one.id, "leg:lexical", 1.0 - n / 100)
    order, copies = saturate(candidates, 3, 0.3)
    assert order[:2] == [1, 9]
    assert copies == {9: ("c.py",)}
