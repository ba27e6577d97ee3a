"""Recall within token budgets on labelled repositories: the share of targets that the text of an answer touches.

    budgets.py --data SEMBLE_DIR --mirror GIT_DIRS --work DIR [--tier TIER] [--pipeline NAME] [--only A,B] [--out RUN.json]

One question is ranked once and packed within each budget; what is only listed does not count, and every result takes the tokens
that a surface spends on naming it. The peer's figures count its chunks alone, in the order of its ranking. Indexes are looked for
where `trig` keeps them. The run that is written can be compared with `trig bench --compare`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from corpora import Corpus, semble_corpora

import trigpoint
from trigpoint.evaluation.measure import Run, means
from trigpoint.evaluation.questions import Question, Target
from trigpoint.render.bench import run_object, run_text


def questions(corpus: Corpus) -> list[Question]:
    """The questions of a corpus as `trig bench` takes them."""

    def targets(given: tuple[object, ...]) -> tuple[Target, ...]:
        return tuple(Target(one.path, one.start or 0, one.end or 0, one.name or "") for one in given)  # type: ignore[attr-defined]

    return [
        Question(
            one.id, one.text, targets(one.primary), targets(one.secondary), targets(one.functions), one.category, corpus.repository
        )
        for one in corpus.questions
    ]  # fmt: skip


def main() -> None:
    """Ask every repository, and print one run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("data", "mirror", "work", "out"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--tier")
    parser.add_argument("--pipeline")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    records = []
    only = {name for name in args.only.split(",") if name}
    for corpus in semble_corpora(args.data, args.mirror, args.work, only):
        with trigpoint.open(corpus.root) as engine:
            run = engine.bench(
                questions(corpus),
                tier=args.tier,
                pipeline=args.pipeline,
                update=not engine.status().generation,
            )
            records += run.records
    whole = Run(args.pipeline or args.tier or "balanced", tuple(records))
    values = list(means(whole))
    if args.out:
        args.out.write_text(json.dumps(run_object(whole, values)))
    print(run_text(whole, values), end="")


if __name__ == "__main__":
    main()
