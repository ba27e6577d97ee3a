"""What the grammar reads instead of a script: byte for byte as long, so that every place stays where it is."""

from __future__ import annotations

import re

_TEST = re.compile(
    rb"^([ \t]*)(@test[ \t]+(?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\s{\"']+))(?=[ \t]*\{)", re.M
)


_GLOB = re.compile(rb"(?<!\$)[@!?+*]\((?:[^()\s]|\((?:[^()\s]|\([^()\s]*\))*\))*\)")

_VALUE = rb"(?:\"[^\"\n]*\"|'[^'\n]*'|\$\{[^}\n]*\}|[^\s\"'();&|`{}<>#])*"
_ASSIGNMENTS = re.compile(rb"^[ \t]*\w+=" + _VALUE + rb"(?:[ \t]+\w+=" + _VALUE + rb")+[ \t]*(?=\r?$)", re.M)
_BETWEEN = re.compile(rb"(?<=\S)[ \t](?=[ \t]*\w+=)")

_EQUAL = re.compile(rb"\[\[ [^\n;]*? = [^\n;]*?\]\]")
_MATCHED = re.compile(rb"(?<= =~ )((?:\\\r?\n[ \t]*)?)(\S(?:[^\n]*?\S)??)(?=[ \t]+(?:\]\]|&&|\|\|))")
_BRACKETS = (b"[", b"(", b"{")
_NOT = re.compile(rb"(?<=run )!(?= )")


def prepare(src: bytes) -> bytes:
    """``@test "it works" {`` of bats reads ``______________() {``, a function of that length.

    Extended patterns, ``@(a|b)`` and ``!(-*)``, of which the grammar knows some, become plain words. Between several
    assignments on a line stands ``;``: without it the grammar takes them for the environment of what the next lines do.
    A regular expression after ``=~`` that holds brackets becomes
    a plain word, since the grammar takes its brackets for those of the test. The ``!`` of ``run ! command`` is a word like any other, and ``[[ a = b ]]`` reads ``[[ a ==b ]]``.
    """
    if b"@test" in src:
        src = _NOT.sub(b"x", _TEST.sub(_function, src))
    if b" =~ " in src:
        src = _MATCHED.sub(_pattern, src)
    return _ASSIGNMENTS.sub(_apart, _EQUAL.sub(_doubled, _GLOB.sub(_word, src)))


def _apart(found: re.Match[bytes]) -> bytes:
    return _BETWEEN.sub(b";", found.group())


def _doubled(found: re.Match[bytes]) -> bytes:
    return found.group().replace(b" = ", b" ==")


def _pattern(found: re.Match[bytes]) -> bytes:
    continued, raw = found.groups()
    return (
        bytes(continued) + b"x" * len(raw) if any(one in raw for one in _BRACKETS) else bytes(found.group())
    )


def _word(found: re.Match[bytes]) -> bytes:
    return b"x" * len(found.group())


def _function(found: re.Match[bytes]) -> bytes:
    space, head = found.groups()
    return bytes(space) + b"_" * (len(head) - 2) + b"()"
