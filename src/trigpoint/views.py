"""How the parts of an index stand, each for itself: lexical, symbols, edges and vectors."""

from __future__ import annotations

from collections.abc import Mapping

Views = dict[str, tuple[str, str]]
"""By name: the state (fresh, building, stale, failed; of vectors also absent and partial), and the reason."""


def views(
    *,
    changed: int,
    failures: Mapping[str, str],
    linked: bool,
    link_fault: str,
    vectors: str,
    blind: str,
    writing: bool,
) -> Views:
    """The states of one generation.

    ``changed`` counts files that differ from it, ``failures`` are views that cannot be read, ``linked`` whether its edges are
    whole and ``link_fault`` why not, ``vectors`` their own state ("off" for none), ``blind`` why they cannot be asked,
    ``writing`` whether a writer is at work.
    """
    rows = ("stale", f"{changed:,} files have changed since") if changed else ("fresh", "")
    found: Views = {"lexical": rows, "symbols": rows, "edges": rows}
    if link_fault:
        found["edges"] = ("failed", link_fault)
    elif not linked:
        found["edges"] = ("building", "linking goes on") if writing else ("stale", _UNLINKED)
    if vectors != "off":
        found["vectors"] = _vectors(vectors, blind, writing=writing) if vectors != "fresh" else rows
    found.update((name, ("failed", reason)) for name, reason in failures.items())
    return found


_UNLINKED = "not linked since files changed; `trig index` links them"
_BLIND = "answered by words alone: "


def _vectors(state: str, blind: str, *, writing: bool) -> tuple[str, str]:
    reason = blind.removeprefix(_BLIND)
    if state == "failed" or not writing:
        return state, reason
    return "building", "vectors are made last"
