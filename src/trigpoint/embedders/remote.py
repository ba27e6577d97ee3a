"""Models behind a service: what all of them share. A sender only carries texts there and numbers back."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from trigpoint.embedders.known import Known
from trigpoint.embedders.parts import SHORTEST, parts, pooled, unit, written
from trigpoint.errors import ProviderError
from trigpoint.model import Passage
from trigpoint.services.http import TooLongError, TooManyError
from trigpoint.services.retries import Patience

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

CHARACTERS_A_TOKEN = 3
"""Of code; fewer than there are on average, so that batches stay within what a service takes."""
TOKENS_A_CHUNK = 800
"""At most, as settings are: what one call is given then fits one request, and no failure costs more than that."""
QUESTION_TRIES = 2
QUESTION_SECONDS = 10.0
"""A person waits for the vector of a question: less patience than for an index."""
PROBE = "where is the configuration read"
"""Embedded to learn how many numbers a vector of a model has."""


class Sender(Protocol):
    """The way to one service."""

    def send(self, texts: Sequence[str], query: bool, patience: Patience) -> Any:
        """A list of vectors, one a text, in order. Raises ProviderError, and TooLongError when an input is too long."""
        ...


class Limits(NamedTuple):
    """What one request may hold, and how long it may take."""

    inputs: int
    tokens: int
    patience: Patience


class RemoteEmbedder:
    """ports.Embedder over a sender: batches by tokens, splits and pools what is too long, checks every number."""

    changeable = True

    def __init__(self, known: Known, sender: Sender, limits: Limits) -> None:
        self.name = (
            f"{known.name} ({known.model})" if known.model and known.model != known.name else known.name
        )
        self.fingerprint = "-".join(("service", known.model or known.name, known.marks))
        self.pooled = 0
        self.batch = max(1, min(limits.inputs, limits.tokens // TOKENS_A_CHUNK))
        self._known, self._sender, self._limits = known, sender, limits
        self._dimensions = known.dimensions
        self._longest = known.max_tokens * CHARACTERS_A_TOKEN
        self._inputs = limits.inputs

    @property
    def dimensions(self) -> int:
        """Numbers in a vector; asked of the service when nobody said."""
        if not self._dimensions:
            self.encode_queries([PROBE])
        return self._dimensions

    def encode_documents(self, passages: Sequence[Passage]) -> Floats:
        """One unit vector a passage; zeros for a blank one, which is not sent."""
        return self._encode([*map(_stripped, passages)], query=False, patience=self._limits.patience)

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """The same for questions, with less patience."""
        given = self._limits.patience
        patience = given._replace(
            tries=min(given.tries, QUESTION_TRIES), seconds=min(given.seconds, QUESTION_SECONDS)
        )
        asked = [text if text.strip() else "" for text in texts]
        return self._encode(asked, query=True, patience=patience)

    def _encode(self, texts: Sequence[str], *, query: bool, patience: Patience) -> Floats:
        """One unit vector a text. The prompt stands before each part of a text that is too long."""
        import numpy as np

        prompt = self._known.query_prompt if query else self._known.document_prompt
        waiting = deque((row, text) for row, text in enumerate(texts) if text)
        made: list[list[tuple[str, list[float]]]] = [[] for _ in texts]
        while waiting:
            some = self._next(waiting, len(prompt))
            try:
                rows = self._sent([prompt + text for _, text in some], query, patience)
            except TooLongError as error:
                self._learn([prompt + text for _, text in some], error)
                waiting.extendleft(reversed(some))
                continue
            for (row, text), vector in zip(some, rows, strict=True):
                made[row].append((text, vector))
        if not query:
            self.pooled += sum(1 for some in made if len(some) > 1)
        vectors = np.array([vector for some in made for _, vector in some], np.float32)
        shaped = vectors.reshape(len(vectors), self._dimensions)
        return pooled(unit(shaped), [[text for text, _ in some] for some in made])

    def _next(self, waiting: deque[tuple[int, str]], prompt: int) -> list[tuple[int, str]]:
        """What one request takes of what is waiting; too long texts go in parts. ``prompt`` is the length of what comes before each."""
        some: list[tuple[int, str]] = []
        tokens, room = 0, max(SHORTEST // 2, self._longest - prompt)
        while waiting and len(some) < self._inputs:
            row, text = waiting.popleft()
            if len(text) > room:
                waiting.extendleft((row, part) for part in reversed(parts(text, room)))
                continue
            tokens += (prompt + len(text)) // CHARACTERS_A_TOKEN + 1
            if some and tokens > self._limits.tokens:
                waiting.appendleft((row, text))
                break
            some.append((row, text))
        return some

    def _learn(self, sent: Sequence[str], error: TooLongError) -> None:
        """Half of the texts, or of the longest one, is what the next try sends at most."""
        if isinstance(error, TooManyError) and len(sent) > 1:
            self._inputs = len(sent) // 2
            return
        longest = max(map(len, sent)) // 2
        if longest < SHORTEST:
            raise ProviderError(error.message, error.hint) from None
        self._longest = min(self._longest, longest)

    def _sent(self, texts: list[str], query: bool, patience: Patience) -> list[list[float]]:
        rows = self._sender.send(texts, query, patience)
        if problem := self._problem(rows, len(texts)):
            raise ProviderError(
                f"{self._sender!r} gave {problem} for {self.name}",
                'is the address right? `embedder = "static"` does without it',
            )
        self._dimensions = self._dimensions or len(rows[0])
        checked: list[list[float]] = rows
        return checked

    def _problem(self, rows: Any, count: int) -> str:
        """What is wrong with an answer; "" when it is what was promised."""
        if not isinstance(rows, list) or len(rows) != count:
            return f"{len(rows) if isinstance(rows, list) else 'no'} vectors for {count} texts"
        wanted = self._dimensions or (len(rows[0]) if isinstance(rows[0], list) else 0)
        for row in rows:
            if not isinstance(row, list) or not row or len(row) != wanted:
                got = len(row) if isinstance(row, list) else "no"
                return f"a vector of {got} numbers, where {wanted or 'some'} are expected,"
            try:
                length = math.sqrt(math.fsum(one * one for one in row))
            except (TypeError, OverflowError):
                return "vectors with something that is no number"
            if not math.isfinite(length):
                return "vectors with numbers that are not finite"
            if not length:
                return "vectors of zeros"
        return ""


def _stripped(passage: Passage) -> str:
    return written(passage).strip()
