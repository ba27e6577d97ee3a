"""Reads what edges need of a SCIP index: where each symbol is defined and where it is named.

SCIP is a protobuf message; its wire format is read by hand, so that the benchmark needs no package for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DEFINITION = 1
"""Bit of Occurrence.symbol_roles."""


class Place(NamedTuple):
    """A name in a file: 1-based line, 0-based column as the indexer counts it."""

    path: str
    line: int
    column: int


class Oracle(NamedTuple):
    """The places of definitions by symbol, and the symbols that each place names."""

    defined: dict[str, list[Place]]
    named: dict[Place, list[str]]


def read(path: Path) -> Oracle:
    """The oracle that an index file holds."""
    defined: dict[str, list[Place]] = defaultdict(list)
    named: dict[Place, list[str]] = defaultdict(list)
    for number, document in fields(path.read_bytes()):
        if number == 2 and isinstance(document, bytes):
            for place, symbol, roles in _occurrences(document):
                if roles & DEFINITION:
                    if not symbol.startswith("local "):  # numbered anew in each file
                        defined[symbol].append(place)
                else:
                    named[place].append(symbol)
    return Oracle(defined, named)


def _occurrences(document: bytes) -> Iterator[tuple[Place, str, int]]:
    path = ""
    rows: list[bytes] = []
    for number, value in fields(document):
        if number == 1 and isinstance(value, bytes):
            path = value.decode()
        elif number == 2 and isinstance(value, bytes):
            rows.append(value)
    for row in rows:
        line = column = roles = 0
        symbol = ""
        for number, value in fields(row):
            if number == 1 and isinstance(value, bytes):
                line, at = _number(value, 0)
                column, _ = _number(value, at)
            elif number == 2 and isinstance(value, bytes):
                symbol = value.decode()
            elif number == 3 and isinstance(value, int):
                roles = value
        yield Place(path, line + 1, column), symbol, roles


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message: numbers, and bytes for what has a length."""
    at = 0
    while at < len(message):
        tag, at = _number(message, at)
        kind = tag & 7
        if kind == 0:
            value, at = _number(message, at)
            yield tag >> 3, value
            continue
        if kind == 2:
            length, at = _number(message, at)
        else:
            length = {1: 8, 5: 4}[kind]
        yield tag >> 3, message[at : at + length]
        at += length


def _number(message: bytes, at: int) -> tuple[int, int]:
    result = shift = 0
    while True:
        byte = message[at]
        at += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result, at
        shift += 7
