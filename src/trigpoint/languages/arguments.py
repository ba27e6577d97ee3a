"""Arguments and parameters as they are written behind a name, read from the text: how many, of what types, by what names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 2000
"""Characters of a call that are read in search of the end of its arguments."""

_PIECE = re.compile(
    r"""\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|->|::|[()\[\]{}<>,]|[^()\[\]{}<>,\"'\-:]+|.""", re.S
)
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_MARKS = re.compile(
    r"@[\w.]+(?:\([^)]*\))?\s*|\b(?:final|const|struct|volatile|register|typename|this|params|scoped|ref|out|in)\s+"
)
_SPACE = re.compile(r"\s+")


class Written(NamedTuple):
    """One argument or parameter as written."""

    text: str  # of an argument its value, of a parameter its type, which ends in ... when it takes many
    label: str = ""  # the name that the argument is given by, or that the parameter takes
    optional: bool = False


class Style(NamedTuple):
    """How a language writes its parameters and arguments."""

    type_first: bool = True  # ``Type name``; else ``name: Type``
    label: str = ""  # what stands behind the name that an argument is given by: ":" or "="
    labels: bool = False  # whether the labels decide: an argument without one takes a parameter without one
    lists: bool = False  # whether several lists may follow each other
    trailing: bool = False  # whether a function may follow the brackets as last argument


def behind(lines: Sequence[str], line_number: int, column: int, name: str) -> str:
    """What follows a name, to the end of the brackets behind it."""
    if line_number > len(lines):
        return ""
    line = lines[line_number - 1]
    if not line.isascii():
        column = len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))
    rest = line[column + len(name) :]
    at = line_number
    while rest.count("(") > rest.count(")") or "(" not in rest:
        if at >= len(lines) or len(rest) > LONGEST:
            break
        rest += "\n" + lines[at]
        at += 1
    return rest.lstrip()


def opened(rest: str) -> str:
    """What follows a name from its bracket on; "" when none does."""
    if rest[:1] in ("<", "["):
        rest = rest[_closed(rest) :].lstrip()
    rest = rest.removeprefix("?")
    return rest if rest[:1] == "(" else ""


def _closed(rest: str) -> int:
    """Where the type arguments end with which a text begins."""
    depth = 0
    angles = rest[:1] == "<"
    for at, one in enumerate(rest):
        if one in "([" or (one == "<" and angles):
            depth += 1
        elif one in ")]" or (one == ">" and angles and rest[at - 1] not in "-="):
            depth -= 1
        if depth == 0:
            return at + 1
    return len(rest)


def end_of(opened: str) -> int:
    """Where the first bracket of a text is closed."""
    depth, at = 0, 0
    for piece in _PIECE.findall(opened[:LONGEST]):
        at += len(piece)
        depth += (piece in _OPEN) - (piece in _CLOSE)
        if depth == 0:
            break
    return at


_MORE = re.compile(r"\((?!using\b|implicit\b)")


def listed(inner: str, style: Style) -> list[str]:
    """What stands in the brackets that a text begins with, and in those that follow where a language has such."""
    found = split(inner)
    while style.lists:
        inner = inner[end_of(inner) :].lstrip(" ")
        if not _MORE.match(inner):
            break
        found += split(inner)
    return [one for one in found if not one.startswith(("using ", "implicit "))] if style.lists else found


def behind_all(inner: str, style: Style) -> str:
    """What follows the lists of arguments that a text begins with."""
    inner = inner[end_of(inner) :].lstrip(" ")
    while style.lists and inner[:1] == "(":
        inner = inner[end_of(inner) :].lstrip(" ")
    return inner


def generics(rest: str) -> int:
    """How many types stand in angle brackets right behind a name."""
    if rest[:1] != "<":
        return 0
    depth = count = 0
    for one in rest[: _closed(rest)]:
        depth += (one in "<([") - (one in ">)]")
        count += one == "," and depth == 1
    return count + 1


