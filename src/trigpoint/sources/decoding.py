"""Bytes to text. Nothing is normalised: line ends, form feeds and odd characters stay as the file has them."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
_DECLARED = re.compile(
    rb"(?:coding[:=]|encoding\s*=\s*[\"']|charset\s*=\s*[\"']?)\s*([-\w.]{2,40})", re.IGNORECASE
)
_CONTROL = bytes(code for code in (*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F))
_SAMPLE = 8192
_CONTROL_SHARE = 0.02  # more control characters than this in the sample: no text
_BROKEN_SHARE = (
    0.1  # at most this share of the non-ASCII characters broken: UTF-8 with accidents, not Latin-1
)


class Decoded(NamedTuple):
    """The text of a file and how it was read. ``guessed`` when nothing in the file says so for certain."""

    text: str
    encoding: str
    guessed: bool = False


def decode(data: bytes) -> Decoded | None:
    """The text of a file; None when it is not text. A byte order mark is left out of the text."""
    for mark, codec, name in _BOMS:
        if data.startswith(mark):
            return _after_mark(data[len(mark) :], codec, name)
    if b"\0" in data:
        return _utf16_without_mark(data)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data)


def _after_mark(body: bytes, codec: str, name: str) -> Decoded | None:
    try:
        decoded = Decoded(body.decode(codec), name)
    except UnicodeDecodeError:
        decoded = Decoded(body.decode(codec, "replace"), name, guessed=True)
    return None if "\0" in decoded.text else decoded


def _utf16_without_mark(data: bytes) -> Decoded | None:
    """Mostly Latin text in UTF-16 has a zero in every second byte, always on the same side."""
    sample = data[:_SAMPLE]
    pairs = len(sample) // 2
    if len(data) % 2 or not pairs:
        return None
    high, low = sample[0::2].count(0), sample[1::2].count(0)
    if min(high, low) > 0 or max(high, low) < 0.7 * pairs:
        return None
    name = "utf-16-le" if low else "utf-16-be"
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else Decoded(text, name, guessed=True)


def _not_utf8(data: bytes) -> Decoded | None:
    sample = data[:_SAMPLE]
    if len(sample) - len(sample.translate(None, _CONTROL)) > _CONTROL_SHARE * len(sample):
        return None
    return _as_declared(data) or _nearly_utf8(data) or _western(data)


def _as_declared(data: bytes) -> Decoded | None:
    """By a coding line (PEP 263: one of the first two), an XML declaration or an HTML charset near the beginning."""
    head = data[:1024]
    first_two = b"\n".join(head.split(b"\n", 2)[:2])
    found = _DECLARED.search(first_two) or (_DECLARED.search(head) if b"<" in first_two else None)
    if not found:
        return None
    try:
        codec = codecs.lookup(found[1].decode("ascii")).name
        text = data.decode(codec)
    except (LookupError, UnicodeError, ValueError):
        return None
    return None if "\0" in text else Decoded(text, {"iso8859-1": "latin-1"}.get(codec, codec))


def _nearly_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", "replace")
    foreign = sum(not character.isascii() for character in text)
    if text.count("\ufffd") > _BROKEN_SHARE * foreign:
        return None
    return Decoded(text, "utf-8", guessed=True)


def _western(data: bytes) -> Decoded:
    try:
        return Decoded(data.decode("cp1252"), "cp1252", guessed=True)
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "latin-1", guessed=True)
