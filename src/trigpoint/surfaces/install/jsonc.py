"""Members of a JSON text put in and taken out by their place in it, so that every other byte stays: comments, order, white space.

Read is what clients read: JSON, or with ``strict`` off also comments and commas before a closing bracket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\.)*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?'
)
_BLANK = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\n\r]*|/\*[^\n]*?\*/)?")
_DEEPEST = 200
"""Nested further than this no configuration is, and Python's own limit would end the reading."""


class Malformed(Exception):
    """The text is no such JSON; the message says where and why."""


class Node(NamedTuple):
    """A value and where it stands."""

    kind: str  # object, array, scalar
    start: int
    end: int  # behind its last character
    members: tuple[Member, ...] = ()

    def get(self, key: str) -> Member | None:
        """The member of this name; of several the last, which is the one that counts for readers of JSON."""
        return next((one for one in reversed(self.members) if one.key == key), None)


class Member(NamedTuple):
    """A member of an object or, without a key, of an array."""

    key: str
    start: int
    value: Node
    comma: int  # where the comma behind it stands; -1 where there is none


def read(text: str, *, strict: bool) -> Node | None:
    """The one value of a text; None when there is none. Raises Malformed."""
    reader = _Reader(text, strict)
    reader.skip()
    if reader.at == len(text):
        return None
    node = reader.value(0)
    reader.skip()
    if reader.at != len(text):
        reader.fail("more text behind the end")
    return node


class _Reader:
    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.at = 1 if text.startswith("\ufeff") else 0

    def fail(self, why: str) -> None:
        line = self.text.count("\n", 0, self.at) + 1
        raise Malformed(f"line {line}: {why}")

    def skip(self) -> None:
        """White space, and comments where they are allowed."""
        while True:
            self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]
            comment = _COMMENT.match(self.text, self.at)
            if comment is None:
                return
            if self.strict:
                self.fail("a comment, which JSON has not")
            self.at = comment.end()

    def value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            self.fail("nested too deep")
        opening = self.text[self.at : self.at + 1]
        if opening in ("{", "["):
            return self.members(opening, depth)
        found = _SCALAR.match(self.text, self.at)
        if found is None:
            self.fail("a value is missing, or is none")
            raise AssertionError
        start, self.at = self.at, found.end()
        return Node("scalar", start, self.at)

    def members(self, opening: str, depth: int) -> Node:
        kind, closing = ("object", "}") if opening == "{" else ("array", "]")
        start, found = self.at, list[Member]()
        self.at += 1
        self.skip()
        while not self.text.startswith(closing, self.at):
            if found and (found[-1].comma < 0):
                self.fail(f"a comma or {closing} is missing")
            found.append(self.member(kind, depth))
        if self.strict and found and found[-1].comma >= 0:
            self.fail(f"a comma before {closing}")
        self.at += 1
        return Node(kind, start, self.at, tuple(found))

    def member(self, kind: str, depth: int) -> Member:
        start, key = self.at, ""
        if kind == "object":
            key = self.key()
        value = self.value(depth + 1)
        self.skip()
        comma = self.at if self.text.startswith(",", self.at) else -1
        if comma >= 0:
            self.at += 1
            self.skip()
        return Member(key, start, value, comma)

    def key(self) -> str:
        found = _SCALAR.match(self.text, self.at)
        if found is None or not found.group().startswith('"'):
            self.fail("a name in quotes is missing")
            raise AssertionError
        self.at = found.end()
        self.skip()
        if not self.text.startswith(":", self.at):
            self.fail("a colon is missing")
        self.at += 1
        self.skip()
        return str(_loaded(found.group()))


