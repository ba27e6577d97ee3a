"""Arrays -> a model: symmetric InfoNCE between what documentation says and the code it speaks of.

usage: train.py ARRAYS.npz OUT.npz --start TABLE.npy [--seed 0 ...]

A text is the sum over its distinct words of sqrt(count) * weight(side, word) * vector(word), at unit length; the code side adds
the name of the symbol, as the product does, left out of some pairs (--nameless 1: of all). Batches are blocks of pairs of one package, so that most negatives are neighbours.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

DIMENSIONS = (256, 128, 64)
TEMPERATURE = 0.05
WARM_UP = 100
NAME_SHARE = 0.9
"""Of the name, beside its code. The product gives it a little more (static.NAME_WEIGHT), as it holds the file too."""

Texts = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Words, first position of each text, and root counts."""


class Side:
    """The texts of one side, to be drawn from by row."""

    def __init__(self, data: np.lib.npyio.NpzFile, name: str) -> None:
        self.starts, self.numbers = data[f"{name}_starts"], data[f"{name}_numbers"]
        self.roots = np.sqrt(data[f"{name}_counts"].astype(np.float32))

    def take(self, rows: np.ndarray, dropped: float, dice: np.random.Generator) -> Texts:
        """Words, first position of each text, and root counts, some words left out."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        first = np.concatenate([[0], np.cumsum(lengths)])
        at = np.arange(first[-1]) - np.repeat(first[:-1], lengths) + np.repeat(self.starts[rows], lengths)
        weights = self.roots[at]
        if dropped:
            weights = weights * (dice.random(len(weights)) >= dropped)
        return (
            torch.from_numpy(self.numbers[at].astype(np.int64)),
            torch.from_numpy(first[:-1]),
            torch.from_numpy(weights.astype(np.float32)),
        )


class Model(torch.nn.Module):
    """One table of word vectors and three columns of word weights: of questions, of code, of names.

    The last is there while training only, so that names do not bend the weights of code. The product takes those of code for names: its
    names hold files and folders as well, which are no names here.
    """

    def __init__(self, start: np.ndarray, frequency: np.ndarray, texts: int) -> None:
        super().__init__()
        self.table = torch.nn.EmbeddingBag(*start.shape, mode="sum")
        unit = start / np.maximum(np.linalg.norm(start, axis=1, keepdims=True), 1e-6)
        rarity = np.log(1 + (texts - frequency + 0.5) / (frequency + 0.5))
        weights = torch.from_numpy(np.log(rarity / rarity.mean() + 0.05).astype(np.float32))
        with torch.no_grad():
            self.table.weight.copy_(torch.from_numpy(unit))
        self.asked, self.written, self.named = (torch.nn.Parameter(weights.clone()) for _ in range(3))

    def forward(self, texts: Texts, side: torch.Tensor) -> torch.Tensor:
        """One row a text, not at unit length."""
        numbers, first, weights = texts
        return self.table(numbers, first, per_sample_weights=weights * torch.exp(side[numbers]))


class Batch(NamedTuple):
    """Pairs as sums of words, not at unit length, and how much the name of each counts; () where no name does."""

    asked: torch.Tensor
    code: torch.Tensor
    names: tuple[torch.Tensor, ...] = ()

    def scores(self, size: int) -> torch.Tensor:
        """Every question against every code, by the first numbers of each vector."""
        code = functional.normalize(self.code[:, :size], dim=1)
        if self.names:
            name, share = self.names
            code = functional.normalize(
                code + share[:, None] * functional.normalize(name[:, :size], dim=1), dim=1
            )
        return functional.normalize(self.asked[:, :size], dim=1) @ code.T


def loss_of(batch: Batch) -> torch.Tensor:
    """Symmetric InfoNCE, averaged over the dimensions that the model may be cut to."""
    target = torch.arange(len(batch.asked))
    total = torch.zeros(())
    for size in DIMENSIONS:
        scores = batch.scores(size) / TEMPERATURE
        both = functional.cross_entropy(scores, target) + functional.cross_entropy(scores.T, target)
        total = total + both / 2
    return total / len(DIMENSIONS)


class Trainer:
    """One run."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        torch.manual_seed(given.seed)
        torch.set_num_threads(given.threads)
        self.dice = np.random.default_rng(given.seed)
        data = np.load(given.arrays)
        self.doc, self.body, self.name = (Side(data, one) for one in ("doc", "body", "name"))
        held = data["validation"]
        self.training, self.validation = np.flatnonzero(~held), np.flatnonzero(held)
        self.package = data["package"]
        self.drawn = self.shares(data["language"][self.training])
        self.model = Model(np.load(given.start), data["frequency"], len(held))
        table = {"params": [self.model.table.weight], "lr": given.table_rate, "most": given.table_rate}
        weights = {
            "params": [self.model.asked, self.model.written, self.model.named],
            "lr": given.weight_rate,
            "most": given.weight_rate,
        }
        self.optimizer = torch.optim.Adam([table, weights], betas=(0.9, 0.98), fused=True)

    def shares(self, languages: np.ndarray) -> np.ndarray:
        """How likely a block starts at a row or before it: a language by a power of its number, so that the rare ones come more often."""
        _, kinds = np.unique(languages[: len(languages) - self.given.block], return_inverse=True)
        share = np.cumsum(np.bincount(kinds)[kinds] ** (self.given.language_power - 1.0))
        return share / share[-1]

    def batch(self) -> np.ndarray:
        """Rows in blocks of neighbours."""
        given, rows = self.given, self.training
        starts = np.searchsorted(self.drawn, self.dice.random(given.batch // given.block))
        return np.unique(np.concatenate([rows[start : start + given.block] for start in starts]))

    def of(self, rows: np.ndarray, dropped: float, nameless: float) -> Batch:
        """The pairs of some rows, some words of questions and some names left out."""
        names: tuple[torch.Tensor, ...] = ()
        if nameless < 1:
            kept = self.dice.random(len(rows)) >= nameless if nameless else np.ones(len(rows))
            share = NAME_SHARE * kept
            texts = self.name.take(rows, 0.0, self.dice)
            names = self.model(texts, self.model.named), torch.from_numpy(share.astype(np.float32))
        return Batch(
            self.model(self.doc.take(rows, dropped, self.dice), self.model.asked),
            self.model(self.body.take(rows, 0.0, self.dice), self.model.written),
            names,
        )

    def step(self, number: int) -> float:
        """One step; returns the loss."""
        loss = loss_of(self.of(self.batch(), self.given.drop, self.given.nameless))
        share = min(1.0, (number + 1) / WARM_UP) * max(0.02, 1 - number / self.given.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = group["most"] * share
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return float(loss.detach())

    def validate(self) -> float:
        """Mean reciprocal rank of the code among that of its package, over the packages kept for it; at most 400 each."""
        ranks = []
        with torch.no_grad():
            for package in np.unique(self.package[self.validation]):
                rows = self.validation[self.package[self.validation] == package][:400]
                if len(rows) < 20:
                    continue
                scores = self.of(rows, 0.0, float(self.given.nameless == 1)).scores(DIMENSIONS[0])
                ranks.append((1.0 / (1 + (scores > scores.diagonal()[:, None]).sum(1))).mean())
        return float(torch.stack(ranks).mean())

    def run(self) -> None:
        """All steps, the best model on the validation packages kept."""
        best, kept, began, mean = 0.0, {}, time.process_time(), 0.0
        for number in range(self.given.steps):
            loss = self.step(number)
            mean = loss if number == 0 else 0.98 * mean + 0.02 * loss
            if number % self.given.every == self.given.every - 1 or number == self.given.steps - 1:
                score = self.validate()
                print(
                    f"step {number + 1} loss {mean:.4f} validation {score:.4f} cpu {time.process_time() - began:.0f} s",
                    flush=True,
                )
                if score > best:
                    best, kept = (
                        score,
                        {name: value.detach().clone() for name, value in self.model.state_dict().items()},
                    )
        np.savez(
            self.given.out,
            table=kept["table.weight"].numpy().astype(np.float32),
            asked=torch.exp(kept["asked"]).numpy(),
            written=torch.exp(kept["written"]).numpy(),
        )
        print(json.dumps({**vars(self.given), "validation": round(best, 4)}))


def main() -> None:
    """Train once."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("arrays")
    ask.add_argument("out")
    ask.add_argument("--start", required=True)
    ask.add_argument("--steps", type=int, default=1100)
    ask.add_argument("--batch", type=int, default=1024)
    ask.add_argument("--block", type=int, default=32)
    ask.add_argument("--table-rate", type=float, default=0.003)
    ask.add_argument("--weight-rate", type=float, default=0.01)
    ask.add_argument("--language-power", type=float, default=1.0)
    ask.add_argument("--drop", type=float, default=0.1)
    ask.add_argument("--nameless", type=float, default=0.2)
    ask.add_argument("--every", type=int, default=275)
    ask.add_argument("--threads", type=int, default=1)
    ask.add_argument("--seed", type=int, default=0)
    Trainer(ask.parse_args()).run()


if __name__ == "__main__":
    main()
