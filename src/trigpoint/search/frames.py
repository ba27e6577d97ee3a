"""Stack frames of nine languages' tracebacks, read as written. A table: one row a form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trigpoint.model import Frame

_FORMS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("python", re.compile(r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>[^\s]+))?')),
    (
        "java",
        re.compile(
            r"\bat (?P<function>[\w$.<>]+)\((?P<path>[\w$]+\.(?:java|kt|scala|groovy)):(?P<line>\d+)\)"
        ),
    ),
    (
        "csharp",
        re.compile(r"\bat (?P<function>[\w.<>`\[\], ]+)\([^)\n]*\) in (?P<path>[^\n]+?):line (?P<line>\d+)"),
    ),
    (
        "javascript",
        re.compile(
            r"\bat (?:async )?(?P<function>[\w$.<>\[\] ]+?) \((?P<path>[^()\n]+?):(?P<line>\d+):\d+\)"
        ),
    ),
    ("javascript", re.compile(r"\bat (?P<function>)(?P<path>[^\s()]+\.[cm]?[jt]sx?):(?P<line>\d+):\d+")),
    (
        "rust",
        re.compile(
            r"(?:\bat|\bpanicked at(?: '[^\n]*',)?) (?P<function>)(?P<path>[^\s:,]+\.rs):(?P<line>\d+)(?::\d+)?"
        ),
    ),
    (
        "go",
        re.compile(r"^(?P<function>[\w./*()-]+?)\([^()\n]*\)\n\s+(?P<path>[^\s:]+\.go):(?P<line>\d+)", re.M),
    ),
    ("go", re.compile(r"^\s*(?P<function>)(?P<path>[^\s:]+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?", re.M)),
    ("ruby", re.compile(r"(?P<path>[^\s:]+\.rb):(?P<line>\d+):in [`'](?P<function>[^'\n]+)'")),
    ("php", re.compile(r"^#\d+ (?P<path>[^\n(]+\.php)\((?P<line>\d+)\): (?P<function>[\w\\:>-]+)", re.M)),
    ("php", re.compile(r"\bin (?P<path>[^\s:(]+\.php)(?::| on line )(?P<line>\d+)(?P<function>)")),
    (
        "elixir",
        re.compile(r"(?:^|\) )\s*(?P<path>[\w./-]+\.exs?):(?P<line>\d+): (?P<function>[\w.]+)/\d", re.M),
    ),
    ("compiler", re.compile(r"^(?P<function>)(?P<path>[\w./\\-]+\.\w{1,5}):(?P<line>\d+)(?::\d+)?: ", re.M)),
)

_ERROR = re.compile(
    r"""^\s*(?:[\w.]*\.)?(?P<name>[A-Z]\w*(?:Error|Exception|Warning|Failure|Interrupt))
        (?: :\s*(?P<message>[^\n]{1,200}) | [ \t]*$(?=\n) )   # with its message, or alone on a line of several
      | ^panic:\ (?P<panic>[^\n]{1,200})""",
    re.M | re.X,
)

FRAME_LIMIT = 40


def frames(text: str) -> tuple[Frame, ...]:
    """Frames in order of the text, at most FRAME_LIMIT; of a longer trace the last ones, nearest to the failure."""
    found: dict[int, Frame] = {}
    for _, form in _FORMS:
        for match in form.finditer(text):
            path = match["path"].strip().replace("\\", "/")
            found.setdefault(
                match.start("path"), Frame(path, int(match["line"]), (match["function"] or "").strip())
            )
    ordered = [found[place] for place in sorted(found)]
    return tuple(ordered[-FRAME_LIMIT:])


def errors(text: str) -> tuple[str, ...]:
    """Exception names and their messages, as written."""
    found: list[str] = []
    for match in _ERROR.finditer(text):
        found += [part for part in (match["name"], match["message"], match["panic"]) if part]
    return tuple(dict.fromkeys(found))
