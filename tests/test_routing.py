"""Which row of the intent table a question reaches: the labelled set, and the forms that took most care."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from trigpoint.search.intents import INTENTS, intent_of
from trigpoint.search.phrases import phrase
from trigpoint.search.subjects import DEPENDENCIES, IMPACT, USAGES, subject
from trigpoint.search.understand import understand

QUESTIONS = Path(__file__).parents[1] / "benchmarks" / "routing" / "questions.jsonl"
ROWS = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def reached(text: str) -> str:
    return intent_of(understand(text)).name


def test_every_row_has_a_dozen_examples() -> None:
    assert {row.name: len(row.examples) for row in INTENTS if len(row.examples) < 12} == {}


def test_the_labelled_set_is_large_varied_and_in_other_words_than_the_rows() -> None:
    texts = [row["question"] for row in ROWS]
    assert len(set(texts)) == len(texts) >= 300
    assert min(Counter(row["intent"] for row in ROWS).values()) >= 25
    assert {row["intent"] for row in ROWS} == {row.name for row in INTENTS}
    assert not set(texts) & {text for row in INTENTS for text in row.examples}


@pytest.mark.parametrize("half", ["tune", "held-out", "late"])
def test_nineteen_of_twenty_questions_reach_their_row(half: str) -> None:
    mine = [row for row in ROWS if row["half"] == half]
    astray = [row["question"] for row in mine if reached(row["question"]) != row["intent"]]
    assert len(astray) <= 0.05 * len(mine), astray


def test_a_question_with_its_names_taken_out() -> None:
    asked = phrase("Who calls `Session.open` in src/app.py, not JavaScript?")
    assert asked.text == "who calls § in ¶, not javascript"
    assert asked.written == ("Session.open", "src/app.py")
    assert asked.behind(asked.text.index("¶")) == "src/app.py"


@pytest.mark.parametrize(
    ("text", "forms", "name"),
    [
        ("everywhere that Session.open is referenced", USAGES, "Session.open"),
        ("how Session opens a Valve", USAGES, ""),
        ("I'm about to rename open_valve, what else breaks", IMPACT, "open_valve"),
        ("which other things does open_valve call", DEPENDENCIES, "open_valve"),
        ("what is called by src/app.py", DEPENDENCIES, "src/app.py"),
        ("what breaks if the weather changes badly", IMPACT, ""),
    ],
)
def test_the_subject_is_the_name_that_is_asked_about(text: str, forms: tuple[str, ...], name: str) -> None:
    assert subject(text, forms) == name


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("ParseError structure and formatting", "concept"),
        ("how do we recover from a panic", "concept"),
        ("architecture of the plugin system", "concept"),
        ("read/write locking", "concept"),
        ("where is the parse table", "concept"),
        ("which tests would break if I drop open_valve", "impact"),
        ("Makefile", "path"),
        ("main.go:42", "path"),
    ],
)
def test_what_only_looks_like_another_kind(text: str, row: str) -> None:
    assert reached(text) == row


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("update the loop", "task"),
        ("update loop", "concept"),
        ("* Making the linter happy", "task"),
        ("On a second call, return the kept answer if there is one", "task"),
        ("convert markdown to html", "concept"),
        ("convert grams to ounces only if the scale is old", "task"),
        ("fix the tests for the mill", "tests"),
        ("how do I add a valve", "concept"),
        ("remove all usages of open_valve", "usages"),
        ("Fix AttributeError: 'Mill' object has no attribute 'stone'", "failure"),
        ("fix(mill): turn the stone slowly", "task"),
    ],
)
def test_an_order_is_told_from_a_question_about_what_code_does(text: str, row: str) -> None:
    assert reached(text) == row
