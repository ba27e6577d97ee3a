"""A run of a labelled set, a comparison of two and a mined set: as a table, and as JSON that a later run is compared with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from trigpoint.errors import UsageError
from trigpoint.evaluation.measure import Difference, Mean, Record, Run, percentile
from trigpoint.evaluation.questions import Question, Target

Object = dict[str, Any]


def run_text(run: Run, means: Sequence[Mean], differences: Sequence[Difference] = ()) -> str:
    """The scores of a run, one a line with its interval; then what differs from the other run."""
    lines = [f"{run.name}: {len(run.records)} questions, {len(repositories(run))} repositories"]
    lines += [
        f"{one.measure:<12} {one.value:.3f}  {one.low:.3f} to {one.high:.3f}  n {one.questions}"
        for one in means
    ]
    times = [record.milliseconds for record in run.records]
    lines.append(f"milliseconds {percentile(times, 0.5):.1f} p50, {percentile(times, 0.95):.1f} p95")
    lines.append(
        f"tokens       {sum(record.tokens for record in run.records) / max(1, len(run.records)):,.0f} an answer"
    )
    if differences:
        lines.append("\nagainst the other run, paired (* leaves zero out)")
        lines += [
            f"{one.measure:<12} {one.first - one.second:+.3f}  {one.low:+.3f} to {one.high:+.3f}  n {one.questions}"
            + " *" * one.certain
            for one in differences
        ]
    return "".join(f"{line}\n" for line in lines)


def repositories(run: Run) -> frozenset[str]:
    """The repositories of a run; questions that name none are of one."""
    return frozenset(record.repository for record in run.records)


def run_object(run: Run, means: Sequence[Mean], differences: Sequence[Difference] = ()) -> Object:
    """The same for programs, every question included."""
    times = [record.milliseconds for record in run.records]
    found: Object = {
        "run": run.name,
        "measures": [
            {"measure": one.measure, "value": round(one.value, 6), "low": round(one.low, 6), "high": round(one.high, 6), "count": one.questions}
            for one in means
        ],
        "latency": {"p50": round(percentile(times, 0.5), 3), "p95": round(percentile(times, 0.95), 3)},
        "records": [_record(record) for record in run.records],
    }  # fmt: skip
    if differences:
        found["compared"] = [
            {"measure": one.measure, "value": round(one.first - one.second, 6), "low": round(one.low, 6), "high": round(one.high, 6), "count": one.questions}
            for one in differences
        ]  # fmt: skip
    return found


def _record(record: Record) -> Object:
    return {
        "id": record.id,
        "repository": record.repository,
        "category": record.category,
        "scores": {name: round(value, 6) for name, value in record.scores.items()},
        "milliseconds": round(record.milliseconds, 3),
        "tokens": record.tokens,
        "top": list(record.top),
    }


def read_run(content: str, name: str) -> Run:
    """A run as run_object() wrote it.

    Raises UsageError when it is none.
    """
    try:
        found = json.loads(content)
        records = tuple(
            Record(
                row["id"], row["repository"], row["category"], row["scores"], row["milliseconds"], row["tokens"],
                tuple(row["top"]),
            )
            for row in found["records"]
        )  # fmt: skip
        return Run(found["run"], records)
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{name} is no run", "`trig bench FILE --json` writes one") from error


def question_lines(questions: Sequence[Question]) -> Iterator[str]:
    """A labelled set as JSON Lines: what `trig bench` reads."""
    for one in questions:
        row: Object = {"id": one.id, "query": one.text, "category": one.category}
        row["relevant"] = [_target(target) for target in one.relevant]
        if one.functions:
            row["functions"] = [_target(target) for target in one.functions]
        yield json.dumps(row, ensure_ascii=True) + "\n"


def _target(target: Target) -> Object | str:
    if not target.start:
        return target.path
    return {"path": target.path, "start_line": target.start, "end_line": target.end, "name": target.name}


def refused(counts: Counter[str]) -> str:
    """How many candidates were refused, by reason, most first."""
    return ", ".join(f"{count:,} {why}" for why, count in counts.most_common())
