"""What the comments of Lua's language server say of types: ``---@param``, ``---@return``, ``---@type``, ``---@class``."""

from __future__ import annotations

import re

_NOTE = re.compile(r"^\s*---+\s*@(\w+)\s+(.*)$", re.M)
_CLASS = re.compile(r"(?:\(\w+\)\s*)?([\w.]+)(?:<[^>]*>)?\s*(?::\s*(.*))?")
_PARAM = re.compile(r"([\w.]+\??)\s+(.*)")
_TYPE = re.compile(
    r"(?:fun\([^)]*\)(?::\s*[\w.|]+)?|[\w.]+(?:<[^>]*>)?(?:\[\])*\??(?:\s*\|\s*[\w.]+(?:\[\])*)*)"
)
_FAR = 4000


def comment_above(src: bytes, start: int) -> str:
    """The whole-line comments right above a place; "" when there are none."""
    line = src.rfind(b"\n", 0, start) + 1
    first = line
    while first > 0 and line - first < _FAR:
        before = src.rfind(b"\n", 0, first - 1) + 1
        if not src[before:first].lstrip().startswith(b"--"):
            break
        first = before
    return src[first:line].decode("utf-8", "replace")


def class_note(src: bytes, start: int, name: str) -> tuple[str, ...] | None:
    """The bases that a ``---@class`` above a place names; None when there is no such note."""
    above = comment_above(src, start)
    if "@class" not in above:
        return None
    for word, said in _NOTE.findall(above):
        found = _CLASS.match(said) if word == "class" else None
        if found is not None:
            return tuple(base.strip() for base in (found.group(2) or "").split(",") if base.strip())
    return None


def type_notes(src: bytes, start: int) -> tuple[dict[str, str], str, str]:
    """Types of parameters by name, of the result, and of the value, as noted above a place."""
    above = comment_above(src, start)
    parameters: dict[str, str] = {}
    result = value = ""
    for word, said in _NOTE.findall(above) if "@" in above else ():
        if word == "param":
            found = _PARAM.match(said)
            if found is not None:
                parameters[found.group(1).rstrip("?")] = _type(found.group(2))
        elif word == "return" and not result:
            result = _type(said)
        elif word == "type":
            value = _type(said)
    return parameters, result, value


def field_notes(src: bytes, start: int) -> list[tuple[str, str]]:
    """The fields that ``---@field name type`` above a place names."""
    above = comment_above(src, start)
    found = []
    for word, said in _NOTE.findall(above) if "@field" in above else ():
        parts = said.split(None, 2)
        if parts and parts[0] in ("public", "private", "protected", "package"):
            parts = said.split(None, 3)[1:]
        if word == "field" and len(parts) > 1 and parts[0][0] != "[":
            found.append((parts[0].rstrip("?"), _type(parts[1])))
    return found


def _type(said: str) -> str:
    found = _TYPE.match(said.strip())
    return found.group() if found is not None else ""
