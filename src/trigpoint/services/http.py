"""JSON to a service and JSON back: no redirects, one time limit for the whole answer, keys in no message."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from trigpoint.errors import ConfigError, ProviderError
from trigpoint.services.retries import PASSING, Passing, Patience, retried, waiting_time

QUOTED = 160
"""Characters of an odd answer that a message shows."""
LARGEST = 512 << 20
"""Bytes of an answer; more is no answer."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class TooLongError(ProviderError):
    """An input was longer than the model takes."""


class TooManyError(TooLongError):
    """A request held more texts, or more of them together, than the service takes at once."""


TOO_LONG = (
    "too long", "too large", "context length", "context size", "input length", "maximum context", "max_tokens",
    "exceeds", "token limit", "larger than", "longer than", "must have less than",
)  # fmt: skip
"""Words by which services say so, as there is no status for it."""
TOO_MANY = (
    "maximum allowed batch size", "in one batch", "too many inputs", "array too long", "tokens per request",
    "request entity too large", "payload too large", "content too large",
)  # fmt: skip
"""The same of a request as a whole."""
_REFUSING = frozenset({400, 413, 422, 500})
"""Statuses that come with these words; llama.cpp says 500 to a text that is too long."""


def oversize(status: int, said: str, message: str) -> TooLongError | None:
    """The error that tells what of a request was too much, read off a refusal; None where it was refused for something else."""
    text = said.lower()
    if status not in _REFUSING:
        return None
    if any(word in text for word in TOO_MANY):
        return TooManyError(message, "lower embedding.batch_tokens")
    if any(word in text for word in TOO_LONG):
        return TooLongError(message, "set embedding.max_tokens to what the model takes")
    return None


class Endpoint:
    """Where a service is, and the key that it wants. Prints as its address only."""

    __slots__ = ("_key", "url")

    def __init__(self, url: str, key: str = "") -> None:
        parts = urlsplit(url.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{url!r} is no address of a service", "give one like https://host/v1")
        if parts.username or parts.password or parts.query:
            raise ConfigError(
                "the address of a service may hold neither a name, a password nor a query",
                "keys are read from the environment",
            )
        if not (key.isascii() and key.isprintable()):  # else the error of the request would show it
            raise ConfigError(
                f"the key for {parts.hostname} holds a character that no header may carry",
                "a key is one line of plain letters: look at the environment variable that holds it",
            )
        self.url = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
        self._key = key

    def __repr__(self) -> str:
        return self.url

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return urlsplit(self.url).hostname in _LOOPBACK

    def clean(self, text: str) -> str:
        """The same without the key, should a service repeat it."""
        return text.replace(self._key, "[key]") if self._key else text

    def quoted(self, said: object, most: int = QUOTED) -> str:
        """The beginning of what the service said, on one line, without the key, also where it would be cut in two."""
        text = self.clean(" ".join(str(said).split()))
        return (text[:most] + "…" if len(text) > most else text) or "nothing"

    def post(self, path: str, body: Any, patience: Patience) -> Any:
        """The JSON that answers a JSON body; tried again while that may help.

        Raises TooLongError when an input is too long, ProviderError for everything else.
        """
        return retried(lambda: self._once(path, body, patience.limit), patience)

    def _once(self, path: str, body: Any, seconds: float) -> Any:
        url = f"{self.url}/{path}"
        if seconds <= 0:
            raise ProviderError(f"no time was left to ask {url}", "")
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        try:
            with _opener(proxied=not self.is_local).open(request, timeout=seconds) as answer:
                data = _whole(answer, time.monotonic() + seconds)
        except urllib.error.HTTPError as error:
            raise self._refused(url, error) from None
        except (TimeoutError, urllib.error.URLError, http.client.HTTPException, OSError) as error:
            raise Passing(
                ProviderError(self.clean(f"{url} does not answer: {_cause(error)}"), _HINT)
            ) from None
        return self._parsed(url, data)

    def _refused(self, url: str, error: urllib.error.HTTPError) -> Exception:
        try:
            said = error.read(64_000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            said = ""
        message = f"{url} answers {error.code}: {self.quoted(said)}"
        if (too_much := oversize(error.code, said, message)) is not None:
            return too_much
        if error.code in PASSING:
            return Passing(ProviderError(message, _HINT), waiting_time(error.headers.get("Retry-After")))
        hint = "is the key in the environment, and right?" if error.code in (401, 403) else _HINT
        return ProviderError(message, hint)

    def _parsed(self, url: str, data: bytes) -> Any:
        try:
            return json.loads(data)
        except ValueError:
            said = self.quoted(data[:4_000].decode("utf-8", "replace"))
            raise ProviderError(f"{url} answers with something that is no JSON: {said}", _HINT) from None


_HINT = "is the address right, and the service up?"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry code and key to an address that nobody has allowed."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _opener(*, proxied: bool) -> urllib.request.OpenerDirector:
    proxies = urllib.request.ProxyHandler() if proxied else urllib.request.ProxyHandler({})
    return urllib.request.build_opener(proxies, _NoRedirects)


def _whole(answer: http.client.HTTPResponse, until: float) -> bytes:
    """All of an answer, within the time."""
    parts, size = [], 0
    while part := answer.read1(1 << 20):
        parts.append(part)
        size += len(part)
        if time.monotonic() > until:
            raise TimeoutError("the answer took too long")
        if size > LARGEST:
            raise ProviderError(f"an answer of more than {LARGEST:,} bytes")
    if (promised := answer.headers.get("Content-Length", "")).isdecimal() and size < int(promised):
        raise http.client.IncompleteRead(b"", int(promised) - size)
    return b"".join(parts)


def _cause(error: BaseException) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, http.client.IncompleteRead):
        return "the answer broke off"
    return "no answer in time" if isinstance(reason, TimeoutError) else str(reason) or type(reason).__name__
