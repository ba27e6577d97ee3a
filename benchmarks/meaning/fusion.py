"""A hybrid of more than two scores: a weighted sum over the best hundred, its weights fitted on development packages.

What it looks at is what an engine has at hand for its best results: their words by field, their file, their vectors, and the word vectors
of the static model (each word of the question by the word of the code that is nearest to it).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trigpoint.embedders.static import StaticEmbedder
from trigpoint.embedders.words import Vocabulary
from trigpoint.model import Passage
from trigpoint.search.understand import STOP_WORDS
from trigpoint.text.identifiers import index_text, query_terms, split, words_in
from trigpoint.text.stems import stem

TOP = 100
NAME_REPEATS = 3
HEAD_LINES = 2
CROWD, NEAREST = 500, 10
FILE_SHARES = np.array([1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], np.float32)
"""Of a file's best functions, as the product's signal file-bm25 has them."""


class Function(NamedTuple):
    """One candidate."""

    language: str
    name: str
    body: str
    doc: str
    path: str = ""


def place(path: str) -> str:
    """Folder and file, as the product puts them into a chunk's name."""
    return " ".join(path.rsplit(".", 1)[0].split("/")[-2:])


def bm25(documents: Sequence[Mapping[str, int]], texts: Sequence[str]) -> np.ndarray:
    """BM25 with the product's query weights; one row a question."""
    lengths = np.array([sum(one.values()) for one in documents], np.float32)
    norm = 1.2 * (0.25 + 0.75 * lengths / max(1.0, float(lengths.mean())))
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, document in enumerate(documents):
        for token, count in document.items():
            postings[token].append((number, count))
    scores = np.zeros((len(texts), len(documents)), np.float32)
    for row, text in enumerate(texts):
        for token, weight in query_terms(
            [word for word in words_in(text.lower()) if word not in STOP_WORDS], []
        ):
            held = postings.get(token)
            if held:
                places, counts = np.array(held).T
                rarity = math.log(1 + (len(documents) - len(held) + 0.5) / (len(held) + 0.5))
                scores[row, places] += weight * rarity * counts * 2.2 / (counts + norm[places])
    return scores


def tokens(functions: Iterable[Function], with_path: bool = False) -> list[Counter[str]]:
    """The product's tokens of each, the name counted NAME_REPEATS times more, and its path where asked for."""
    return [
        Counter(
            (
                index_text(one.body)
                + f" {index_text(one.name)}" * NAME_REPEATS
                + (f" {index_text(place(one.path))}" if with_path else "")
            ).split()
        )
        for one in functions
    ]


class WordVectors:
    """The table of the static model, a word at a time."""

    def __init__(self, folder: Path) -> None:
        self.vocabulary = Vocabulary((folder / "words.txt").read_text().split("\n"))
        table = np.load(folder / "table.npy").astype(np.float32)
        lengths = np.maximum(np.linalg.norm(table, axis=1), 1e-6)
        self.unit = table / lengths[:, None]
        self.asked = np.load(folder / "weights.npy")[:, 0] * lengths

    def numbers(self, text: str) -> np.ndarray:
        """The distinct words of a text."""
        return np.unique(np.array(self.vocabulary.numbers(text) or [0]))

    def nearest(self, asked: np.ndarray, weights: np.ndarray, texts: Sequence[np.ndarray]) -> np.ndarray:
        """Of each text: the weighted mean, over the words asked, of the likeness of its nearest word."""
        starts = np.concatenate([[0], np.cumsum([len(one) for one in texts])[:-1]])
        likeness = self.unit[asked] @ self.unit[np.concatenate(texts)].T
        best = np.clip(np.maximum.reduceat(likeness, starts, axis=1), 0, 1)
        return (weights[:, None] * best).sum(0) / max(float(weights.sum()), 1e-6)


WEIGHTS: Mapping[str, float] = {
    "BM25F, path included": 0.94,
    "BM25F of the file": 1.13,
    "model, code + name": 20.40,
    "model, code": -2.94,
    "model, name": -6.95,
    "model, folder and file": 1.26,
    "model, first two lines": 2.65,
    "share of the question's words": 0.79,
    "share of the name that is asked for": 0.72,
    "nearest words of the code": -0.59,
    "nearest words of the code, rare ones": 1.28,
    "nearest words of the name, rare ones": 3.76,
    "others near to it": -5.26,
}
"""Of each feature, as fit.py found them on the development packages with the model that ships."""


