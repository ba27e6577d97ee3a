"""How sure an answer is of its first result, and what to try when it is not: for programs and for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trigpoint.model import Pack, Span
from trigpoint.render.style import visible

_COMMANDS = {"pattern": "rg", "path": "look in", "question": "ask"}
"""What a person does with a suggestion of each kind."""


def sure(pack: Pack) -> str:
    """``confidence .93 (high)``; "" where an answer has none."""
    if pack.confidence is None:
        return ""
    return f"confidence {pack.confidence:.2f} ({pack.band})"


def lines(pack: Pack) -> Iterator[str]:
    """What to say beside an answer that is not sure: one line each."""
    if pack.confidence is None or pack.band == "high" or not pack.hits:
        return
    reads = ", ".join(str(one.span) for one in pack.recommended_reads)
    yield sure(pack) + (f"; to confirm, open {visible(reads)}" if reads else "")
    for one in pack.fallbacks:
        quoted = (
            f"'{one.text}'"
            if one.kind == "pattern"
            else f'"{one.text}"'
            if one.kind == "question"
            else one.text
        )
        yield visible(f"or {_COMMANDS[one.kind]} {quoted}" + (f" ({one.note})" if one.note else ""))


def keys(pack: Pack, place: Any) -> dict[str, Any]:
    """The keys of a JSON answer; ``place`` writes a span."""
    found: dict[str, Any] = {
        "confidence": None if pack.confidence is None else round(pack.confidence, 3),
        "band": pack.band,
    }
    if pack.recommended_reads:
        found["recommended_reads"] = [_read(one.span, one.why, place) for one in pack.recommended_reads]
    if pack.fallbacks:
        found["fallbacks"] = [
            {"kind": one.kind, "text": one.text, "note": one.note} for one in pack.fallbacks
        ]
    return found


def _read(span: Span, why: str, place: Any) -> dict[str, Any]:
    return {**place(span), "why": why}
