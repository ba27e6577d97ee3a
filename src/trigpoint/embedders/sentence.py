"""Models that sentence-transformers loads, with the prompts that each wants. Never fetched by us: they are there, or said to be missing."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigpoint.embedders.known import Known
from trigpoint.embedders.parts import parts, pooled, unit, written
from trigpoint.errors import ConfigError, ProviderError
from trigpoint.model import Passage
from trigpoint.services.packages import package

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

CHARACTERS_A_TOKEN = 2
"""Below what any tokenizer needs for code, so that no part is longer than the model takes."""
BATCH = 16
_REVISION = re.compile(r"[0-9a-f]{40}")


class SentenceEmbedder:
    """ports.Embedder by the package of the extra `sentence-transformers`.

    Raises ConfigError when the model would run code of its own and no revision is pinned.
    """

    batch = 64
    changeable = False

    def __init__(self, known: Known, revision: str = "") -> None:
        if not known.model:
            raise ConfigError(
                f"{known.name} needs a model", "name its folder, or its name on the hub, in embedding.model"
            )
        checked_revision(known, revision)
        self.name = known.model
        self._known, self._revision = known, revision
        self.fingerprint = f"sentence-{_marks_of(known.model)}-{known.marks}-{revision[:12]}"
        self.pooled = 0

    @cached_property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        if self._known.dimensions:
            return self._known.dimensions
        model = self._model  # the method has another name since 6.0
        named = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        return int(named())

    def encode_documents(self, passages: Sequence[Passage]) -> Floats:
        """One unit vector a passage; zeros for a blank one."""
        texts = [written(one).strip() for one in passages]
        rows, several = self._encode(texts, self._known.document_prompt)
        self.pooled += several
        return rows

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """The same for questions."""
        return self._encode([text.strip() for text in texts], self._known.query_prompt)[0]

    def _encode(self, texts: Sequence[str], prompt: str) -> tuple[Floats, int]:
        """The vectors, and how many texts went in parts."""
        import numpy as np

        room = self._longest - len(prompt)
        pieces = [parts(text, room) if text else [] for text in texts]
        flat = [prompt + one for some in pieces for one in some]
        if not flat:
            return np.zeros((len(texts), self.dimensions), np.float32), 0
        rows = self._model.encode(
            flat, batch_size=BATCH, convert_to_numpy=True, show_progress_bar=False, prompt=""
        )
        return pooled(unit(np.asarray(rows, np.float32)), pieces), sum(1 for one in pieces if len(one) > 1)

    @property
    def _longest(self) -> int:
        own = getattr(self._model, "max_seq_length", None) or self._known.max_tokens
        return max(64, min(int(own), self._known.max_tokens) - 4) * CHARACTERS_A_TOKEN

    @cached_property
    def _model(self) -> Any:
        return loaded("SentenceTransformer", self._known, self._revision)


def checked_revision(known: Known, revision: str) -> None:
    """Raises ConfigError unless the revision is a full one, and there where the model runs code of its own."""
    if revision and not _REVISION.fullmatch(revision):
        raise ConfigError(
            f"embedding.revision {revision!r} is no full revision", "give all 40 letters and digits of it"
        )
    if known.remote_code and not revision and not Path(known.model).is_dir():
        raise ConfigError(
            f"{known.model} runs code of its own",
            "read that code, then allow it by setting embedding.revision to the 40 letters and digits of what you read",
        )


def loaded(kind: str, known: Known, revision: str) -> Any:
    """A model of sentence-transformers, from this machine only.

    Raises ConfigError where the package or the model is missing.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the package is imported
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    transformers = package("sentence_transformers", "sentence-transformers")
    package("transformers.utils.logging", "sentence-transformers").disable_progress_bar()
    asked: dict[str, Any] = {"device": "cpu", "local_files_only": True, "trust_remote_code": False}
    if revision:
        asked |= {"revision": revision, "trust_remote_code": known.remote_code}
    try:
        return getattr(transformers, kind)(known.model, **asked)
    except (OSError, ValueError, ImportError) as error:
        raise ProviderError(
            f"the model {known.model} is not on this machine: {' '.join(str(error).split())[:160]}",
            "nothing is fetched by trig: fetch it with the tools of its hub, or give a folder in embedding.model",
        ) from None


def _marks_of(model: str) -> str:
    """The name of a model; for one in a folder also its files with their sizes and times."""
    folder = Path(model)
    if not folder.is_dir():
        return model
    made = blake2b(digest_size=8)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            status = path.stat()
            made.update(f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return f"{folder.name}-{made.hexdigest()}"
