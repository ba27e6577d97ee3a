from hypothesis import given
from hypothesis import strategies as st

from answers import RETRY, pack, packed
from trigpoint.render import json
from trigpoint.render.fit import fit


def write(answer: object) -> str:
    return json.line(json.search(answer))


def test_what_fits_is_left_alone() -> None:
    answer = pack(packed(1, RETRY, 42), budget=100_000)
    assert fit(answer, write, len) == write(answer)


@given(st.integers(0, 12), st.integers(0, 8_000))
def test_the_whole_answer_keeps_to_its_budget(results: int, budget: int) -> None:
    answer = pack(*(packed(rank, RETRY, 42) for rank in range(1, results + 1)), budget=budget)
    shown = fit(answer, write, len)
    assert len(shown) <= max(budget, 700)  # an answer without any result has about 600 characters


def test_texts_go_before_results_and_the_notes_say_so() -> None:
    hits = [packed(rank, RETRY, 42) for rank in range(1, 4)]
    whole = len(write(pack(*hits)))
    shown = fit(pack(*hits, budget=whole - 100), write, len)
    assert shown.count('"rank"') == 3
    assert shown.count('"window":null') == 1
    assert "1 results have no text" in shown
    tiny = fit(pack(*hits, budget=whole // 2), write, len)
    assert 0 < tiny.count('"rank"') < 3
    assert "left out" in tiny
