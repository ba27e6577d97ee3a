"""Any service that speaks POST …/embeddings as OpenAI does: OpenAI, Ollama, vLLM, TEI, LM Studio and many more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trigpoint.errors import ProviderError
from trigpoint.services.http import Endpoint
from trigpoint.services.retries import Patience


class OpenAISender:
    """remote.Sender by HTTP. ``shorten`` asks the service for so many numbers a vector; 0 for all that it has."""

    def __init__(self, endpoint: Endpoint, model: str, shorten: int = 0) -> None:
        self._endpoint = endpoint
        self._model = model
        self._shorten = shorten

    def __repr__(self) -> str:
        return repr(self._endpoint)

    def send(self, texts: Sequence[str], query: bool, patience: Patience) -> Any:
        """One list of numbers a text, in the order of the texts."""
        body: dict[str, Any] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if self._shorten:
            body["dimensions"] = self._shorten
        answer = self._endpoint.post("embeddings", body, patience)
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
            raise ProviderError(
                f"{self._endpoint} answers without vectors: {self._endpoint.quoted(answer, 120)}",
                "is this the address of a model for embeddings?",
            )
        return in_order(data)


def in_order(data: Sequence[dict[str, Any]]) -> list[Any]:
    """The vectors by the index that each carries; as they come where some carry none, or one twice."""
    places = [one.get("index") for one in data]
    if sorted(place for place in places if isinstance(place, int)) == list(range(len(data))):
        data = sorted(data, key=lambda one: int(one["index"]))
    return [one.get("embedding") for one in data]
