"""The words of a question with how much each tells, and how names cover them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

from trigpoint.model import Query
from trigpoint.ports import Snapshot
from trigpoint.search.legs.lexical import synthesised
from trigpoint.text.identifiers import fold, split
from trigpoint.text.stems import STEM_MARK, stem

STEM_WEIGHT, FOLDER_WEIGHT = 0.8, 0.2
"""How much a file's stem and its folder count, of 1."""
RARITY = 0.3
"""Exponent of the share of the question's weight that the words in a name carry: 0 would count all words alike."""
PART_IDF = 0.5
"""Weight of a part of a name that the question writes, against a word that as many chunks hold."""
PREFIX, LEAST_PREFIX = 0.9, 4
"""Two stems of which one begins the other are this much alike: recover, recoverer; config, configur."""
COMMON, LEAST_COMMON, COMMON_SHARE = 0.6, 5, 0.6
"""Two stems with a long common beginning are this much alike: resolv, resolut."""
INDEX_STEMS = frozenset({"index", "__init__", "mod", "main", "init"})
"""Files that are named by their folder."""


class Words:
    """Stems of the question with their inverse document frequency, and names its words make when folded."""

    def __init__(
        self, idf: Mapping[str, float], folded: frozenset[str], total: float, unknown: float = 0.0
    ) -> None:
        self.idf = idf
        self.folded = folded
        self.total = total
        self.unknown = unknown  # share of the words that no chunk holds
        self._beginnings: dict[str, list[str]] = {}
        for one in idf:
            self._beginnings.setdefault(one[:LEAST_PREFIX], []).append(one)

    def share(self, stems: Iterable[str]) -> float:
        """Share of the question's weight that these stems carry, 0 to 1."""
        held = set(stems) & self.idf.keys()
        return math.fsum(map(self.idf.__getitem__, held)) / self.total if held and self.total else 0.0

    def nearest(self, one: str) -> tuple[float, float]:
        """Likeness and weight of the stem of the question that is most like this one; stems that are alike begin alike."""
        asked = self._beginnings.get(one[:LEAST_PREFIX], ())
        return max(((alike(one, other), self.idf[other]) for other in asked), default=(0.0, 0.0))


def words_of(query: Query, snapshot: Snapshot) -> Words:
    """Weigh the words of a question by how rare they are in this index (BM25's idf, Robertson and Zaragoza 2009)."""
    spelled = {stem(word): word for word in reversed(query.words)}
    tokens = {token for root, word in spelled.items() for token in (word, root, STEM_MARK + root)}
    held = snapshot.document_frequency(sorted(tokens))
    chunks = max(1, snapshot.counts().get("chunks", 0))
    idf = {root: _idf(_df(root, word, held), chunks) for root, word in spelled.items()}
    missing = sum(_df(root, word, held) == 0 for root, word in spelled.items())
    part_weight = PART_IDF * math.log(1 + chunks / 20)
    for name in query.identifiers:
        for part in split(name.replace(".", "_").replace("::", "_")):
            idf.setdefault(stem(part), part_weight)
    folded = frozenset((*map(fold, query.words), *synthesised(query.words)))
    return Words(idf, folded, sum(idf.values()), missing / max(1, len(spelled)))


def held(texts: Mapping[int, str], words: Words) -> dict[int, frozenset[str]]:
    """Stems of the question that stand anywhere in each text, inside of names too."""
    folded = {key: text.casefold() for key, text in texts.items()}
    return {key: frozenset(root for root in words.idf if root in text) for key, text in folded.items()}


def _df(root: str, word: str, held: Mapping[str, int]) -> int:
    return max(held.get(word, 0), held.get(root, 0) + held.get(STEM_MARK + root, 0))


def _idf(df: int, chunks: int) -> float:
    held = min(df, chunks)
    return math.log(1 + (chunks - held + 0.5) / (held + 0.5))


def path_share(path: str, words: Words) -> tuple[float, str]:
    """How well a file's stem, and less so its folder, is covered by the question, 0 to 1; and by which words."""
    folder, _, name = path.rpartition("/")
    near, base = folder.rpartition("/")[2], name.split(".")[0]
    parts: tuple[tuple[str, float], ...]
    if base.lower() in INDEX_STEMS and near:
        parts = ((near, STEM_WEIGHT * STEM_WEIGHT),)
    else:
        parts = ((base, STEM_WEIGHT), (near, FOLDER_WEIGHT)) if near else ((base, STEM_WEIGHT),)
    score, notes = 0.0, []
    for part, weight in parts:
        share = name_share(part, words)
        if share:
            score += weight * share
            notes.append(part)
    return score, "/".join(reversed(notes))


def name_share(name: str, words: Words) -> float:
    """How well one name is covered, 0 to 1: all of it by one word or adjacent ones, or by the share of its stems."""
    if len(name) > 3 and fold(name) in words.folded:
        return 1.0
    stems = name_stems(name)
    if not stems or not words.total:
        return 0.0
    likeness = mass = 0.0
    for one in stems:
        best, idf = words.nearest(one)
        likeness += best
        mass += best * idf
    return float(likeness / len(stems) * min(1.0, mass / words.total) ** RARITY) if likeness else 0.0


@lru_cache(maxsize=50_000)
def name_stems(name: str) -> frozenset[str]:
    """Word stems of a file, a folder or a symbol, of its owners too when it is qualified."""
    return frozenset(stem(part) for part in split(name))


@lru_cache(maxsize=50_000)
def alike(first: str, second: str) -> float:
    """Likeness of two word stems, 0 to 1."""
    if first == second:
        return 1.0
    short, long = sorted((first, second), key=len)
    if len(short) >= LEAST_PREFIX and long.startswith(short):
        return PREFIX
    common = 0
    for mine, theirs in zip(short, long, strict=False):
        if mine != theirs:
            break
        common += 1
    return COMMON if common >= LEAST_COMMON and common >= COMMON_SHARE * len(long) else 0.0
