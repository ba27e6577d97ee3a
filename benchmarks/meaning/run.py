"""Documentation sentence -> the function it was written for, all functions of the package as candidates, their documentation cut out.

usage: run.py HELD [--model FOLDER] [--minilm MOST] [--out FILE.json]      HELD holds the held-out packages as training/fetch.py fills them

Reports MRR@10 for BM25F, the model alone, both, and the fitted sum of fusion.py, by language; questions that share few words with their
answer apart. With the extra `onnx`, the packages of at most MOST functions once more, with MiniLM beside the rest: it reads some ten
functions a second.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trigpoint.embedders.static import SHIPPED, StaticEmbedder
from trigpoint.languages import detect, registry
from trigpoint.model import Passage
from trigpoint.ports import Embedder
from trigpoint.search.understand import STOP_WORDS
from trigpoint.text.identifiers import split, words_in

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))
import archives
import pairs
from fusion import TOP, Closer, Function, WordVectors, bm25, fused, tokens

FEW_SHARED = 1 / 3
"""A question is of low overlap when at most this share of its content words stands in the code."""
MOST_QUESTIONS = 400  # of one package
LEAST_QUESTIONS = 15
LEAST_OF_LANGUAGE = 40
LEXICAL_SHARE, MINILM_LEXICAL_SHARE = 0.2, 0.35
"""Of BM25F in a hybrid: with our model chosen on the development packages, with MiniLM that of the first experiments."""


class Question(NamedTuple):
    """A sentence, the place of its function, and whether both share few words."""

    text: str
    gold: int
    low: bool


def functions(package: archives.Package) -> list[Function]:
    """Every function of a package, documented or not, each text once."""
    parts = archives.debian_parts(package.path)[0] if package.registry == "debian" else [package.path]
    found: dict[str, Function] = {}
    for part in parts:
        for path, data in archives.files(part):
            if pairs.LEFT_OUT & set(pairs.marks_of(path)):
                continue
            text = data.decode("utf-8", "replace")
            language = detect(path, text[:20_000])
            known = registry().get(language)
            if known is None or known.level not in pairs.WANTED_LEVELS or pairs._minified(text):
                continue
            lines = text.split("\n")
            for symbol in pairs.outline_of(text, language).symbols:
                if symbol.kind in pairs.FUNCTIONS and symbol.end - symbol.name_line + 1 >= pairs.LEAST_LINES:
                    body = pairs.bare(lines, symbol, language)[: pairs.MOST_CHARACTERS]
                    doc = pairs.first_sentence(pairs.plain(symbol.doc)) if symbol.doc else ""
                    found.setdefault(
                        pairs.digest(body), Function(language, symbol.qualified, body, doc, path)
                    )
    return list(found.values())


def questions(candidates: Sequence[Function]) -> list[Question]:
    """The sentences that say enough to be found by, and are said once."""
    said = Counter(one.doc.lower() for one in candidates)
    out = []
    for place, one in enumerate(candidates):
        asked = [part for word in words_in(one.doc) for part in split(word)]
        if (
            len(asked) < 4
            or said[one.doc.lower()] > 1
            or not one.doc.isascii()
            or re.search(r"deprecated|see |todo|copyright|licen[sc]e|@", one.doc, re.I)
        ):
            continue
        content = {word for word in asked if word not in STOP_WORDS}
        held = {part for word in words_in(one.body) for part in split(word)}
        if content:
            out.append(Question(one.doc, place, len(content & held) / len(content) <= FEW_SHARED))
    dice = np.random.default_rng(0)
    return (
        [out[at] for at in dice.permutation(len(out))[:MOST_QUESTIONS]] if len(out) > MOST_QUESTIONS else out
    )


def scaled(scores: np.ndarray) -> np.ndarray:
    """Each row between 0 and 1 over its best TOP."""
    top = min(TOP, scores.shape[1])
    best = np.partition(scores, -top, axis=1)[:, -top:]
    low, high = best.min(1, keepdims=True), best.max(1, keepdims=True)
    return np.clip((scores - low) / (high - low + 1e-9), 0, 1)


def reciprocal(scores: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """1/rank of the right one, 0 past rank 10; equals rank in the middle."""
    mine = scores[np.arange(len(gold)), gold][:, None]
    rank = (scores > mine).sum(1) + ((scores == mine).sum(1) - 1) / 2 + 1
    return np.where(rank <= 10, 1 / rank, 0.0)


def systems(
    folder: Path, minilm: Embedder | None, candidates: Sequence[Function], asked: Sequence[Question]
) -> dict[str, np.ndarray]:
    """The scores of each way to search."""
    model = StaticEmbedder(folder)
    sentences = [one.text for one in asked]
    named = [Passage(one.body, one.name) for one in candidates]
    lexical = bm25(tokens(candidates), sentences)
    query = model.encode_queries(sentences)
    both = query @ model.encode_documents(named).T
    found = {
        "BM25F": lexical,
        "model, code": query @ model.encode_documents([Passage(one.body, "") for one in candidates]).T,
        "model, code + name": both,
        "hybrid": hybrid(lexical, both),
    }
    closer = Closer(model, WordVectors(folder), candidates)
    found["hybrid, fitted"] = fused(closer, sentences, found["hybrid"])
    if minilm is not None:
        found["MiniLM, name and code"] = minilm.encode_queries(sentences) @ minilm.encode_documents(named).T
        found["hybrid, MiniLM"] = hybrid(lexical, found["MiniLM, name and code"], MINILM_LEXICAL_SHARE)
    return found


def hybrid(lexical: np.ndarray, near: np.ndarray, share: float = LEXICAL_SHARE) -> np.ndarray:
    """Both, weighted."""
    return share * scaled(lexical) + (1 - share) * scaled(near)


class Measured(NamedTuple):
    """One question by one system."""

    language: str
    low: bool
    value: float  # reciprocal rank


def table(got: Mapping[str, Sequence[Measured]]) -> dict[str, dict[str, float]]:
    """Means by system and group, printed."""
    made: dict[str, dict[str, float]] = {}
    for name, rows in got.items():
        languages = Counter(one.language for one in rows)
        groups = {
            "all": rows,
            "python": [one for one in rows if one.language == "python"],
            "other": [one for one in rows if one.language != "python"],
            "low overlap": [one for one in rows if one.low],
            **{
                language: [one for one in rows if one.language == language]
                for language, count in languages.most_common()
                if count >= LEAST_OF_LANGUAGE and language != "python"
            },
        }
        means = {
            group: round(float(np.mean([one.value for one in some])), 4)
            for group, some in groups.items()
            if some
        }
        made[name] = means
        print(f"{name:22}", " ".join(f"{group} {value:.3f}" for group, value in means.items()))
    print(len(rows), "questions;", dict(languages.most_common()), flush=True)
    return made


@cache
def minilm_embedder() -> Embedder:
    """As the product has it."""
    from trigpoint.embedders.known import KNOWN
    from trigpoint.embedders.onnx import OnnxEmbedder, packaged

    return OnnxEmbedder(KNOWN["minilm"], packaged())


class Package(NamedTuple):
    """What one package shows."""

    functions: int
    questions: int
    values: Mapping[str, Sequence[Measured]]  # by system


def measured(package: archives.Package, folder: Path, small: int) -> Package:
    """Every question of a package by every system; by MiniLM too where there are few functions. The model lies in the folder."""
    candidates = functions(package)
    asked = questions(candidates)
    if len(asked) < LEAST_QUESTIONS:
        return Package(len(candidates), 0, {})
    gold = np.array([one.gold for one in asked])
    minilm = minilm_embedder() if len(candidates) <= small else None
    values = {}
    for name, scores in systems(folder, minilm, candidates, asked).items():
        values[name] = [
            Measured(candidates[one.gold].language, one.low, float(value))
            for one, value in zip(asked, reciprocal(scores, gold), strict=True)
        ]
    return Package(len(candidates), len(asked), values)


def main() -> None:
    """Measure and print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("held", type=Path)
    ask.add_argument("--model", type=Path, default=SHIPPED)
    ask.add_argument("--minilm", type=int, default=0)
    ask.add_argument("--out", type=Path)
    given = ask.parse_args()
    every: dict[str, list[Measured]] = defaultdict(list)
    small: dict[str, list[Measured]] = defaultdict(list)
    packages = []
    held = list(archives.packages(given.held))
    with ProcessPoolExecutor(2) as pool:
        for package, found in zip(
            held, pool.map(measured, held, repeat(given.model), repeat(given.minilm)), strict=True
        ):
            if found.questions:
                packages.append((package.key, package.version, found.functions, found.questions))
            for name, rows in found.values.items():
                if "MiniLM" not in name:
                    every[name] += rows
                if found.functions <= given.minilm:
                    small[name] += rows
    print(len(packages), "packages,", sum(one[2] for one in packages), "functions")
    tables = {"mrr": table(every)}
    if small:
        print("of these, packages of at most", given.minilm, "functions")
        tables["mrr of small packages"] = table(small)
    if given.out:
        about = {"model": StaticEmbedder(given.model).fingerprint, "packages": packages, **tables}
        given.out.write_text(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
