"""Markdown tables of one run, and of the difference between two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from metrics import Clusters, interval, mean_of_means, pooled_mean

Record = dict[str, Any]
Run = dict[str, Any]
Mean = Callable[[Sequence[Sequence[float]]], float]


@dataclass(frozen=True, slots=True)
class Kind:
    """How the public tables of one kind of data count; `main` is the measure of the breakdowns."""

    title: str
    mean: Mean
    main: str
    measures: tuple[str, ...]


KINDS = {
    "semble": Kind(
        "Short questions (mean over repositories)",
        mean_of_means,
        "ndcg10",
        ("ndcg10", "mrr", "acc1", "acc3", "acc5", "acc10"),
    ),
    "localisation": Kind(
        "Bug reports (mean over reports; tests, examples and documentation dropped)",
        pooled_mean,
        "acc5",
        ("ndcg10", "mrr", "acc1", "acc3", "acc5", "acc10", "func5", "func10"),
    ),
}
TITLES = {"ndcg10": "NDCG@10", "mrr": "MRR", "func5": "Func@5", "func10": "Func@10"}


def title(measure: str) -> str:
    """The column heading of a measure."""
    return TITLES.get(measure) or measure.replace("acc", "Acc@")


def clusters(records: Iterable[Record], measure: str) -> Clusters:
    """The scores of one measure by repository; records without it (no gold function) are left out."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for record in records:
        if measure in record["scores"]:
            grouped[record["repository"]].append(record["scores"][measure])
    return grouped


def value(records: Sequence[Record], measure: str, mean: Mean) -> float | None:
    """The mean of one measure, None when no record has it."""
    grouped = clusters(records, measure)
    return mean(list(grouped.values())) if grouped else None


def number(score: float | None) -> str:
    """A score as the tables print it."""
    return "" if score is None else f"{score:.3f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a Markdown table; all columns but the first are right-aligned."""
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def report(runs: Sequence[Run]) -> Iterator[str]:
    """All tables of one result file."""
    for name, kind in KINDS.items():
        chosen = [run for run in runs if run["kind"] == name]
        if not chosen:
            continue
        some = chosen[0]["records"]
        repositories = {record["repository"] for record in some}
        yield f"\n## {kind.title}: {len(some)} questions, {len(repositories)} repositories\n"
        yield from summary(chosen, kind)
        for group in ("category", "language", "repository"):
            groups = sorted({record[group] for record in some})
            if len(groups) > 1:
                yield f"\n{title(kind.main)} by {group}\n"
                yield from breakdown(chosen, kind, group, groups)


def summary(runs: Sequence[Run], kind: Kind) -> Iterator[str]:
    """One row a system: all measures, the interval of the main one, and what it cost."""
    rows = []
    for run in runs:
        low, high = interval(clusters(run["records"], kind.main), kind.mean)
        failed = sum(record["failed"] for record in run["records"])
        name = run["system"] + (f" ({failed} failed)" if failed else "")
        scores = [number(value(run["records"], measure, kind.mean)) for measure in kind.measures]
        asked = len(run["records"])
        cost = [f"{run['index']['cpu']:.1f}", f"{1000 * run['search']['cpu'] / asked:.0f}"]
        rows.append([name, *scores, f"{low:.3f} to {high:.3f}", *cost])
    heads = [*map(title, kind.measures), f"95 % of {title(kind.main)}", "index, CPU s", "a question, CPU ms"]
    yield from table(["system", *heads], rows)


def breakdown(runs: Sequence[Run], kind: Kind, group: str, groups: Sequence[str]) -> Iterator[str]:
    """The main measure of every system within each category, language or repository."""
    rows = []
    for one in groups:
        inside = [[record for record in run["records"] if record[group] == one] for run in runs]
        mean = pooled_mean if group == "category" else kind.mean
        scores = [number(value(records, kind.main, mean)) for records in inside]
        rows.append([one, str(len(inside[0])), *scores])
    yield from table([group, "n", *(run["system"] for run in runs)], rows)


def compare(first: Sequence[Run], second: Sequence[Run]) -> Iterator[str]:
    """First minus second on the questions both were asked, paired, with intervals over repositories."""
    for one in first:
        other = next((run for run in second if run["kind"] == one["kind"]), None)
        if other is None:
            continue
        kind = KINDS[one["kind"]]
        yield f"\n## {kind.title}\n\n{one['system']} minus {other['system']}, paired\n"
        yield from table(["measure", "questions", "difference", "95 %", ""], differences(one, other, kind))


def differences(one: Run, other: Run, kind: Kind) -> Iterator[list[str]]:
    """One row a measure; a star marks an interval without zero."""
    before = {record["id"]: record["scores"] for record in other["records"]}
    for measure in kind.measures:
        grouped: dict[str, list[float]] = defaultdict(list)
        for record in one["records"]:
            pair = (record["scores"].get(measure), before.get(record["id"], {}).get(measure))
            if pair[0] is not None and pair[1] is not None:
                grouped[record["repository"]].append(pair[0] - pair[1])
        if grouped:
            low, high = interval(grouped, kind.mean)
            asked, mean = sum(map(len, grouped.values())), kind.mean(list(grouped.values()))
            star = "" if low <= 0 <= high else "*"
            yield [title(measure), str(asked), f"{mean:+.3f}", f"{low:+.3f} to {high:+.3f}", star]
