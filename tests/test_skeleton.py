"""A chunk that is cut keeps its signature and the lines that answer, names what is left out, and stays in its budget."""

from hypothesis import given
from hypothesis import strategies as st

from trigpoint.model import Span, Window
from trigpoint.render.fit import _shorter_skeleton
from trigpoint.search.skeleton import Cut, matches_by_line, skeleton
from trigpoint.text.stems import stem


def count(texts):  # a token a word, as a test can reckon
    return [len(text.split()) for text in texts]


def cut_of(text: str, *words: str, start: int = 100) -> Cut:
    asked = frozenset(map(stem, words))
    return Cut("a.py", text.split("\n"), start, tuple(matches_by_line(text, asked)))


LONG = "\n".join(
    [
        "def upload(part):",
        *(f"    step{number} = prepare({number})" for number in range(30)),
        "    retry_later(part)",
        *(f"    more{number} = prepare({number})" for number in range(30)),
        "    close_connection(part)",
        "    return part",
    ]
)


def numbers(window: Window) -> list[int]:
    """The lines that a skeleton shows, by what it says of its gaps."""
    hidden = {line for gap in window.elided for line in range(gap.start, gap.end + 1)}
    return [line for line in range(window.span.start, window.span.end + 1) if line not in hidden]


def test_it_keeps_the_signature_and_what_answers() -> None:
    made = skeleton(cut_of(LONG, "retry", "connection"), 80, count)
    assert made is not None
    assert made.text.startswith("def upload(part):\n")
    assert "retry_later" in made.text and "close_connection" in made.text
    assert "… 1" in made.text
    assert made.span == Span("a.py", 100, 163)
    lines = LONG.split("\n")
    shown = [line for line in made.text.split("\n") if "… " not in line]
    assert shown == [lines[number - 100] for number in numbers(made)]


def test_where_one_run_of_lines_shows_as_much_there_is_none() -> None:
    assert skeleton(cut_of("def f():\n    retry()\n    return 1", "retry"), 80, count) is None
    assert skeleton(cut_of(LONG, "retry"), 3, count) is None


@given(
    st.lists(
        st.sampled_from(["def f():", "    retry(x)", "    y = 1", "", "    return close(z)"]),
        min_size=1,
        max_size=60,
    ),
    st.integers(1, 200),
    st.integers(1, 30),
)
def test_never_over_budget_and_every_line_is_shown_or_named(
    lines: list[str], allowed: int, kept: int
) -> None:
    made = skeleton(cut_of("\n".join(lines), "retry", "close", start=7), allowed, count)
    if made is None:
        return
    for window in (made, _shorter_skeleton(made, made.text.split("\n")[:kept])):
        assert sum(count([window.text])) <= allowed
        shown = [line for line in window.text.split("\n") if "… " not in line]
        assert shown == [lines[number - 7] for number in numbers(window)]
        assert all(gap.start <= gap.end <= window.span.end for gap in window.elided)
