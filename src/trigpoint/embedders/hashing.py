"""An embedder for tests: every word has a fixed pseudo-random vector. Equal words meet, meaning does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from trigpoint.model import Passage
from trigpoint.text.identifiers import split, words_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HashingEmbedder:
    """ports.Embedder without a model."""

    batch = 4_096
    changeable = False

    def __init__(self, dimensions: int = 64) -> None:
        self.name = "hashing"
        self.fingerprint = f"hashing-1-{dimensions}"
        self.dimensions = dimensions
        self.pooled = 0  # a sum of words has no end

    def encode_documents(self, passages: Sequence[Passage]) -> NDArray[np.float32]:
        """One row a passage, of unit length; zeros for a text without words."""
        return self.encode_queries([f"{one.name} {one.text}" for one in passages])

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same for questions."""
        import numpy as np

        out = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for part in {part for word in words_in(text) for part in split(word)}:
                out[row] += np.random.default_rng(crc32(part.encode())).standard_normal(
                    self.dimensions, np.float32
                )
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        unit: NDArray[np.float32] = np.divide(out, lengths, out=out, where=lengths > 0)
        return unit