def _loaded(raw: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise Malformed(f"{raw[:40]} is no JSON") from error


def data(text: str, node: Node) -> Any:
    """The value as Python has it."""
    if node.kind == "object":
        return {one.key: data(text, one.value) for one in node.members}
    if node.kind == "array":
        return [data(text, one.value) for one in node.members]
    return _loaded(text[node.start : node.end])


def found(text: str, keys: Sequence[str], *, strict: bool) -> Node | None:
    """The value at the end of a path of names; None when there is none. Raises Malformed."""
    node = read(text, strict=strict)
    for key in keys:
        member = node.get(key) if node is not None else None
        node = member.value if member is not None else None
    return node


def put(text: str, keys: Sequence[str], value: Any, *, strict: bool) -> str:
    """The text with this value at the end of a path of names, in place of the one that is there.

    Raises Malformed, also where something on the way is no object.
    """
    node = read(text, strict=strict)
    if node is None:
        return _begun(text, _nested(keys, value))
    style = _Style(text, node)
    for number, key in enumerate(keys):
        if node.kind != "object":
            raise Malformed(f"{'.'.join(keys[:number]) or 'the whole'} is no object")
        member = node.get(key)
        if member is None:
            return style.insert(node, key, _nested(keys[number + 1 :], value))
        node = member.value
    return text[: node.start] + style.dumped(value, style.indent_of(node.start)) + text[node.end :]


def put_item(text: str, keys: Sequence[str], value: Any, *, strict: bool) -> str:
    """The text with one more item at the end of the array at this path. Raises Malformed."""
    node = found(text, keys, strict=strict)
    if node is None:
        return put(text, keys, [value], strict=strict)
    if node.kind != "array":
        raise Malformed(f"{'.'.join(keys)} is no array")
    root = read(text, strict=strict)
    assert root is not None
    return _Style(text, root).insert(node, None, value)


def drop(text: str, keys: Sequence[str], *, strict: bool) -> str:
    """The text without the member at this path; the same text when there is none. Raises Malformed."""
    parent = found(text, keys[:-1], strict=strict)
    member = parent.get(keys[-1]) if parent is not None else None
    return text if parent is None or member is None else _without(text, parent, member)


def drop_items(text: str, keys: Sequence[str], unwanted: Callable[[Any], bool], *, strict: bool) -> str:
    """The text without the items of an array that are unwanted. Raises Malformed."""
    while True:
        node = found(text, keys, strict=strict)
        members = node.members if node is not None and node.kind == "array" else ()
        member = next((one for one in members if unwanted(data(text, one.value))), None)
        if node is None or member is None:
            return text
        text = _without(text, node, member)


def _without(text: str, parent: Node, member: Member) -> str:
    start = member.start
    while start > parent.start + 1 and text[start - 1] in " \t":
        start -= 1
    if text[start - 1] == "\n":
        start -= 2 if text[start - 2 : start] == "\r\n" else 1
    end = member.comma + 1 if member.comma >= 0 else member.value.end
    after = text[:start] + text[end:]
    before = [one for one in parent.members if one.start < member.start]
    if before and member is parent.members[-1] and member.comma < 0:
        comma = before[-1].comma
        after = after[:comma] + after[comma + 1 :]
    if len(parent.members) == 1:
        rest = _BLANK.match(after, parent.start + 1)
        if rest is not None and after[rest.end() : rest.end() + 1] in ("}", "]"):
            after = after[: parent.start + 1] + after[rest.end() :]
    return after


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _begun(text: str, value: Any) -> str:
    """A text that had no value: what it had, comments perhaps, and the value."""
    head = text if not text.strip("\ufeff \t\r\n") else text.rstrip() + "\n"
    head = head if head.strip("\ufeff \t\r\n") else "\ufeff" * text.startswith("\ufeff")
    return head + json.dumps(value, indent=2, ensure_ascii=False) + "\n"


class _Style:
    """How a text is indented, so that what is new looks like the rest."""

    def __init__(self, text: str, root: Node) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        first = root.members[0].start if root.members else 0
        self.unit = self.indent_of(first) if self.begins_line(first) else "  "
        self.unit = self.unit or "  "

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def begins_line(self, at: int) -> bool:
        return at > 0 and not self.text[self.line_start(at) : at].strip(" \t") and self.line_start(at) > 0

    def indent_of(self, at: int) -> str:
        line = self.text[self.line_start(at) :]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def dumped(self, value: Any, indent: str) -> str:
        lines = json.dumps(value, indent=self.unit, ensure_ascii=False).split("\n")
        return f"{self.newline}{indent}".join(lines)

    def insert(self, node: Node, key: str | None, value: Any) -> str:
        """The text with one more member at the end of an object or array."""
        text, name = self.text, "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
        if not node.members:
            outer = self.indent_of(node.start)
            inner = text[node.start + 1 : node.end - 1].rstrip()
            shown = f"{self.newline}{outer}{self.unit}{name}{self.dumped(value, outer + self.unit)}"
            return text[: node.start + 1] + inner + shown + self.newline + outer + text[node.end - 1 :]
        last = node.members[-1]
        if "\n" not in text[node.start : last.start]:
            shown = " " + name + json.dumps(value, ensure_ascii=False)
        else:
            indent = self.indent_of(last.start)
            shown = f"{self.newline}{indent}{name}{self.dumped(value, indent)}"
        end = last.value.end if last.comma < 0 else last.comma + 1
        behind = _REST_OF_LINE.match(text, end)
        at = behind.end() if behind is not None and behind.group().strip() and "\n" in shown else end
        comma, own = (",", "") if last.comma < 0 else ("", ",")
        return text[:end] + comma + text[end:at] + shown + own + text[at:]
