"""Identifiers and the lexical tokens made of them, the same at index and at query time.

An identifier gives: itself in lower case, itself without underscores (so that ``parse_url`` and ``parseUrl`` meet),
its parts, and the Porter stems of its parts, marked with ``~`` so that a stem is never taken for an exact name.
A change of any token made here needs a higher VERSION: stored postings are rebuilt when it differs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from trigpoint.model import Term
from trigpoint.text.stems import STEM_MARK, stem

VERSION = 1

_CACHE_ENTRIES = 100_000  # about 30 MB; a 90 MB tree has 400,000 distinct identifiers, most of them seen once
_LONGEST = 128  # characters; what is longer is data, and is known by its beginning only

_ASCII_WORDS = re.compile(r"[A-Za-z0-9_]+")
_ASCII_WORDS_AND_BREAKS = re.compile(r"[A-Za-z0-9_]+|\n")
_WORDS = re.compile(r"\w+")
_ASCII_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")

# Scripts written without spaces between words, or with particles glued on (Hangul): single characters and pairs.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)

WHOLE = 1.0
FOLDED = 0.8
PART = 0.5
STEM = 0.25
WORD = 1.0
WORD_STEM = 0.5
"""Query weights: how much a token of each origin counts in BM25. Exact names first, stems weakest."""


class _Fragments(dict[str, str]):
    """A bounded memory of parts as written: the part in lower case, and its stem where that differs."""

    def __missing__(self, part: str) -> str:
        if len(self) >= _CACHE_ENTRIES:
            self.clear()
        word = part.lower()
        root = stem(word)
        made = word if root == word else f"{word} {STEM_MARK}{root}"
        self[part] = made
        return made


class _Tokens(dict[str, str]):
    """A bounded memory of the tokens of identifiers: emptied when full, which costs less than keeping an order."""

    def __missing__(self, identifier: str) -> str:
        if len(self) >= _CACHE_ENTRIES:
            self.clear()
        made = self[identifier] = _joined_tokens(identifier)
        return made


class _Parts(dict[str, tuple[str, ...]]):
    """A bounded memory of ``split``."""

    def __missing__(self, identifier: str) -> tuple[str, ...]:
        if len(self) >= _CACHE_ENTRIES:
            self.clear()
        parts = _ascii_parts(identifier) if identifier.isascii() else _unicode_parts(identifier)
        self[identifier] = parts
        return parts


_fragments = _Fragments()
_tokens = _Tokens()
_parts = _Parts()


def split(identifier: str) -> tuple[str, ...]:
    """The lower-case parts of a name, in order: ``HTTPServer2`` is http, server, 2.

    Takes camel, Pascal, snake and kebab case, acronyms, digits; anything between words separates. Letters with
    accents give the part as written and without accents; CJK text gives single characters, then pairs.
    """
    return _parts[identifier]


def fold(name: str) -> str:
    """The name without case and underscores: ``HTTP_Server`` and ``httpServer`` are both httpserver."""
    return name.lower().replace("_", "")


def words_in(text: str) -> list[str]:
    """Every identifier-like word of a text, as written, in order."""
    if text.isascii():
        return _ASCII_WORDS.findall(text)
    return _WORDS.findall(unicodedata.normalize("NFC", text))


def words_and_breaks(text: str) -> list[str]:
    """The same, with every line end among them."""
    if text.isascii():
        return _ASCII_WORDS_AND_BREAKS.findall(text)
    return re.findall(r"\w+|\n", unicodedata.normalize("NFC", text))


def tokens_of(identifier: str) -> tuple[str, ...]:
    """The distinct tokens of one identifier: whole, folded, then each part with its stem."""
    return tuple(dict.fromkeys(_tokens[identifier].split()))


def index_text(text: str) -> str:
    """The tokens of a text joined by single spaces, with repetitions: what is handed to a postings writer."""
    return " ".join(map(_tokens.__getitem__, words_in(text)))


def index_tokens(text: str) -> list[str]:
    """The tokens of a text, with repetitions."""
    return index_text(text).split()


def path_words(path: str) -> tuple[str, ...]:
    """The distinct lower-case words of a path: its segments, their stems without suffix, and the parts of both."""
    words: dict[str, None] = {}
    for segment in path.replace("\\", "/").split("/"):
        for name in (segment, segment.partition(".")[0]):
            words[name.lower()] = None
            words[fold(name)] = None
            words.update(dict.fromkeys(split(name)))
    words.pop("", None)
    return tuple(words)


@lru_cache(maxsize=50_000)
def name_words(name: str) -> tuple[str, ...]:
    """The distinct words a simple name can be found by: its parts and its folded whole."""
    words = dict.fromkeys((*split(name), "".join(fold(name).split())))
    words.pop("", None)
    return tuple(words)


def query_terms(words: Sequence[str], identifiers: Sequence[str]) -> tuple[Term, ...]:
    """Weighted BM25 terms for natural-language words and for names as written (``A.b``, ``f()``, ``parseConfig``).

    Each token comes once, with the highest weight that any origin gives it, in order of first sight.
    """
    weights: dict[str, float] = {}
    for name in identifiers:
        for word in words_in(name):
            _weigh(weights, _identifier_terms(word))
    for given in words:
        for word in words_in(given):
            _weigh(weights, _word_terms(word))
    return tuple(Term(token, weight) for token, weight in weights.items())


def _joined_tokens(identifier: str) -> str:
    whole = identifier.lower()
    if len(whole) > _LONGEST:
        return whole[:_LONGEST]
    if not identifier.isascii():
        tokens = " ".join(
            (whole, whole.replace("_", ""), *map(_fragments.__getitem__, _unicode_parts(identifier)))
        )
        return " ".join(dict.fromkeys(tokens.split()))
    if identifier.isalpha() and whole == identifier:
        return _fragments[whole]
    parts = [_fragments[part] for part in _ASCII_PARTS.findall(identifier)]
    folded = whole.replace("_", "")
    if len(parts) == 1 and folded == whole:
        return parts[0]
    names = whole if folded == whole or len(parts) < 2 else f"{whole} {folded}"
    return f"{names} {' '.join(parts)}"


def _weigh(weights: dict[str, float], terms: Iterable[tuple[str, float]]) -> None:
    for token, weight in terms:
        if token and weight > weights.get(token, 0.0):
            weights[token] = weight


def _identifier_terms(identifier: str) -> list[tuple[str, float]]:
    whole = identifier.lower()[:_LONGEST]
    terms = [(whole, WHOLE), (whole.replace("_", ""), FOLDED)]
    if len(identifier) > _LONGEST:
        return terms[:1]
    for part in split(identifier):
        terms += [(part, PART), *_stem_terms(part, STEM)]
    return terms


def _word_terms(word: str) -> list[tuple[str, float]]:
    parts = split(word)
    if parts != (word.lower(),):
        return _identifier_terms(word)
    return [(parts[0], WORD), *_stem_terms(parts[0], WORD_STEM)]


def _stem_terms(part: str, weight: float) -> list[tuple[str, float]]:
    """A document keeps a stem only where it differs from the part, so a query asks for both spellings of it."""
    root = stem(part)
    marked = [(STEM_MARK + root, weight)] if root else []
    return marked if root == part else [*marked, (root, weight)]


def _ascii_parts(identifier: str) -> tuple[str, ...]:
    if identifier.islower() and identifier.isalpha():
        return (identifier,)
    return tuple([part.lower() for part in _ASCII_PARTS.findall(identifier)])


@lru_cache(maxsize=1)
def _runs() -> re.Pattern[str]:
    """Compiled when first asked: it takes 2 ms, and most questions are ASCII."""
    return re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|(?P<digits>\d+)|(?P<letters>[^\W\d_{_UNSPACED}]+)")


def _unicode_parts(identifier: str) -> tuple[str, ...]:
    parts: list[str] = []
    for run in _runs().finditer(identifier):
        text = run.group()
        if run.lastgroup == "unspaced":
            parts.extend(text)
            parts.extend(text[at : at + 2] for at in range(len(text) - 1))
        elif run.lastgroup == "digits":
            parts.append(text)
        else:
            parts.extend(_letter_parts(text))
    return tuple(dict.fromkeys(parts))


def _letter_parts(text: str) -> Iterable[str]:
    """Words of a run of letters in any script with case, each followed by its spelling without accents."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and not _boundary(text, at):
            continue
        word = text[start:at].lower()
        start = at
        yield word
        plain = _without_accents(word)
        if plain != word:
            yield plain


def _boundary(text: str, at: int) -> bool:
    """Whether a new part starts at ``at``: after a lower-case letter, or before the last capital of an acronym."""
    if not text[at].isupper():
        return False
    return not text[at - 1].isupper() or (at + 1 < len(text) and text[at + 1].islower())


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
