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


def test_texts_are_cut_before_any_is_left_out_and_the_notes_say_so() -> None:
    hits = [packed(rank, RETRY, 42) for rank in range(1, 6)]
    whole = len(write(pack(*hits)))
    cut = fit(pack(*hits, budget=whole - 60), write, len)
    assert cut.count('"rank"') == 5
    assert cut.count('"window":{"start_line":42,"end_line":44,') == 5
    assert "tokens: texts are cut" in cut


def test_the_first_texts_outlive_the_last_results() -> None:
    hits = [packed(rank, RETRY, 42) for rank in range(1, 11)]
    whole = len(write(pack(*hits)))
    for share in (0.8, 0.6, 0.5):
        shown = fit(pack(*hits, budget=int(whole * share)), write, len)
        assert shown.count('"window":{') >= 3
    assert 3 <= shown.count('"rank"') < 10
    assert "left out" in shown
    tiny = fit(pack(*hits, budget=whole // 6), write, len)
    assert 0 < tiny.count('"rank"') < 3
