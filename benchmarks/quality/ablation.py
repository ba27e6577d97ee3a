"""What each leg, each signal, the vectors and the graph gain: NDCG@10 without it, by category, on labelled repositories.

    ablation.py --data SEMBLE_DIR --mirror GIT_DIRS --work DIR [--only A,B] [--reports FILE --reports-work DIR]

Every question is searched once as it is and once without each part; what the index answers is remembered, so that a variant costs
its arithmetic only. A gain is the figure with the part minus the figure without it. Indexes are looked for where `trig` keeps them.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpora import Corpus, localisation_corpora, semble_corpora
from metrics import Result, ndcg10, score, without_noise

import trigpoint
from trigpoint.search import intents
from trigpoint.search.run import search
from trigpoint.search.signals import SIGNALS
from trigpoint.search.understand import understand


class Remembered:
    """A snapshot or a vector view whose every answer is kept."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.kept: dict[object, Any] = {}

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.real, name)
        if not callable(found):
            return found

        def ask(*given: Any, **named: Any) -> Any:
            key = (name, tuple(map(_frozen, given)), tuple(sorted(named.items())))
            if key not in self.kept:
                answer = found(*given, **named)
                self.kept[key] = list(answer) if isinstance(answer, Iterator) else answer
            return self.kept[key]

        return ask


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class Variant(NamedTuple):
    """The search without one part."""

    name: str
    leg: str = ""
    signal: str = ""
    plan: Mapping[str, Any] = {}


def variants() -> list[Variant]:
    """As it is, then without each part."""
    legs = dict.fromkeys(leg for row in intents.INTENTS for leg, _ in row.legs if not row.walk)
    found = [
        Variant("as it is"),
        Variant("no vectors at all", plan={"vectors": None}),
        Variant("tier fast", plan={"tier": "fast"}),
    ]
    found += [Variant(f"leg {leg}", leg=leg) for leg in legs]
    return found + [Variant(f"signal {one.name}", signal=one.name) for one in SIGNALS]


ROWS = intents.INTENTS


def measured(
    corpora: Iterable[Corpus], gain: Callable[[Any, list[Result]], dict[str, float]]
) -> dict[str, dict[str, list[float]]]:
    """The scores by variant and category."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for corpus in corpora:
        with trigpoint.open(corpus.root) as engine:
            if not engine.status().generation:
                engine.index()
            with engine._snapshot() as snapshot:
                meaning = engine._meaning(snapshot.generation)
                base = engine._plan(50, None, None)._replace(**meaning)
                for question in corpus.questions:
                    view = Remembered(snapshot)
                    plan = base._replace(vectors=Remembered(base.vectors) if base.vectors else None)
                    query = understand(question.text)
                    for variant in variants():
                        for name, value in gain(question, _answer(query, view, plan, variant)).items():
                            found[variant.name][name].append(value)
    return found


def _answer(query: Any, view: Any, plan: Any, variant: Variant) -> list[Result]:
    intents.INTENTS = tuple(
        row._replace(legs=tuple((leg, weight) for leg, weight in row.legs if leg != variant.leg))
        for row in ROWS
    )
    signals = tuple(one for one in SIGNALS if one.name != variant.signal)
    ranking = search(query, view, plan._replace(**variant.plan), time.perf_counter, signals)
    return [
        Result(hit.chunk.path, hit.chunk.chunk.start, hit.chunk.chunk.end, hit.name) for hit in ranking.hits
    ]


def table(found: Mapping[str, Mapping[str, list[float]]]) -> Iterator[str]:
    """Gains by column, the figures themselves in the first row."""
    base = {name: sum(values) / len(values) for name, values in found["as it is"].items()}
    yield "| without | " + " | ".join(base) + " |"
    yield "| --- |" + " ---: |" * len(base)
    yield "| (as it is) | " + " | ".join(f"{value:.3f}" for value in base.values()) + " |"
    for name, columns in found.items():
        if name != "as it is":
            gains = (base[one] - sum(values) / len(values) for one, values in columns.items())
            yield f"| {name} | " + " | ".join(f"{gain:+.4f}" for gain in gains) + " |"


def short(question: Any, results: list[Result]) -> dict[str, float]:
    """NDCG@10 of a short question, in all and in its category (means over questions)."""
    value = ndcg10(results, question.primary + question.secondary)
    return {"all": value, question.category: value}


def report(question: Any, results: list[Result]) -> dict[str, float]:
    """Acc@k and Func@10 of a bug report."""
    found = score(question, without_noise(results))
    return {name: found[name] for name in ("acc1", "acc5", "acc10", "func10") if name in found}


def main() -> None:
    """Print one table a data set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("data", "mirror", "work", "reports", "reports-work"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    only = {name.lower() for name in args.only.split(",") if name}
    if args.data:
        print("\n".join(table(measured(semble_corpora(args.data, args.mirror, args.work, only), short))))
    if args.reports:
        trees = localisation_corpora(args.reports, args.mirror, args.reports_work or args.work, only)
        print("\n".join(table(measured(trees, report))))


if __name__ == "__main__":
    main()
