"""Pairs -> arrays of word numbers, ordered by package.

usage: arrays.py VOCABULARY OUT.npz PAIRS
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from words import is_validation, rows

from trigpoint.embedders.words import Vocabulary

MOST_WORDS = 160
"""Distinct words of one text, the most frequent ones."""
WHOLE_PARAGRAPH = 0.25
"""Share of pairs whose question is the whole first paragraph."""
KEPT_REST = 0.3
"""Share of pairs whose code keeps the documentation past its first sentence, as code does where it is searched."""


class Texts:
    """Counted words of many texts, one after the other."""

    def __init__(self) -> None:
        self.starts, self.numbers, self.counts = [0], [], []

    def add(self, words: list[int]) -> None:
        """One more text."""
        counted = Counter(words).most_common(MOST_WORDS)
        self.numbers.append(np.fromiter((word for word, _ in counted), np.int32))
        self.counts.append(np.fromiter((min(count, 255) for _, count in counted), np.uint8))
        self.starts.append(self.starts[-1] + len(counted))

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """As they are kept."""
        return {
            f"{name}_starts": np.array(self.starts, np.int64),
            f"{name}_numbers": np.concatenate(self.numbers),
            f"{name}_counts": np.concatenate(self.counts),
        }


def main() -> None:
    """Both sides of every pair, and the package of each."""
    vocabulary = Vocabulary([line.split("\t")[0] for line in Path(sys.argv[1]).read_text().splitlines()])
    dice = random.Random(0)
    docs, bodies, names = Texts(), Texts(), Texts()
    packages: dict[str, int] = {}
    package_of, validation, languages = [], [], []
    for row in rows(Path(sys.argv[3])):
        rest = row["more"][len(row["doc"]) :]
        question = row["more"][:400] if rest and dice.random() < WHOLE_PARAGRAPH else row["doc"]
        code = row["body"] + (
            "\n" + rest if rest and question == row["doc"] and dice.random() < KEPT_REST else ""
        )
        asked, written = vocabulary.numbers(question), vocabulary.numbers(code)
        if len(set(asked)) < 3 or len(set(written)) < 4:
            continue
        docs.add(asked[:80])
        bodies.add(written[:500])
        names.add(vocabulary.numbers(row["name"]) or [0])
        package_of.append(packages.setdefault(row["package"], len(packages)))
        validation.append(is_validation(row["package"]))
        languages.append(row["language"])
    seen = np.zeros(len(vocabulary.words), np.int64)
    for numbers in bodies.numbers:
        seen[numbers] += 1
    np.savez(
        sys.argv[2],
        package=np.array(package_of, np.int32),
        validation=np.array(validation),
        language=np.array(languages),
        frequency=seen,
        **docs.arrays("doc"),
        **bodies.arrays("body"),
        **names.arrays("name"),
    )
    print(len(package_of), "pairs of", len(packages), "packages;", sum(validation), "for early stopping")


if __name__ == "__main__":
    main()
