"""Porter stems of natural-language words, for the weak half of a lexical match.

snowballstemmer is pure Python (15 µs a word) and hands over to PyStemmer (0.3 µs, same results) where that is
installed; both are asked once a distinct word.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

STEM_MARK = "~"
"""Set before a stem: no identifier holds it, so a stem never counts as an exact name."""

_SHORTEST = 3  # characters: below, a word is its own stem
_LONGEST = 24  # characters: above, it is no word of a language


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@lru_cache(maxsize=1)
def _porter() -> _Stemmer:
    import snowballstemmer  # type: ignore[import-untyped]

    made: _Stemmer = snowballstemmer.stemmer("porter")
    return made


def stem(word: str) -> str:
    """The Porter stem of a lower-case word; the word itself when it is short, long, or not plain letters."""
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isascii() or not word.isalpha():
        return word
    return _porter().stemWord(word)
