"""Fit the weights of fusion.py on the development packages: those kept for early stopping, which nothing is measured on.

usage: fit.py PACKAGES [--model FOLDER]      PACKAGES as training/fetch.py fills it

Listwise: the softmax of a question's hundred sums should have its function first. Prints the table, and MRR@10 with the weights fitted on
the packages of the other two thirds.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import archives
import numpy as np
import run
import words
from fusion import FEATURES, TOP, Closer, WordVectors, bm25, seen, tokens

from trigpoint.embedders.static import SHIPPED, StaticEmbedder

LEAST_QUESTIONS = 10
STEPS, RIDGE = 8, 0.001


class Seen(NamedTuple):
    """One question: the features of its best, and the place of the right one there; -1 where it is not."""

    package: int
    language: str
    features: np.ndarray
    gold: int


def development(folder: Path) -> list[archives.Package]:
    """The packages for early stopping whose licence was found permissive."""
    table = (Path(words.__file__).parent / "packages" / "licences.tsv").read_text().splitlines()
    used = {":".join(line.split("\t")[:2]) for line in table if line.split("\t")[4] == "yes"}
    return [one for one in archives.packages(folder) if one.key in used and words.is_validation(one.key)]


def questions(number: int, package: archives.Package, folder: Path) -> list[Seen]:
    """Every question of a package, by the model of a folder."""
    candidates = run.functions(package)
    asked = run.questions(candidates)
    if len(asked) < LEAST_QUESTIONS:
        return []
    texts = [one.text for one in asked]
    model = StaticEmbedder(folder)
    closer = Closer(model, WordVectors(folder), candidates)
    near = model.encode_queries(texts) @ closer.rows["both"].T
    first = run.hybrid(bm25(tokens(candidates), texts), near)
    found = []
    for one, (best, features) in zip(asked, seen(closer, texts, first), strict=True):
        at = np.flatnonzero(best == one.gold)
        found.append(Seen(number, candidates[one.gold].language, features, int(at[0]) if len(at) else -1))
    return found


def _loss(
    weights: np.ndarray, stack: np.ndarray, there: np.ndarray, gold: np.ndarray, share: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """What a sum costs, its slope and its curvature."""
    sums = np.where(there, stack @ weights, -1e9)
    chance = np.exp(sums - sums.max(1, keepdims=True))
    chance /= chance.sum(1, keepdims=True)
    every = np.arange(len(gold))
    mean = np.einsum("qtf,qt->qf", stack, chance)
    flat = stack.reshape(-1, len(weights))
    bend = flat.T @ (flat * (share[:, None] * chance).reshape(-1, 1)) - mean.T @ (mean * share[:, None])
    loss = -share @ np.log(chance[every, gold] + 1e-30) + RIDGE / 2 * weights @ weights
    slope = share @ (mean - stack[every, gold]) + RIDGE * weights
    return float(loss), slope, bend + RIDGE * np.eye(len(weights))


def fitted(rows: list[Seen]) -> np.ndarray:
    """Weights by Newton's method over features of one spread, each package counting by the root of its questions."""
    rows = [one for one in rows if one.gold >= 0]
    counts = np.bincount([one.package for one in rows])
    share = np.array([1 / np.sqrt(counts[one.package]) for one in rows])
    share /= share.sum()
    spread = np.concatenate([one.features for one in rows]).std(0) + 1e-6
    stack = np.zeros((len(rows), TOP, len(FEATURES)), np.float32)
    there = np.zeros((len(rows), TOP), bool)
    for at, one in enumerate(rows):
        stack[at, : len(one.features)] = one.features / spread
        there[at, : len(one.features)] = True
    gold = np.array([one.gold for one in rows])
    weights = np.zeros(len(FEATURES))
    loss, slope, bend = _loss(weights, stack, there, gold, share)
    for _ in range(STEPS):
        step = np.linalg.solve(bend, slope)
        while _loss(weights - step, stack, there, gold, share)[0] > loss and np.abs(step).max() > 1e-4:
            step /= 2
        weights -= step
        loss, slope, bend = _loss(weights, stack, there, gold, share)
    return weights / spread


def reciprocal(rows: list[Seen], weights: np.ndarray) -> np.ndarray:
    """1/rank of the right one within the first ten, else 0."""
    sums = [one.features @ weights for one in rows]
    ranks = np.array([1 + (some > some[one.gold]).sum() for one, some in zip(rows, sums, strict=True)])
    return np.where((ranks <= 10) & (np.array([one.gold for one in rows]) >= 0), 1 / ranks, 0.0)


def main() -> None:
    """Fit and print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("packages", type=Path)
    ask.add_argument("--model", type=Path, default=SHIPPED)
    given = ask.parse_args()
    packages = development(given.packages)
    with ProcessPoolExecutor(2) as pool:
        every = pool.map(questions, range(len(packages)), packages, repeat(given.model))
        rows = [one for some in every for one in some]
    values = np.zeros(len(rows))
    for third in range(3):
        kept = [at for at, one in enumerate(rows) if one.package % 3 == third]
        weights = fitted([one for one in rows if one.package % 3 != third])
        values[kept] = reciprocal([rows[at] for at in kept], weights)
    python = np.array([one.language == "python" for one in rows])
    print(
        len(rows),
        "questions; MRR@10",
        *(round(float(some.mean()), 4) for some in (values, values[python], values[~python])),
    )
    for name, weight in zip(FEATURES, fitted(rows), strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