class Closer:
    """What is known of the functions of one package."""

    def __init__(self, model: StaticEmbedder, vectors: WordVectors, functions: Sequence[Function]) -> None:
        self.vectors, self.functions = vectors, functions
        self.rows = {
            "both": model.encode_documents([Passage(one.body, one.name) for one in functions]),
            "code": model.encode_documents([Passage(one.body, "") for one in functions]),
            "name": model.encode_documents([Passage(one.name, "") for one in functions]),
            "place": model.encode_documents([Passage(place(one.path), "") for one in functions]),
            "head": model.encode_documents(
                [Passage("\n".join(one.body.split("\n")[:HEAD_LINES]), "") for one in functions]
            ),
        }
        self.model = model
        self.crowd = crowds(self.rows["both"], model.encode_queries([one.body for one in functions]))
        self.words = [_stems(f"{one.body} {one.name} {place(one.path)}") for one in functions]
        self.leaves = [_stems(one.name.rpartition(".")[2]) for one in functions]
        self.held = Counter(word for words in self.words for word in words)
        self.code_numbers = [vectors.numbers(one.body) for one in functions]
        self.name_numbers = [vectors.numbers(one.name) for one in functions]
        self.having = np.zeros(len(vectors.unit))
        for code, name in zip(self.code_numbers, self.name_numbers, strict=True):
            self.having[np.union1d(code, name)] += 1

    def rarity(self, count: np.ndarray | float) -> np.ndarray:
        """Of a word that so many functions hold."""
        return np.log(1 + (len(self.functions) - count + 0.5) / (count + 0.5))

    def features(self, text: str, lexical: np.ndarray, of_file: np.ndarray, best: np.ndarray) -> np.ndarray:
        """One row for each of the best, in the order of FEATURES."""
        query = self.model.encode_queries([text])[0]
        asked = {stem(part) for word in _content(text) for part in split(word) if part not in STOP_WORDS}
        rarity = {word: float(self.rarity(self.held[word])) for word in asked}
        total = sum(rarity.values()) or 1.0
        content = np.unique(
            np.array([one for word in _content(text) for one in self.vectors.vocabulary.numbers(word)] or [0])
        )
        every = self.vectors.numbers(text)
        code, name = ([some[one] for one in best] for some in (self.code_numbers, self.name_numbers))
        rare = self.rarity(self.having[content])
        return np.stack(
            [
                lexical[best] / max(float(lexical.max()), 1e-6),
                of_file[best],
                *(self.rows[part][best] @ query for part in ("both", "code", "name", "place", "head")),
                np.array([sum(rarity[word] for word in asked & self.words[one]) / total for one in best]),
                np.array([len(asked & self.leaves[one]) / max(1, len(self.leaves[one])) for one in best]),
                self.vectors.nearest(every, self.vectors.asked[every], code),
                self.vectors.nearest(content, rare, code),
                self.vectors.nearest(content, rare, name),
                self.crowd[best],
            ],
            axis=1,
        ).astype(np.float32)


FEATURES = tuple(WEIGHTS)


def crowds(rows: np.ndarray, asking: np.ndarray) -> np.ndarray:
    """How near each is to the ten others that would find it best, each asking with its code: what is near to all is near to any question."""
    some = np.random.default_rng(0).permutation(len(rows))[:CROWD]
    likeness = rows @ asking[some].T
    likeness[some, np.arange(len(some))] = -1.0
    return -np.sort(-likeness, axis=1)[:, :NEAREST].mean(1)


def by_file(scores: np.ndarray, functions: Sequence[Function]) -> np.ndarray:
    """What the best functions of each one's file score together, against the best file; one row a question."""
    numbers = {path: number for number, path in enumerate(dict.fromkeys(one.path for one in functions))}
    file_of = np.array([numbers[one.path] for one in functions])
    totals = np.zeros((len(scores), len(numbers)), np.float32)
    for number in numbers.values():
        best = -np.sort(-scores[:, file_of == number], axis=1)[:, : len(FILE_SHARES)]
        totals[:, number] = best @ FILE_SHARES[: best.shape[1]]
    return (totals / np.maximum(totals.max(1, keepdims=True), 1e-9))[:, file_of]


def seen(closer: Closer, texts: Sequence[str], first: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each question: its best TOP by ``first``, and their features."""
    lexical = bm25(tokens(closer.functions, with_path=True), texts)
    files = by_file(lexical, closer.functions)
    found = []
    for row, text in enumerate(texts):
        best = np.argsort(-first[row], kind="stable")[:TOP]
        found.append((best, closer.features(text, lexical[row], files[row], best)))
    return found


def fused(closer: Closer, texts: Sequence[str], first: np.ndarray) -> np.ndarray:
    """The weighted sums; what is not among the best TOP stays behind."""
    weights = np.array(list(WEIGHTS.values()), np.float32)
    scores = np.full(first.shape, -1e6, np.float32) + first
    for row, (best, features) in enumerate(seen(closer, texts, first)):
        scores[row, best] = features @ weights
    return scores


def _content(text: str) -> list[str]:
    return [word for word in words_in(text) if word.lower() not in STOP_WORDS]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(part) for word in words_in(text) for part in split(word))
