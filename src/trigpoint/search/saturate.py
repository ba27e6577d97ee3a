"""Order hits so that one file, or copies of one text, do not fill the list."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.search.ranking import Candidates


def saturate(state: Candidates, limit: int, repeat: float) -> tuple[list[int], dict[int, tuple[str, ...]]]:
    """The first ``limit`` chunks and the other paths of those that have copies.

    Each further chunk of a file keeps ``repeat`` of its score, compounded.
    """
    order, copies = _without_copies(state, state.ordered())
    seen: dict[str, int] = {}
    for chunk in order:
        path = state.chunks[chunk].path
        before = seen.get(path, 0)
        seen[path] = before + 1
        if before:
            lost = state.score(chunk) * (1.0 - repeat**before)
            state.add(chunk, "signal:repeat", -lost, f"{before + 1}. of its file")
    kept = [chunk for chunk in state.ordered() if chunk not in copies.hidden]
    return kept[:limit], copies.paths


class _Copies:
    def __init__(self) -> None:
        self.hidden: set[int] = set()
        self.paths: dict[int, tuple[str, ...]] = {}


def _without_copies(state: Candidates, order: Sequence[int]) -> tuple[list[int], _Copies]:
    first: dict[str, int] = {}
    others: dict[int, list[str]] = {}
    found = _Copies()
    kept = []
    for chunk in order:
        stored = state.chunks[chunk]
        leader = first.setdefault(stored.chunk.digest, chunk)
        if leader == chunk:
            kept.append(chunk)
        else:
            found.hidden.add(chunk)
            others.setdefault(leader, []).append(stored.path)
    found.paths = {leader: tuple(paths) for leader, paths in others.items()}
    return kept, found
