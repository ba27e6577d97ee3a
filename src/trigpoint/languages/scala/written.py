"""Scala's expressions and types as written: a method may be called without saying so, a type is told from a term by a mark."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, steps, types
from trigpoint.languages.linking import words

TYPE = "$"
"""Behind a name: only types are meant."""

APPLY = "apply$"
"""The member of an object, or of a class alone, that ``Name(...)`` calls."""

READ = "(*)"
"""A step: what is named is read, which calls it when it is a method."""

_NEW = re.compile(r"^\(?new ([\w.]+)(?:\[[^()]*\])?(\(\))?\)?")
_GENERIC = re.compile(r"\[[^\[\]]*\](?=\(|\.|$)")
_BLOCK = re.compile(r"(?:\(\))?\{\}")
_THIS = re.compile(r"\b\w+\.this\b")
_NO_READ = frozenset({"this", "super"})
_FUNCTION = re.compile(r"=>")
_NESTED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_PREFIX = re.compile(r"^(?:=>|using|implicit|inline)\s*")


@lru_cache(maxsize=50_000)
def scala_steps(text: str) -> tuple[str, ...]:
    """An expression as steps: ``a.b`` -> ("a", READ, ".b", READ); what is made of a class or object is its ``apply``."""
    if _THIS.search(text):
        return ()
    made = _NEW.match(text)
    if made is not None:
        text = f"{made[1]}{TYPE}(){text[made.end() :]}"
    while (plain := _GENERIC.sub("", text)) != text:
        text = plain
    read = steps(_BLOCK.sub(CALL, text))
    found: list[str] = []
    for at, step in enumerate(read):
        called = read[at + 1 : at + 2] == (CALL,)
        found.append(step)
        word = step.lstrip(".")
        if step == CALL or not (word[0].isalpha() or word[0] == "_") or word in _NO_READ:
            continue
        if word[0].isupper() and called and not word.endswith(TYPE):
            found.append("." + APPLY)
        elif not called and not word[0].isupper():
            found.append(READ)
    return tuple(found)


@lru_cache(maxsize=50_000)
def scala_types(text: str) -> tuple[Type, ...]:
    """A type, with its names marked; () for a function."""
    text = _PREFIX.sub("", text).removesuffix(".type")
    plain, before = text, ""
    while plain != before:
        before, plain = plain, _NESTED.sub("", plain)
    if _FUNCTION.search(plain):
        return ()
    return tuple(_marked(one) for one in types(text))


def _marked(one: Type) -> Type:
    head = one.head + TYPE if one.head[:1].isalpha() else one.head
    return Type(head, tuple(tuple(_marked(each) for each in arg) for arg in one.args))


def simple(name: str) -> str:
    """A name without its mark."""
    return name.removesuffix(TYPE)


_FIRST = re.compile(
    r"^[^(]*\(\s*(?:(?:private|protected|val|var|inline|override)(?:\[\w+\])?\s+)*\w+\s*:\s*([^),=]+)"
)


def first_type(signature: str) -> str:
    """The type of the first parameter in a signature."""
    found = _FIRST.match(signature)
    return found[1].strip() if found is not None else ""


SAME = words(
    "filter filterNot sorted sortBy sortWith reverse distinct distinctBy drop dropRight take takeRight takeWhile dropWhile toList"
    " toVector toSeq toSet toIndexedSeq iterator tail init withFilter view orElse concat appended prepended tapEach toOption"
)
FIRST_OF = words("head headOption last lastOption find get getOrElse maxBy minBy next max min reduce")
"""Methods of the library's containers that give a container of the same, and those that give what it holds."""
