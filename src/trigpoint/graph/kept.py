"""PageRank as bytes, so that it need not be worked out again while the index stays as it is. Pure."""

from __future__ import annotations

import json
import struct
from array import array

from trigpoint.graph.map import Ranks

_HEAD = struct.Struct("<4sQQ")  # mark, nodes, bytes of the paths
_MARK = b"rnk1"  # raised with the meaning of what follows


def as_bytes(ranks: Ranks) -> bytes:
    """Nodes, ranks and file numbers as arrays in the order of the ranks, then the paths and which of them stand aside."""
    paths = sorted(set(ranks.homes.values()) | ranks.aside)
    numbers = {path: number for number, path in enumerate(paths)}
    nodes = array("q", ranks.homes)
    values = array("d", [ranks.ranks.get(node, 0.0) for node in nodes])
    homes = array("l", [numbers[ranks.homes[node]] for node in nodes])
    names = json.dumps([paths, sorted(numbers[path] for path in ranks.aside)]).encode()
    return b"".join(
        (
            _HEAD.pack(_MARK, len(nodes), len(names)),
            names,
            nodes.tobytes(),
            values.tobytes(),
            homes.tobytes(),
        )
    )


def from_bytes(data: bytes) -> Ranks | None:
    """The ranks again; None when the bytes are no such."""
    if len(data) < _HEAD.size:
        return None
    mark, count, length = _HEAD.unpack_from(data)
    nodes, values, homes = array("q"), array("d"), array("l")
    arrays = (nodes, values, homes)
    at = _HEAD.size + length
    if mark != _MARK or len(data) != at + sum(count * one.itemsize for one in arrays):
        return None
    paths, aside = json.loads(data[_HEAD.size : at])
    for one in arrays:
        size = count * one.itemsize
        one.frombytes(data[at : at + size])
        at += size
    return Ranks(
        dict(zip(nodes, values, strict=True)),
        dict(zip(nodes, map(paths.__getitem__, homes), strict=True)),
        frozenset(paths[number] for number in aside),
    )
