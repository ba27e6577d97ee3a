"""The map of a project as an answer for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trigpoint.render.json import Object, place_of, state
from trigpoint.render.style import cut

if TYPE_CHECKING:
    from trigpoint.graph.map import Landmark, ProjectMap


def project_map(found: ProjectMap, budget: int, tokenizer: str) -> Object:
    """The map of a project, within its token budget."""
    return {
        "results": [
            {
                **place_of(file.path),
                "score": round(file.rank, 4),
                "symbols": [_landmark(one) for one in file.landmarks],
            }
            for file in found.files
        ],
        "total": found.total,
        "tokens": budget,
        "tokenizer": tokenizer,
        "freshness": state(found.freshness),
        "notes": list(found.lacks()),
    }


def _landmark(one: Landmark) -> Object:
    symbol = one.symbol.symbol
    signature = cut(symbol.signature or symbol.qualified, _SIGNATURE)
    return {"line": symbol.name_line, "symbol": symbol.qualified, "kind": symbol.kind, "signature": signature}


_SIGNATURE = 120  # characters of a signature on a map
