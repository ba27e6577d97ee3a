"""Pairs -> arrays of word numbers, ordered by package.

usage: arrays.py VOCABULARY OUT.npz PAIRS
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from words import is_validation, rows

from trigpoint.embedders.words import Vocabulary

MOST_WORDS = 160
"""Distinct words of one text, the most frequent ones."""
WHOLE_PARAGRAPH = 0.25
"""Share of pairs whose question is the whole first paragraph."""
WORKERS, TOGETHER = 2, 20_000
"""Processes, and pairs in memory at once."""
KEPT_REST = 0.3
"""Share of pairs whose code keeps the documentation past its first sentence, as code does where it is searched."""


Counted = tuple[np.ndarray, np.ndarray]
"""The distinct words of a text, and how often each is in it."""


class Texts:
    """Counted words of many texts, one after the other."""

    def __init__(self) -> None:
        self.starts, self.numbers, self.counts = [0], [], []

    def add(self, text: Counted) -> None:
        """One more text."""
        self.numbers.append(text[0])
        self.counts.append(text[1])
        self.starts.append(self.starts[-1] + len(text[0]))

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """As they are kept."""
        return {
            f"{name}_starts": np.array(self.starts, np.int64),
            f"{name}_numbers": np.concatenate(self.numbers),
            f"{name}_counts": np.concatenate(self.counts),
        }


def counted(words: Sequence[int]) -> Counted:
    """Words counted, the most frequent ones."""
    found = Counter(words).most_common(MOST_WORDS)
    return (
        np.fromiter((word for word, _ in found), np.int32),
        np.fromiter((min(count, 255) for _, count in found), np.uint8),
    )


class Row(NamedTuple):
    """A pair as it is trained on."""

    question: str
    code: str
    name: str
    package: str
    language: str


def chosen(path: Path) -> Iterator[Row]:
    """Every pair, the length of its question and what its code keeps of the documentation drawn."""
    dice = random.Random(0)
    for row in rows(path):
        rest = row["more"][len(row["doc"]) :]
        question = row["more"][:400] if rest and dice.random() < WHOLE_PARAGRAPH else row["doc"]
        keeps = rest and question == row["doc"] and dice.random() < KEPT_REST
        code = row["body"] + ("\n" + rest if keeps else "")
        yield Row(question, code, row["name"], row["package"], row["language"])


_vocabulary: Vocabulary


def _load(path: str) -> None:
    global _vocabulary
    _vocabulary = Vocabulary([line.split("\t")[0] for line in Path(path).read_text().splitlines()])


def numbered(row: Row) -> tuple[Counted, Counted, Counted] | None:
    """The three texts of a pair; None for one that says too little."""
    asked, written = _vocabulary.numbers(row.question), _vocabulary.numbers(row.code)
    if len(set(asked)) < 3 or len(set(written)) < 4:
        return None
    return counted(asked[:80]), counted(written[:500]), counted(_vocabulary.numbers(row.name) or [0])


def main() -> None:
    """Both sides of every pair, and the package of each."""
    docs, bodies, names = Texts(), Texts(), Texts()
    packages: dict[str, int] = {}
    package_of, validation, languages = [], [], []
    every = chosen(Path(sys.argv[3]))
    with ProcessPoolExecutor(WORKERS, initializer=_load, initargs=(sys.argv[1],)) as pool:
        while some := list(islice(every, TOGETHER)):
            for row, texts in zip(some, pool.map(numbered, some, chunksize=200), strict=True):
                if texts is None:
                    continue
                for side, text in zip((docs, bodies, names), texts, strict=True):
                    side.add(text)
                package_of.append(packages.setdefault(row.package, len(packages)))
                validation.append(is_validation(row.package))
                languages.append(row.language)
    _load(sys.argv[1])
    seen = np.zeros(len(_vocabulary.words), np.int64)
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
