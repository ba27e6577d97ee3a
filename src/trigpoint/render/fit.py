"""The promise of a token budget holds for the whole answer as it is written, not only for the code in it."""

from __future__ import annotations

from collections.abc import Callable

from trigpoint.model import Pack


def fit(pack: Pack, write: Callable[[Pack], str], count: Callable[[str], int]) -> str:
    """The answer as ``write`` gives it, with at most ``pack.budget`` tokens by ``count``.

    What does not fit goes in this order: the text of the last results, the further reads, the last results.
    The notes say what went. Ten results need at most eight countings.
    """
    whole = write(pack)
    if len(whole.encode()) <= pack.budget or count(whole) <= pack.budget:  # a token is at least one byte
        return whole
    texts = sum(packed.window is not None for packed in pack.hits)
    steps = [_without(pack, texts - kept, len(pack.hits)) for kept in range(texts - 1, -1, -1)]
    steps += [_without(pack, texts, kept)._replace(reads=()) for kept in range(len(pack.hits), -1, -1)]
    low, high = 0, len(steps) - 1  # the first step that fits; the last one is taken even if it does not
    while low < high:
        middle = (low + high) // 2
        if count(write(steps[middle])) <= pack.budget:
            high = middle
        else:
            low = middle + 1
    return write(steps[low])


def _without(pack: Pack, texts: int, kept: int) -> Pack:
    """The pack without the text of its last ``texts`` results that have one, and with only the first ``kept``."""
    hits = list(pack.hits)
    for position in range(len(hits) - 1, -1, -1):
        if texts > 0 and hits[position].window is not None:
            hits[position] = hits[position]._replace(window=None)
            texts -= 1
    bare = sum(packed.window is None for packed in hits[:kept])
    left = len(hits) - kept
    said = f"{bare} results have no text" + f", {left} are left out" * bool(left)
    return pack._replace(
        hits=tuple(hits[:kept]), notes=(*pack.notes, f"to keep to {pack.budget:,} tokens: {said}")
    )