def argument(written: str, mark: str) -> Written:
    """An argument with the name that it is given by, which ends in ``mark``."""
    found = _LABELS[mark].match(written) if mark else None
    return Written(written[found.end() :], found[1]) if found is not None else Written(written)


_LABELS = {
    ":": re.compile(r"(\w+)\s*:(?!:)\s*"),
    "=": re.compile(r"(\w+)\s*=(?![=>])\s*"),
}


def parameters(written: Sequence[str], style: Style) -> list[Written]:
    """Parameters as they are written: their types, names, and whether they may be left out."""
    read = _type_before if style.type_first else _type_behind
    found = [read(one, style) for one in written]
    return [one for one in found if one.text != "void" or len(found) > 1]


def _type_before(one: str, style: Style) -> Written:
    many = "..." if one.startswith("params ") else ""
    written, default, _ = _MARKS.sub("", one).partition("=")
    whole = written.strip()
    head, _, last = whole.rpartition(" ")
    bare = last.lstrip("*&")
    is_name = bool(head) and (bare[:1].isalpha() or bare[:1] == "_")
    kind = plain(head + "[]" * bare.count("[]") if is_name else whole)
    return Written(
        kind.removesuffix("[]") + many if many else kind, last if style.label else "", bool(default)
    )


_WORDS = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+|(?:using|implicit|vararg|noinline|crossinline|private|protected|val|var|override|inline|final)\s+)*"
)


def kind_behind(kind: str) -> str:
    """``some P``, ``inout P``, ``P?`` are P; ``[P]`` is ``P[]``."""
    kind = _BEFORE.sub("", kind).rstrip("?!")
    if kind[:1] == "[":
        return kind.strip("[]").rpartition(":")[2].strip(" ]?").partition("[")[0] + "[]"
    return kind.partition("[")[0]


_HELD = re.compile(r"\[[^\[\]]*\]|<[^<>]*(?<!-)>")
_BEFORE = re.compile(r"^(?:(?:some|any|inout|suspend|@\w+)\s+)+")


def _type_behind(one: str, style: Style) -> Written:
    head, _, kind = one.partition(":")
    kind = kind.strip().removeprefix("=>")  # given by name
    names = _WORDS.sub("", head).split()
    written, default, _ = kind.replace("=>", "->").partition("=")
    many = "vararg " in head or written.rstrip().endswith(("...", "*"))
    kind = written.strip().rstrip("*.")
    read = "=>" if "->" in _HELD.sub("", kind) else plain(kind_behind(kind))
    label = names[0] if names else ""
    return Written(
        SAME_AS.get(read, read) + ("..." if many else ""), "" if label == "_" else label, bool(default)
    )


SAME_AS = {
    **{one.title(): one for one in ("byte", "short", "char", "int", "long", "float", "double", "boolean")},
    "Bool": "boolean",
    "bool": "boolean",
    "string": "String",
    "object": "Object",
    "Any": "Object",
}
"""Names of the same simple types in other languages."""


def split(text: str) -> list[str]:
    """What stands between the first bracket of a text and its partner, cut at the commas outside others."""
    found: list[str] = []
    depth, angle, current = 0, 0, ""
    for piece in _PIECE.findall(text[:LONGEST]):
        if piece in _OPEN:
            depth += 1
            if depth == 1:
                continue
        elif piece in _CLOSE:
            depth -= 1
            if depth == 0:
                break
        elif piece == "<" and current[-1:].isalnum() and current.split()[-1][:1].isupper():
            angle += 1
        elif piece == ">" and angle:
            angle -= 1
        elif piece == "," and depth == 1 and not angle:
            found.append(current.strip())
            current = ""
            continue
        current += piece
    return [*found, current.strip()] if current.strip() or found else []


def plain(written: str) -> str:
    """A type without arguments, spaces and qualifiers: ``java.util.List<T> []`` -> ``List[]``."""
    many = written.endswith("...")
    written = re.sub(r"<.*>", "", written.removesuffix("..."))
    written = _SPACE.sub("", _MARKS.sub("", written + " "))
    written = re.split(r"\.|::", written)[-1].rstrip("*&")
    return written + ("..." if many else "")
