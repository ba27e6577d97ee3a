"""Fit the weights of search/calibration.py, and say how far a probability can be believed on repositories it has not seen.

    calibrate.py --data SEMBLE_DIR --mirror GIT_DIRS --work DIR --reports FILE --reports-work DIR [--samples FILE] [--write]

Indexes are looked for where `trig` keeps them (TRIGPOINT_CACHE_DIR), and made when there are none. A sample is one question in one
way of asking (with vectors, without, tier fast): the signs of its ranking, and whether the first result lies in a labelled file.
The table is leave-one-repository-out: each probability comes from weights fitted on all other repositories. Needs numpy.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from commits import mined
from corpora import Corpus, Question, Target, git_dir, localisation_corpora, semble_corpora
from metrics import Result, hits

import trigpoint
from trigpoint.search import calibration
from trigpoint.search.confidence import SIGNS, signs
from trigpoint.search.run import search
from trigpoint.search.understand import understand

FOREIGN = 5
"""Of every so many short questions one is asked of another repository too, where nothing can be right."""
FOREIGN_WEIGHT = 0.3
"""Nobody asks that many questions of the wrong project; they are there to teach what such an answer looks like."""
TASKS, HISTORY = 15, 400
"""Commit subjects of a repository, and commits looked at for them."""
WAYS = {"vectors": {}, "no vectors": {"vectors": None}, "fast": {"tier": "fast", "vectors": None}}
RIDGE = 3.0
"""Penalty on the squared weights of standardised signs: 700 questions do not bear free ones."""
BINS = 10


class Sample(NamedTuple):
    """One question asked in one way."""

    repository: str
    kind: str
    way: str
    right: bool
    signs: dict[str, float]


def samples(kind: str, corpora: Iterable[Corpus]) -> Iterator[Sample]:
    """Every question of these corpora that gets a ranking, in every way of asking."""
    for corpus in corpora:
        with trigpoint.open(corpus.root) as engine:
            if not engine.status().generation:
                engine.index()
            with engine._snapshot() as snapshot:
                plan = engine._plan(10, None, None)._replace(**engine._meaning(snapshot.generation))
                for question in corpus.questions:
                    query = understand(question.text)
                    for way, change in WAYS.items():
                        found = search(query, snapshot, plan._replace(**change), time.perf_counter)
                        if found.seen is None or not found.seen.files or not found.hits:
                            continue
                        span = found.hits[0].chunk.span
                        first = Result(span.path, span.start, span.end)
                        right = any(hits(first, one) for one in question.primary + question.secondary)
                        yield Sample(corpus.repository, kind, way, right, dict(signs(found.seen)))


def foreign(corpora: Iterable[Corpus]) -> list[Corpus]:
    """Each tree with some of the questions of another one, none of which it can answer."""
    every = list(corpora)
    shift = max(1, len(every) // 3)
    return [
        replace(
            one,
            questions=tuple(
                _unanswerable(q) for q in every[(place + shift) % len(every)].questions[::FOREIGN]
            ),
        )
        for place, one in enumerate(every)
    ]


def tasks(data: Path, mirror: Path, corpora: Iterable[Corpus]) -> Iterator[Corpus]:
    """Each tree with the commit subjects of `commits.py` instead of its questions."""
    repos = {row["name"]: row for row in json.loads((data / "repos.json").read_text())}
    for corpus in corpora:
        row = repos[corpus.key]
        place = (git_dir(mirror, row["url"]), row["revision"], row.get("benchmark_root") or "")
        with trigpoint.open(corpus.root) as engine:
            found = mined(corpus, engine, place, TASKS, HISTORY)
        asked = (
            Question(one.id, one.text, one.category, tuple(Target(it.path) for it in one.relevant))
            for one in found
        )
        yield replace(corpus, questions=tuple(asked))


def _unanswerable(question: Question) -> Question:
    return replace(question, primary=(Target("\0"),), secondary=())


def fitted(rows: np.ndarray, right: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Logistic weights (the constant first) by Newton's method, signs standardised, RIDGE on all but the constant."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    design = np.hstack([np.ones((len(rows), 1)), (rows - mean) / spread])
    penalty = np.full(design.shape[1], RIDGE)
    penalty[0] = 0.0
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        said = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (weight * (said - right)) + penalty * weights
        bend = design.T @ (design * (weight * said * (1 - said))[:, None]) + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    plain = weights[1:] / spread
    return np.concatenate([[weights[0] - plain @ mean], plain])


def probability(weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """What the weights say of each row."""
    return np.asarray(1 / (1 + np.exp(-(weights[0] + rows @ weights[1:]))))


def unseen(found: list[Sample]) -> np.ndarray:
    """For each sample, what weights say that were fitted on the other repositories."""
    rows, right, homes, weight = _arrays(found)
    said = np.zeros(len(found))
    for home in set(homes):
        mine = homes == home
        said[mine] = probability(fitted(rows[~mine], right[~mine], weight[~mine]), rows[mine])
    return said


def _arrays(found: list[Sample]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rows = np.array([[one.signs[name] for name in SIGNS] for one in found])
    return (
        rows,
        np.array([float(one.right) for one in found]),
        np.array([one.repository for one in found]),
        np.array([FOREIGN_WEIGHT if one.kind == "foreign" else 1.0 for one in found]),
    )


def calibration_error(said: np.ndarray, right: np.ndarray) -> float:
    """Expected calibration error over BINS equal widths (Naeini and others, 2015)."""
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    return float(
        sum(
            abs(said[places == one].mean() - right[places == one].mean()) * (places == one).mean()
            for one in range(BINS)
            if (places == one).any()
        )
    )


def report(found: list[Sample]) -> Iterator[str]:
    """Error by data and way, and the reliability table of the default way."""
    said = unseen(found)
    right = np.array([float(one.right) for one in found])
    yield "| questions | way | n | right | calibration error | Brier score | of those said >= .8: n, right | .5 to .8 | < .5 |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    kinds = sorted({one.kind for one in found})
    for kind in [*kinds, "short, reports and tasks"]:
        for way in WAYS:
            mine = np.array([one.way == way and one.kind in kind for one in found])
            if mine.any():
                p, y = said[mine], right[mine]
                bands = [(p >= 0.8), (p >= 0.5) & (p < 0.8), p < 0.5]
                shown = " | ".join(f"{b.sum()}, {y[b].mean():.2f}" if b.any() else "0" for b in bands)
                error, brier = calibration_error(p, y), float(((p - y) ** 2).mean())
                yield f"| {kind} | {way} | {mine.sum()} | {y.mean():.3f} | {error:.3f} | {brier:.3f} | {shown} |"
    mine = np.array([one.way == "vectors" and one.kind != "foreign" for one in found])
    yield "\n| said | n | mean said | right |\n| --- | ---: | ---: | ---: |"
    p, y = said[mine], right[mine]
    for low in range(BINS):
        inside = np.minimum((p * BINS).astype(int), BINS - 1) == low
        if inside.any():
            yield f"| .{low} to {(low + 1) / BINS:.1f} | {inside.sum()} | {p[inside].mean():.3f} | {y[inside].mean():.3f} |"


def write(found: list[Sample]) -> None:
    """Weights fitted on everything, into the module that ships them."""
    rows, right, _, weight = _arrays(found)
    weights = fitted(rows, right, weight)
    lines = "".join(
        f'    "{name}": {value:.4f},\n' for name, value in zip(["constant", *SIGNS], weights, strict=True)
    )
    place = Path(calibration.__file__)
    head, _, _ = place.read_text().partition("WEIGHTS: ")
    place.write_text(f"{head}WEIGHTS: Mapping[str, float] = {{\n{lines}}}\n")


def main() -> None:
    """Collect, or read what was collected; report; write the weights when told to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("data", "mirror", "work", "reports", "reports-work", "samples"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    args = parser.parse_args()
    if args.samples and args.samples.exists():
        found = [_sample(json.loads(line)) for line in args.samples.read_text().splitlines()]
    else:
        short = list(semble_corpora(args.data, args.mirror, args.work, set()))
        found = [*samples("short", short), *samples("foreign", foreign(short))]
        found += samples("tasks", tasks(args.data, args.mirror, short))
        if args.reports:
            trees = localisation_corpora(args.reports, args.mirror, args.reports_work or args.work, set())
            found += samples("reports", trees)
        if args.samples:
            args.samples.write_text("".join(json.dumps(one._asdict()) + "\n" for one in found))
    print("\n".join(report(found)))
    if args.write:
        write(found)


def _sample(row: dict[str, Any]) -> Sample:
    return Sample(**row)


if __name__ == "__main__":
    main()
