"""Rankings of several code bases become one: what lies farther from the work counts less. Pure.

The scores of two indexes are on one scale because each ranking's best fused hit is 1.0 before its signals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trigpoint.model import Evidence, Hit, StoredSymbol
from trigpoint.search.run import Ranking

OWN = "workspace"
"""The layer of the project that is asked; other folders of the same work stand beside it."""


class Layer(NamedTuple):
    """One ranking of another code base: its layer, the share of their score that its hits keep, and where it lies."""

    name: str
    share: float
    place: str  # its folder as seen from the project: what its paths begin with
    ranking: Ranking
    outlines: Mapping[str, Sequence[StoredSymbol]] = {}  # by path in it, where the packing shows signatures


def merged(own: Ranking, layers: Sequence[Layer], limit: int) -> Ranking:
    """One ranking, best first; of equals the nearer layer, then its order.

    A question about the edges of a name keeps the order of its walk: each layer's hits follow those of the nearer ones.
    """
    found = [hit for layer in layers for hit in _placed(layer)]
    hits = [*own.hits, *found]
    if not own.intent.subject:
        hits.sort(key=lambda hit: -hit.score)
    outlines = {
        **own.outlines,
        **{
            f"{layer.place}/{path}": tuple(symbols)
            for layer in layers
            for path, symbols in (*layer.ranking.outlines.items(), *layer.outlines.items())
        },
    }
    return own._replace(
        hits=tuple(hits[:limit]),
        total=own.total + sum(layer.ranking.total for layer in layers),
        outlines=outlines,
        lacks=(*own.lacks, *(f"{layer.place}: {one}" for layer in layers for one in layer.ranking.lacks)),
    )


def _placed(layer: Layer) -> list[Hit]:
    """The hits with paths as seen from the project, and one more reason: their distance."""
    return [
        hit._replace(
            chunk=hit.chunk._replace(path=f"{layer.place}/{hit.chunk.path}"),
            evidence=(
                *hit.evidence,
                Evidence(f"layer:{layer.name}", (layer.share - 1.0) * hit.score, layer.place),
            ),
            copies=tuple(f"{layer.place}/{path}" for path in hit.copies),
        )
        for hit in layer.ranking.hits
    ]
