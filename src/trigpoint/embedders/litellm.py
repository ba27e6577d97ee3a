"""Services that speak otherwise than OpenAI (Voyage, Gemini and a hundred more), through the adapter LiteLLM."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from trigpoint.embedders.http import in_order
from trigpoint.embedders.known import Known
from trigpoint.errors import ProviderError
from trigpoint.services.http import Endpoint, oversize
from trigpoint.services.packages import package
from trigpoint.services.retries import PASSING, Passing, Patience, retried, waiting_time

_TASKS = {"voyage": "input_type", "gemini": "task_type"}
"""What each provider calls the side of a text: question or document."""


class LiteLLMSender:
    """remote.Sender by the package of the extra `litellm`."""

    def __init__(self, known: Known, endpoint: Endpoint, key: str, shorten: int = 0) -> None:
        self._known, self._endpoint, self._key, self._shorten = known, endpoint, key, shorten
        self._own = endpoint.url != Endpoint(known.endpoint).url if known.endpoint else True

    def __repr__(self) -> str:
        return repr(self._endpoint)

    def send(self, texts: Sequence[str], query: bool, patience: Patience) -> Any:
        """One list of numbers a text, in the order of the texts."""
        return retried(lambda: self._once(texts, query, patience.limit), patience)

    def _once(self, texts: Sequence[str], query: bool, seconds: float) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the packages that it brings, about each other
            return self._asked(texts, query, seconds)

    def _asked(self, texts: Sequence[str], query: bool, seconds: float) -> Any:
        litellm = _package()
        asked: dict[str, Any] = {"timeout": seconds, "max_retries": 0, "num_retries": 0}
        if self._key:
            asked["api_key"] = self._key
        if self._own:
            asked["api_base"] = self._endpoint.url
        if self._shorten:
            asked["dimensions"] = self._shorten
        task = self._known.query_task if query else self._known.document_task
        if task:
            asked[_TASKS.get(self._known.model.partition("/")[0], "input_type")] = task
        try:
            answer = litellm.embedding(model=self._known.model, input=list(texts), **asked)
            return in_order([dict(one) for one in answer.data])
        except Exception as error:  # each provider has its own tree of errors; all carry a status
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> Exception:
        status = getattr(error, "status_code", 0) or 0
        message = f"{self._endpoint} answers {status or type(error).__name__}: {self._endpoint.quoted(error)}"
        if (too_much := oversize(status, str(error), message)) is not None:
            return too_much
        failure = ProviderError(message, "is the key in the environment, and the address right?")
        if status in PASSING or status == 0:
            headers = getattr(getattr(error, "response", None), "headers", None) or {}
            return Passing(failure, waiting_time(headers.get("retry-after")))
        return failure


def _package() -> Any:
    os.environ.setdefault(
        "LITELLM_LOCAL_MODEL_COST_MAP", "True"
    )  # else its import asks a host for a price list
    found = package("litellm", "litellm")
    found.telemetry = False
    found.suppress_debug_info = True
    return found
