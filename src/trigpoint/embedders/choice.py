"""A name and some wishes become an embedder. What sends text away does so only to an address that was named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trigpoint.embedders.known import KNOWN, Known
from trigpoint.errors import ConfigError
from trigpoint.ports import Embedder
from trigpoint.services.http import Endpoint
from trigpoint.services.retries import Patience


class Wishes(NamedTuple):
    """What settings say of the embedder that is chosen; empty values leave what its row says."""

    model: str = ""
    endpoint: str = ""  # the address that may be sent the code
    key: str = ""
    dimensions: int = 0
    max_tokens: int = 0
    batch_tokens: int = 0
    query_prompt: str = ""
    document_prompt: str = ""
    revision: str = ""
    tries: int = 6
    seconds: float = 60.0


def embedder(name: str, wishes: Wishes) -> Embedder | None:
    """The embedder of this name, nothing loaded and nobody asked yet; None for "none".

    Raises ConfigError for an unknown name, and for a service whose address was not allowed.
    """
    known = row_of(name)
    return MAKERS[known.kind](shaped(known, wishes), wishes)


def row_of(name: str) -> Known:
    """The row of a name, or that of any service for an address."""
    if name.startswith(("http://", "https://")):
        return KNOWN["http"]._replace(endpoint=name)
    if name not in KNOWN:
        raise ConfigError(
            f"no embedder is called {name!r}", f"it is one of: {', '.join(KNOWN)}, or an address"
        )
    return KNOWN[name]


def shaped(known: Known, wishes: Wishes) -> Known:
    """The row with what is wished otherwise."""
    given: dict[str, Any] = {
        "model": wishes.model,
        "dimensions": wishes.dimensions,
        "max_tokens": wishes.max_tokens,
        "tokens": wishes.batch_tokens,
        "query_prompt": wishes.query_prompt,
        "document_prompt": wishes.document_prompt,
    }
    changed = {key: value for key, value in given.items() if value}
    if wishes.model and wishes.model != known.model and not wishes.dimensions:
        changed["dimensions"] = 0  # of another model than the row speaks of
    return known._replace(**changed)


def allowed(known: Known, wishes: Wishes) -> Endpoint:
    """The address of a service, when settings name it.

    Raises ConfigError where they do not: choosing a model is no leave to send code anywhere.
    """
    if not wishes.endpoint:
        address = known.endpoint or "http://127.0.0.1:11434/v1"
        raise ConfigError(
            f"{known.name} would send the text of your code to {known.endpoint or 'a service'}",
            f'allow it by naming the address: embedding.endpoint = "{address}", in your user file, '
            "the environment or by --set",
        )
    return Endpoint(wishes.endpoint, wishes.key)


def _static(known: Known, wishes: Wishes) -> Embedder:
    from trigpoint.embedders.static import StaticEmbedder

    return StaticEmbedder()


def _hashing(known: Known, wishes: Wishes) -> Embedder:
    from trigpoint.embedders.hashing import HashingEmbedder

    return HashingEmbedder(wishes.dimensions or 64)


def _onnx(known: Known, wishes: Wishes) -> Embedder:
    from trigpoint.embedders.onnx import OnnxEmbedder, packaged

    if known.name == "minilm" and not wishes.model:
        return OnnxEmbedder(known, packaged())
    if not wishes.model:
        raise ConfigError(f"{known.name} needs a model", "name the folder of model.onnx in embedding.model")
    return OnnxEmbedder(known, Path(wishes.model).expanduser())


def _sentence(known: Known, wishes: Wishes) -> Embedder:
    from trigpoint.embedders.sentence import SentenceEmbedder

    return SentenceEmbedder(known, wishes.revision)


def _http(known: Known, wishes: Wishes) -> Embedder:
    from trigpoint.embedders.http import OpenAISender
    from trigpoint.embedders.remote import Limits, RemoteEmbedder

    sender = OpenAISender(allowed(known, wishes), known.model or "default", wishes.dimensions)
    patience = Patience(wishes.tries, wishes.seconds)
    return RemoteEmbedder(known, sender, Limits(known.inputs, known.tokens, patience))


def _litellm(known: Known, wishes: Wishes) -> Embedder:
    from trigpoint.embedders.litellm import LiteLLMSender
    from trigpoint.embedders.remote import Limits, RemoteEmbedder

    sender = LiteLLMSender(known, allowed(known, wishes), wishes.key, wishes.dimensions)
    patience = Patience(wishes.tries, wishes.seconds)
    return RemoteEmbedder(known, sender, Limits(known.inputs, known.tokens, patience))


MAKERS: Mapping[str, Callable[[Known, Wishes], Embedder | None]] = {
    "static": _static,
    "none": lambda known, wishes: None,
    "hashing": _hashing,
    "onnx": _onnx,
    "sentence": _sentence,
    "http": _http,
    "litellm": _litellm,
}
"""How each kind of model is made."""
