"""Conditional directives that cut through statements, settled before parsing.

The grammar reads ``#if`` only between whole statements. Where a branch holds half of one (a brace too many, half a
condition), the first branch is kept and the directives and other branches are blanked: byte for byte, so that
every place stays what it was. Branches that hold whole statements are left alone, and all are read.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from trigpoint.languages.c.attributes import SPACES, without_attribute_macros

_NOISE = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)"
    rb'|"(?:(?<=R")([^()\\\s]{0,16})\(.{0,8000}?\)\1"|(?:[^"\\\n]|\\.)*")'
    rb"|'(?:[^'\\\n]|\\.){1,8}'"
    rb"|#[ \t]*(?!if|el|endif)(?:\\\r?\n|[^\n])*",
    re.S,
)
"""What holds no code: comments, strings, and directives other than conditionals. Each begins with a letter of
its own, which lets the pattern skip fast."""
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(?:\\\r?\n|[^\n])*", re.M
)
_DEFINE = re.compile(rb"([ \t]*#[ \t]*define\b(?:\\\r?\n|[^\n])*)|[^\n]+")
_CONTROL = re.compile(rb"\b(?:if|while|for|switch|else)\b[^;{}]*\Z")
_GOES_ON = (b"else", b"=>", b".", b",", b"&&", b"||")
"""Beginnings that go on with a statement begun before."""
_WINDOW = 400
"""Bytes read around a group of directives to see what it stands in."""


class _Group(NamedTuple):
    """An ``#if`` that is open, and where each directive of it stands."""

    directives: list[tuple[int, int]]


def settled(src: bytes) -> bytes:
    """The source with broken conditionals settled; the very same bytes when there are none."""
    return settled_among(without_attribute_macros(src), _NOISE)


def settled_among(src: bytes, noise: re.Pattern[bytes], items: re.Pattern[bytes] | None = None) -> bytes:
    """The same for a language with noise of its own; branches that begin like ``items`` all stay where they stand."""
    if b"#" not in src or not _DIRECTIVE.search(src):
        return src
    clean = bytearray(noise.sub(_blank, src))
    out = bytearray(src)
    stack: list[_Group] = []
    for found in _DIRECTIVE.finditer(clean):
        word, span = found.group(1), found.span()
        if word.startswith(b"if"):
            stack.append(_Group([span]))
        elif stack:
            stack[-1].directives.append(span)
            if word == b"endif":
                _settle(stack.pop().directives, clean, out, items)
    return bytes(out)


def _blank(found: re.Match[bytes]) -> bytes:
    return found.group().translate(SPACES)


def _settle(
    directives: list[tuple[int, int]], clean: bytearray, out: bytearray, items: re.Pattern[bytes] | None
) -> None:
    branches = [(one[1], following[0]) for one, following in pairwise(directives)]
    texts = [bytes(clean[start:end]).strip() for start, end in branches]
    first, last = directives[0][0], directives[-1][1]
    before = bytes(clean[max(0, first - _WINDOW) : first]).rstrip()
    after = bytes(clean[last : last + _WINDOW]).lstrip()
    dropped = list(directives)
    if not _listed(before, texts) and not (items and all(map(items.match, texts))):
        if all(_whole(one, after) for one in texts) and _between(before) and not after.startswith(b"else"):
            return
        kept = next((index for index, one in enumerate(texts) if one), 0)
        dropped += [branch for index, branch in enumerate(branches) if index != kept]
    for start, end in dropped:
        clean[start:end] = clean[start:end].translate(SPACES)
        out[start:end] = _DEFINE.sub(_dropped, bytes(out[start:end]))


def _dropped(found: re.Match[bytes]) -> bytes:
    """Macros that a dropped branch defines stay; they break nothing."""
    return found.group(1) or found.group().translate(SPACES)


def _listed(before: bytes, branches: list[bytes]) -> bool:
    """Whether the branches are items of a list: all of them may stay, each ends with its comma."""
    ends = {one[-1:] for one in branches}
    return (
        before[-1:] in (b",", b"{", b"(")
        and b"," in ends
        and ends <= {b",", b""}
        and all(map(_balanced, branches))
    )


def _whole(branch: bytes, after: bytes) -> bool:
    """Whether a branch holds whole statements only."""
    if not branch:
        return True
    if branch.startswith(_GOES_ON) or not _balanced(branch):
        return False
    end = branch[-1:]
    if end == b")":
        return after[:1] not in (b"{", b";", b")", b"&", b"|", b"?")
    return end in (b";", b"}", b":") or branch.rpartition(b"\n")[2].lstrip().startswith(b"#")


def _balanced(branch: bytes) -> bool:
    opens, closes = branch.find(b"{"), branch.find(b"}")
    if closes != -1 and (opens == -1 or closes < opens):
        return False
    return branch.count(b"{") == branch.count(b"}") and branch.count(b"(") == branch.count(b")")


def _between(before: bytes) -> bool:
    """Whether the text before a group ends where a statement ends."""
    end = before[-1:]
    if end == b")":
        return not _CONTROL.search(before)
    return end in (b";", b"{", b"}", b":", b",", b"") or before.rpartition(b"\n")[2].lstrip().startswith(b"#")
