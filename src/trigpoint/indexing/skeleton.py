"""A type too big for one chunk, as its head, its own fields and the signatures of its members."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.indexing.nesting import Node
from trigpoint.indexing.sheet import Sheet
from trigpoint.model import Symbol

HEAD_SHARE = 0.4
"""Part of the room that the head (signature, docstring, first fields) may take before the members begin."""

LEAD_LINES = 4
"""Lines of decorators or doc comment shown before the line of the name."""


def skeleton(sheet: Sheet, symbols: Sequence[Symbol], node: Node, room: float) -> str:
    """The text of the skeleton: at most about ``room`` in weight, naming the lines it leaves out."""
    members = node.children
    body = members[0].start if members else node.end + 1
    name = min(max(symbols[node.symbol].name_line, node.start), max(body - 1, node.start))
    rows = _own(sheet, node.start, name - 1, LEAD_LINES * 80)
    rows += _own(sheet, name, body - 1, room * HEAD_SHARE)
    left = room - sum(map(len, rows))
    for place, member in enumerate(members):
        if left <= 0:
            count = len(members) - place
            rows.append(f"{_margin(sheet, member.start)}… {count} more, lines {member.start}-{node.end}")
            break
        follower = members[place + 1].start if place + 1 < len(members) else node.end + 1
        shown = [_signature(sheet, symbols, member), *_own(sheet, member.end + 1, follower - 1, left / 4)]
        left -= sum(map(len, shown))
        rows += shown
    return "\n".join(rows)


def _own(sheet: Sheet, start: int, end: int, room: float) -> list[str]:
    """Lines that belong to no member, blank ones left out, cut when they take more than ``room``."""
    rows: list[str] = []
    for line in range(start, end + 1):
        if sheet.blank(line):
            continue
        row = sheet.lines(line, line).rstrip()
        room -= len(row)
        if room < 0 and (rows or len(row) > room + 400):
            return [*rows, f"{_margin(sheet, line)}… lines {line}-{end}"]
        rows.append(row)
    return rows


def _signature(sheet: Sheet, symbols: Sequence[Symbol], member: Node) -> str:
    symbol = symbols[member.symbol]
    place = f"lines {member.start}-{member.end}" if member.end > member.start else f"line {member.start}"
    return f"{_margin(sheet, member.start)}{symbol.signature or symbol.name} … {place}"


def _margin(sheet: Sheet, line: int) -> str:
    return " " * min(sheet.indent(line), 24)
