"""Language models behind a service that speaks POST …/chat/completions as OpenAI does: one question, one structured answer."""

from __future__ import annotations

import json
import re
from typing import Any

from trigpoint.errors import ProviderError
from trigpoint.services.http import Endpoint
from trigpoint.services.retries import Patience

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class Chat:
    """One model at one address. Asks for JSON by schema, and without one where the service does not know schemas."""

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint, self.model = endpoint, model
        self._schemas = True

    def ask(self, system: str, text: str, schema: dict[str, Any], patience: Patience) -> str:
        """What the model says, as it says it. Raises ProviderError."""
        if self._schemas:
            try:
                return self._said(self._body(system, text) | {"response_format": _format(schema)}, patience)
            except ProviderError as error:
                if "answers 400" not in error.message and "answers 422" not in error.message:
                    raise
                self._schemas = False
        return self._said(self._body(system, text), patience)

    def _body(self, system: str, text: str) -> dict[str, Any]:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
        return {"model": self.model, "messages": messages, "temperature": 0, "stream": False}

    def _said(self, body: dict[str, Any], patience: Patience) -> str:
        answer = self._endpoint.post("chat/completions", body, patience)
        try:
            return str(answer["choices"][0]["message"]["content"] or "")
        except (KeyError, IndexError, TypeError):
            said = self._endpoint.quoted(answer, 120)
            raise ProviderError(
                f"{self._endpoint} answers without words: {said}", "is this the address of a chat model?"
            ) from None


def _format(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def in_json(said: str) -> dict[str, Any]:
    """The JSON object in an answer, whatever stands around it; {} where there is none."""
    found = _OBJECT.search(said)
    try:
        made = json.loads(found[0]) if found else {}
    except ValueError:
        return {}
    return made if isinstance(made, dict) else {}
