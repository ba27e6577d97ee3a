"""A labelled set is asked, and the scores become a run: one record a question, means, intervals, a paired comparison.

Intervals draw whole repositories again where there are several, else questions; the draws are seeded, so that two
readings of one run agree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trigpoint.errors import UsageError
from trigpoint.evaluation.metrics import Answered, scores
from trigpoint.evaluation.questions import Question

DRAWS = 2_000
MIDDLE = 0.95

Ask = Callable[[Question], Answered]


class Record(NamedTuple):
    """One question of a run."""

    id: str
    repository: str
    category: str
    scores: Mapping[str, float]
    milliseconds: float
    tokens: int
    top: tuple[str, ...] = ()  # the first files that came


class Run(NamedTuple):
    """A labelled set, asked once in one way."""

    name: str  # the tier or pipeline
    records: tuple[Record, ...]


class Mean(NamedTuple):
    """A score over all questions that have it, with the middle 95 % of its draws."""

    measure: str
    questions: int
    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """One score of two runs on the questions of both: first minus second."""

    measure: str
    questions: int
    first: float
    second: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def measure(name: str, questions: Iterable[Question], ask: Ask, depth: int = 10) -> Run:
    """Ask every question in turn."""
    records = []
    for question in questions:
        answer = ask(question)
        top = tuple(dict.fromkeys(one.path for one in answer.places))[:5]
        found = scores(question, answer, depth)
        record = Record(
            question.id,
            question.repository,
            question.category,
            found,
            answer.milliseconds,
            answer.tokens,
            top,
        )
        records.append(record)
    return Run(name, tuple(records))


def means(run: Run) -> Iterator[Mean]:
    """Every score of a run, in the order of its first record."""
    for name in measures(run.records):
        groups = _groups(run.records, lambda record, name=name: record.scores.get(name))  # type: ignore[misc]
        low, high = interval(groups)
        yield Mean(name, sum(map(len, groups)), _pooled(groups), low, high)


def measures(records: Sequence[Record]) -> tuple[str, ...]:
    """The names of all scores that some record has."""
    return tuple(dict.fromkeys(name for record in records for name in record.scores))


def compare(first: Run, second: Run) -> Iterator[Difference]:
    """Paired differences, by the ids of the questions.

    Raises UsageError when the runs have no question in common.
    """
    before = {record.id: record.scores for record in second.records}
    both = [record for record in first.records if record.id in before]
    if not both:
        raise UsageError("the two runs have no question in common", "compare runs of one labelled set")
    for name in measures(both):
        paired = [record for record in both if name in record.scores and name in before[record.id]]
        if not paired:
            continue
        groups = _groups(paired, lambda record, name=name: record.scores[name] - before[record.id][name])  # type: ignore[misc]
        low, high = interval(groups)
        mine = sum(record.scores[name] for record in paired) / len(paired)
        theirs = sum(before[record.id][name] for record in paired) / len(paired)
        yield Difference(name, len(paired), mine, theirs, low, high)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of all lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


Groups = Sequence[Sequence[float]]


def interval(groups: Groups) -> tuple[float, float]:
    """The middle of the pooled mean when whole groups are drawn again with replacement; of one group, its questions."""
    units: Groups = groups if len(groups) > 1 else [(value,) for value in groups[0]] if groups else []
    if not units:
        return 0.0, 0.0
    sums = [(sum(unit), len(unit)) for unit in units]
    rng = random.Random(1)
    drawn = []
    for _ in range(DRAWS):
        some = rng.choices(sums, k=len(sums))
        drawn.append(sum(total for total, _ in some) / sum(count for _, count in some))
    edge = (1 - MIDDLE) / 2
    return percentile(drawn, edge), percentile(drawn, 1 - edge)


def _groups(records: Iterable[Record], value: Callable[[Record], float | None]) -> Groups:
    found: dict[str, list[float]] = {}
    for record in records:
        score = value(record)
        if score is not None:
            found.setdefault(record.repository, []).append(score)
    return [found[name] for name in sorted(found)]


def _pooled(groups: Groups) -> float:
    return sum(map(sum, groups)) / max(1, sum(map(len, groups)))
