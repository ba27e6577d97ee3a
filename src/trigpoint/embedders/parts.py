"""Texts longer than a model takes: cut into parts at lines, embedded apart, and pooled. Nothing is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from trigpoint.model import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SHORTEST = 200
"""Characters that any model takes; whoever refuses less has another reason."""


def written(passage: Passage) -> str:
    """What a model reads of a passage: the name, then the text."""
    return f"{passage.name}\n{passage.text}".strip() if passage.name else passage.text


def parts(text: str, longest: int) -> list[str]:
    """The text in pieces of at most ``longest`` characters, ended at a line, else at a blank, where one is near."""
    if len(text) <= longest:
        return [text]
    found, start = [], 0
    while len(text) - start > longest:
        end = start + longest
        least = start + longest // 2
        cut = max(text.rfind("\n", least, end), -1) + 1 or max(text.rfind(" ", least, end), -1) + 1 or end
        found.append(text[start:cut])
        start = cut
    found.append(text[start:])
    return [one for one in found if one.strip()] or [text[:longest]]


def pooled(rows: Floats, pieces: Sequence[Sequence[str]]) -> Floats:
    """One unit vector a text from those of its pieces, longer ones counting more; zeros where all were."""
    import numpy as np

    ends = np.cumsum([0, *map(len, pieces)])
    lengths = np.fromiter((len(one) for some in pieces for one in some), np.float32, int(ends[-1]))
    out = np.zeros((len(pieces), rows.shape[1]), np.float32)
    for row, (start, end) in enumerate(pairwise(ends.tolist())):
        out[row] = lengths[start:end] @ rows[start:end]
    return unit(out)


def unit(rows: Floats) -> Floats:
    """Rows at unit length; zeros stay zeros."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    made: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return made
