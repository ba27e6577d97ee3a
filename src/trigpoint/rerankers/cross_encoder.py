"""Cross-encoders: question and passage go through the model together. Long passages go in windows; the best one counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from trigpoint.errors import ProviderError
from trigpoint.model import Passage
from trigpoint.rerankers.embedding import in_time
from trigpoint.services.onnx import Session
from trigpoint.services.packages import package

BATCH = 4
"""Windows run between two looks at the clock."""
LONGEST = 512
"""Tokens of question and passage together: what most cross-encoders were trained with."""


class OnnxCrossEncoder:
    """ports.Reranker over model.onnx and tokenizer.json of a folder; its first output is one number a pair."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self._session = Session(folder, LONGEST)

    def scores(
        self, question: str, passages: Sequence[Passage], left: Callable[[], float]
    ) -> Sequence[float]:
        """One number a passage, in order."""
        owners, windows = self._session.pairs(question, [_text(one) for one in passages])
        best: list[float | None] = [None] * len(passages)
        in_time(left)
        for places, answer, _ in self._session.runs(windows, BATCH):
            for place, row in zip(places, answer.reshape(len(places), -1)[:, -1].tolist(), strict=True):
                former = best[owners[place]]
                best[owners[place]] = row if former is None else max(former, row)
            in_time(left)
        return [float("-inf") if one is None else one for one in best]


class SentenceCrossEncoder:
    """ports.Reranker over a cross-encoder that sentence-transformers loads, from this machine only."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._name = model

    def scores(
        self, question: str, passages: Sequence[Passage], left: Callable[[], float]
    ) -> Sequence[float]:
        """One number a passage, in order."""
        owners, pairs = [], []
        for owner, one in enumerate(passages):
            text = _text(one)
            for start in range(0, max(1, len(text)), _CHARACTERS):
                owners.append(owner)
                pairs.append((question, text[start : start + _CHARACTERS]))
        best = [float("-inf")] * len(passages)
        for start in range(0, len(pairs), BATCH):
            in_time(left)
            made = self._model.predict(pairs[start : start + BATCH], show_progress_bar=False)
            for place, value in enumerate(made, start):
                best[owners[place]] = max(best[owners[place]], float(value))
        in_time(left)
        return best

    @cached_property
    def _model(self) -> Any:
        found = package("sentence_transformers", "sentence-transformers")
        try:
            return found.CrossEncoder(self._name, device="cpu", local_files_only=True)
        except (OSError, ValueError, ImportError) as error:
            raise ProviderError(
                f"the model {self._name} is not on this machine: {' '.join(str(error).split())[:160]}",
                "nothing is fetched by trig: fetch it with the tools of its hub, or give a folder in rerank.model",
            ) from None


_CHARACTERS = 1_400
"""Of a passage that surely fit beside a question."""


def _text(passage: Passage) -> str:
    return f"{passage.name}\n{passage.text}"
