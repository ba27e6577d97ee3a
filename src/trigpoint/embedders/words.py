"""The words of a text by their number in a vocabulary: identifiers split as the lexical index splits them.

A word that the vocabulary lacks stands for its stem, else for the longest pieces of it that the vocabulary has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from trigpoint.text.identifiers import split, words_in
from trigpoint.text.stems import stem

MOST_IDENTIFIERS = 50_000
"""Of one text that are read: a chunk has 60, one in four thousand more than 600; this only bounds what a question may cost."""

_CACHE_ENTRIES = 200_000
_LONGEST_PIECE = 24


class Vocabulary:
    """Numbers of words, with a bounded memory of whole identifiers."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._number = {word: number for number, word in enumerate(words)}
        self._identifiers = _Identifiers(self)

    def numbers(self, text: str) -> list[int]:
        """The numbers of all words of a text, in order, with repetitions."""
        return list(
            chain.from_iterable(map(self._identifiers.__getitem__, words_in(text)[:MOST_IDENTIFIERS]))
        )

    def of_word(self, word: str) -> tuple[int, ...]:
        """The numbers that a lower-case word stands for."""
        found = self._number.get(word)
        if found is None:
            found = self._number.get(stem(word))
        return (found,) if found is not None else tuple(self._pieces(word))

    def _pieces(self, word: str) -> list[int]:
        """The longest known pieces from the left; single letters only in words that have no more."""
        found, at, length = [], 0, len(word)
        while at < length:
            for end in range(min(length, at + _LONGEST_PIECE), at, -1):
                number = self._number.get(word[at:end])
                if number is not None and (end - at > 1 or length < 3):
                    found.append(number)
                    at = end
                    break
            else:
                at += 1
        return found


class _Identifiers(dict[str, tuple[int, ...]]):
    """Identifier as written -> numbers; emptied when full."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def __missing__(self, identifier: str) -> tuple[int, ...]:
        if len(self) >= _CACHE_ENTRIES:
            self.clear()
        parts = split(identifier[:128])
        made = tuple(chain.from_iterable(map(self._vocabulary.of_word, parts)))
        self[identifier] = made
        return made
