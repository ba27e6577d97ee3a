"""The model that ships in the package: one vector a word, summed. numpy only, no download, no key.

How it was trained, on what, and how good it is: training/MODEL_CARD.md in the repository.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trigpoint.embedders.words import Vocabulary
from trigpoint.model import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    _Kind = TypeVar("_Kind", np.int8, np.float32)

SHIPPED = Path(__file__).parent / "static_model"

NAME_WEIGHT = 1.0
"""Of the vector of a chunk's name, added to that of its code, so that one vector holds both. Chosen on the tuning repositories
(benchmarks/meaning)."""

_FEW = 200
"""Passages up to which the words they hold are made floats, not all of the table: that takes 30 ms."""

_BATCH = 512
"""Passages whose word vectors are summed at once: 25 MB of floats, which stays in reach of the caches."""


_MOST_NAMES = 50_000
"""Names whose vectors are remembered: 50 MB."""


class StaticEmbedder:
    """ports.Embedder: a text is the sum over its distinct words of sqrt(count) * weight * vector, at unit length.

    So is a text with its name: at whatever length their sum has, code that repeats its name stands before code that says more.
    """

    batch = 4_096
    changeable = False

    def __init__(self, folder: Path = SHIPPED) -> None:
        self._folder = folder
        about = json.loads((folder / "model.json").read_text())
        self.name: str = about["name"]
        self.fingerprint = f"{about['fingerprint']}-{NAME_WEIGHT}"
        self.dimensions: int = about["dimensions"]
        self._many = False  # whether all of the table is wanted as floats
        self.pooled = 0  # a sum of words has no end

    def encode_documents(self, passages: Sequence[Passage]) -> Matrix:
        """One row of unit length a passage: its text, and its name at NAME_WEIGHT of that. Without a known word, zeros."""
        import numpy as np

        numbers = self._vocabulary.numbers
        out = np.zeros((len(passages), self.dimensions), np.float32)
        for start in range(0, len(passages), _BATCH):
            some = passages[start : start + _BATCH]
            place = slice(start, start + len(some))
            out[place] = self._sums([numbers(one.text) for one in some], self._written)
            names = self._named([one.name for one in some])
            for row, one in enumerate(some, start):
                if one.name:
                    out[row] += names[one.name]
        return _unit(out)

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """One row of unit length a text; zeros for one without a known word."""
        import numpy as np

        out = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            counted = Counter(self._vocabulary.numbers(text))
            if counted:
                words = np.fromiter(counted, np.int64, len(counted))
                counts = np.fromiter(counted.values(), np.float32, len(counted))
                weights = np.sqrt(counts) * self._asked[words]
                out[row] = _unit(weights @ self._codes[words].astype(np.float32))
        return out

    def _named(self, names: Sequence[str]) -> dict[str, Matrix]:
        """The weighted vectors of names, remembered: chunks of one definition share theirs."""
        known = self._names
        if len(known) > _MOST_NAMES:
            known.clear()
        new = [one for one in dict.fromkeys(names) if one and one not in known]
        if new:
            rows = self._sums([self._vocabulary.numbers(one) for one in new], self._written) * NAME_WEIGHT
            known.update(zip(new, rows, strict=True))
        return known

    def _sums(self, texts: Sequence[Sequence[int]], weights: Matrix) -> Matrix:
        """Unit vectors of many texts, given as numbers of words."""
        import numpy as np

        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        flat = np.fromiter(chain.from_iterable(texts), np.int64, int(lengths.sum()))
        size = len(self._vocabulary.words)
        keys, counts = np.unique(np.repeat(np.arange(len(texts)), lengths) * size + flat, return_counts=True)
        rows, words = keys // size, keys % size
        values = np.sqrt(counts).astype(np.float32) * weights[words]
        first = np.searchsorted(rows, np.arange(len(texts) + 1)).tolist()
        out = np.zeros((len(texts), self.dimensions), np.float32)
        table = self._table if self._many else self._codes
        for row, (start, end) in enumerate(
            pairwise(first)
        ):  # small enough for the caches, which a whole batch is not
            np.dot(values[start:end], table[words[start:end]].astype(np.float32, copy=False), out=out[row])
        return _unit(out)

    # what lies in the folder, read when first needed

    @cached_property
    def _names(self) -> dict[str, Matrix]:
        return {}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary((self._folder / "words.txt").read_text().split("\n"))

    @cached_property
    def _codes(self) -> NDArray[np.int8]:
        import numpy as np

        return _mapped(self._folder / "table.npy", np.int8, self.dimensions)

    @cached_property
    def _columns(self) -> Matrix:
        """Two numbers a word: the scale of its vector times its weight in questions, and the same in code."""
        import numpy as np

        return _mapped(self._folder / "weights.npy", np.float32, 2)

    @cached_property
    def _asked(self) -> Matrix:
        return self._columns[:, 0]

    @cached_property
    def _written(self) -> Matrix:
        return self._columns[:, 1]

    @cached_property
    def _table(self) -> Matrix:
        """All vectors as floats: 32 MB, for encoding many texts only."""
        import numpy as np

        return np.asarray(self._codes, np.float32)


def _mapped(path: Path, kind: type[_Kind], width: int) -> NDArray[_Kind]:
    """An array that numpy saved, of this kind and width: its own way to read the head imports a parser of Python."""
    import numpy as np

    with open(path, "rb") as file:
        start = 10 + int.from_bytes(file.read(10)[8:], "little")
    found: NDArray[_Kind] = np.memmap(path, kind, "r", start).reshape(-1, width)
    return found


def _unit(rows: Matrix) -> Matrix:
    """Rows at unit length; zeros stay zeros."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    made: Matrix = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return made
