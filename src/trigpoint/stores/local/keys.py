"""Numbers and bytes that rows are known by: ids, stored paths, keys of names."""

from __future__ import annotations

from functools import lru_cache

SHIFT = 20
"""A symbol or chunk id is its file's number shifted by this, plus its index."""

MOST = 1 << SHIFT
"""More symbols or chunks of one file have no id."""

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
    from hashlib import blake2b  # 3 ms that most questions need not spend

    data = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(data, "little") >> 1
