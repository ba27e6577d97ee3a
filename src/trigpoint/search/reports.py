"""Long reports reduced to what carries information: no hints of the form, no environment, addresses only as the files they name.

What a report is about stands in its first line more often than in all that follows: its words weigh more (legs/lexical.py).
"""

from __future__ import annotations

import re

LEAST_WORDS = 25
"""Words from which on a text of several lines is a report with a headline."""
LONGEST_HEADLINE = 200  # characters; a longer first line is a paragraph

_HINT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLOB = re.compile(
    r"https?://[^\s/]+/[^\s/]+/[^\s/]+/(?:-/)?(?:blob|blame|tree)/[^\s/]+/(?P<path>[^\s#?)\]]+)(?:#L\d+(?:-L?\d+)?)?"
)
_ADDRESS = re.compile(r"https?://[^\s)\]>]+")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]+\*\*\s*:?\s*$)")
_ASIDE = re.compile(
    r"\s*(?:#{1,6}\s*|\*\*\s*)?(?:(?:your |operating )?(?:system|environment|env|os)(?: (?:info|information|details))?|os / environment|"
    r"(?:software |package |\w+ )?versions?|output of .{0,60}|installed packages|additional (?:dependencies|context)|screenshots?|"
    r"how to install\b.*|\w+ backend|other libraries|installation|extra tools|configuration|checklist)\s*:?\s*(?:\*\*)?\s*:?\s*\Z",
    re.IGNORECASE,
)
"""Headings under which a report tells of a machine, not of code."""
_FORM = re.compile(
    r"\s*(?:#+\s*)?(?:\[?bug\]?:?|bug report|description|summary|traceback \(most recent call last\):?)\s*\Z",
    re.IGNORECASE,
)
"""First lines that are the form's, not the reporter's."""


def is_report(text: str) -> bool:
    """Several lines and words enough: it has a headline, and things beside the point."""
    return "\n" in text.strip() and len(text.split()) >= LEAST_WORDS


def reduced(text: str) -> str:
    """A report without hints of its form, without sections on the environment, with the files that its addresses name."""
    plain = _HINT.sub(" ", text.replace("\r\n", "\n"))
    plain = _ADDRESS.sub(" ", _BLOB.sub(r" \g<path> ", plain))
    kept: list[str] = []
    aside = False
    for line in plain.split("\n"):
        if _HEADING.match(line):
            aside = bool(_ASIDE.match(line))
        if not aside:
            kept.append(line)
    return "\n".join(kept)


def headline(text: str) -> str:
    """The first line of a report that says something; "" when it is a paragraph or the start of a trace."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not _FORM.match(line)]
    first = lines[0] if lines else ""
    return first if len(first.split()) > 1 and len(first) <= LONGEST_HEADLINE else ""
