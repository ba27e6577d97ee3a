"""How often a question reaches the row of the intent table that it is meant for, and which rows are mixed up.

    routing/run.py [--questions FILE] [--misses] [--markdown]

One JSON object a line: `question`, `intent`, `half`: `tune` (wordings that were
looked at), `held-out` (that were not), `late` (written when the rules were done).
Routing is by the words alone, without an index. With one, a question about the edges of a name that is not defined in
that project goes on to the next row that matches.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from trigpoint.search.intents import INTENTS, intent_of
from trigpoint.search.understand import understand

HALVES = ("tune", "held-out", "late")


class Routed(NamedTuple):
    """One question, the row it is meant for, the row it reached."""

    question: str
    half: str
    meant: str
    reached: str


def routed(path: Path) -> list[Routed]:
    """Every question of a file, routed."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Routed(row["question"], row["half"], row["intent"], intent_of(understand(row["question"])).name)
        for row in rows
    ]


def accuracy(found: list[Routed], half: str = "") -> tuple[int, int]:
    """Right ones and all of a half; of everything when none is named."""
    mine = [one for one in found if not half or one.half == half]
    return sum(one.meant == one.reached for one in mine), len(mine)


def confusion(found: list[Routed]) -> list[str]:
    """The confusion table in Markdown: a line a meant row, a column a reached one."""
    names = [row.name for row in INTENTS]
    counts = Counter((one.meant, one.reached) for one in found)
    lines = [
        "| meant \\ reached | " + " | ".join(names) + " | right |",
        "| --- | " + "---: | " * (len(names) + 1),
    ]
    for meant in names:
        total = sum(counts[meant, name] for name in names)
        cells = [str(counts[meant, name] or "") for name in names]
        lines.append(f"| {meant} | " + " | ".join(cells) + f" | {counts[meant, meant]} of {total} |")
    return [" ".join(line.split()) for line in lines]


def main() -> None:
    """Print the accuracy of both halves and the confusion table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=Path, default=Path(__file__).with_name("questions.jsonl"))
    parser.add_argument("--misses", choices=HALVES, help="print the questions of a half that went astray")
    options = parser.parse_args()
    found = routed(options.questions)
    for half in (*HALVES, ""):
        right, total = accuracy(found, half)
        print(f"{half or 'all'}: {right} of {total} = {right / total:.1%}")
    print("", *confusion(found), sep="\n")
    for one in found:
        if one.half == options.misses and one.meant != one.reached:
            print(f"{one.meant} -> {one.reached}: {one.question!r}")


if __name__ == "__main__":
    main()
