"""Numbers and bytes that rows are known by: ids, stored paths, keys of names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

SHIFT = 20
"""A symbol or chunk id is its file's number shifted by this, plus its index."""

MOST = (1 << SHIFT) - 1
"""More symbols or chunks of one file have no id."""

TOP = MOST
"""The index that stands for the top level of a file in the ids of nodes."""

HEADER_HAS_PATH = 1
DERIVED = 2
"""Bits of chunks.flags."""


def path_bytes(path: str) -> bytes:
    """A path as it is stored."""
    return path.encode("utf-8", "surrogateescape")


def path_text(data: bytes) -> str:
    """A stored path as it is spoken of."""
    return data.decode("utf-8", "surrogateescape")


@lru_cache(maxsize=50_000)
def name_key(name: str) -> int:
    """63 bits that stand for an exact name."""
    data = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(data, "little") >> 1


def target_keys(path: str, qualified: Sequence[str]) -> list[int]:
    """63 bits for a file and for each of its symbols, by name and, where one comes more than once, its number.

    Edges know their targets by these: they stay the same when lines move or other symbols come and go.
    """
    start = blake2b(path_bytes(path) + b"\0", digest_size=8)
    seen: dict[str, int] = {}
    found = [int.from_bytes(start.digest(), "little") >> 1]
    for name in qualified:
        number = seen[name] = seen.get(name, -1) + 1
        one = start.copy()
        one.update(f"{name}\0{number}".encode("utf-8", "surrogatepass"))
        found.append(int.from_bytes(one.digest(), "little") >> 1)
    return found
