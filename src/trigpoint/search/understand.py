"""Text to a Query: words, identifiers, paths, quoted strings, stack frames, errors, filters, and what is asked for.

Pure: the same text always gives the same Query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.model import Filters, Query
from trigpoint.search import filters as written
from trigpoint.search.frames import errors, frames
from trigpoint.search.phrases import EXTENSIONS, FILE_NAMES, vocabulary
from trigpoint.search.reports import headline, is_report, reduced
from trigpoint.search.wishes import wished

READ_LIMIT = 20_000
"""Characters of a question that are read; of a longer one repeated lines are dropped first."""
WORD_LIMIT = 120
"""Distinct words that are kept, in order."""

STOP_WORDS = vocabulary(
    """
    a about above after again all also am an and any are as at be because been before being below between both but
    by can cannot could did do does doing done don't down during each either else ever every few for from further
    get gets getting given gives go goes had has have having he her here hers him his how i i'd i'm if in into is
    isn't it it's its itself just let lets like make makes many may me might more most much must my need needs no
    nor not now of off on once only or other our out over own please same shall she should show so some such than
    that that's the their them then there these they this those through to too under until up us use used uses using
    very want was we were what what's when where where's which while who whom whose why will with within without
    would you your
    """
)
"""Words that say nothing of the subject. Where a question has nothing else, they are kept out all the same."""

_IDENTIFIER = re.compile(
    r"`(?P<tick>[^`\n]{1,120})`"
    r"|(?P<call>[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*)\(\)?"
    r"|(?P<dotted>[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$~][\w$]*)+[!?]?)"
    r"|(?P<plain>[A-Za-z_$@][\w$]*[!?]?)"
)
_CASED = re.compile(r"[a-z0-9][A-Z]|_\w|\w_|[A-Z]{2,}[a-z]|\$\w|[a-z]\d+[A-Z]?|^@\w")
_PASCAL = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\Z")
_PATH = re.compile(
    r"(?<![\w:/])(?:\.{0,2}/)?(?:[\w@.+()\[\]*?{}-]+[/\\])+[\w@.+()\[\]*?{}-]*"
    r"|(?<![^\s\"'`(])[\w.?-]*\*[\w.*?-]*(?![^\s\"'`),;])"
    r"|(?<![\w./])[\w-]*(?:\.[\w-]+)*\.[a-z]{1,8}\d?\b(?![(.\w])"
)
_KNOWN_FILE = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, sorted(FILE_NAMES)))})(?![\w/-])")
_GLOB = re.compile(r"\w+[\w.-]*\*|[\w.?-]*\*[\w.?*-]*\w\Z")
"""A pattern of file names with a star in it; a star alone is a sign of multiplication."""
_QUOTED = re.compile(r"\"([^\"\n]{2,200})\"|(?<!\w)'([^'\n]{2,200})'(?!\w)")
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?", re.UNICODE)
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*)\Z")


def understand(text: str, given: Filters | None = None) -> Query:
    """A question, taken apart. ``given`` are filters from outside, joined with those in the text.

    Raises UsageError for a filter that cannot be executed.
    """
    rest, inline = written.split(text.replace("\x00", " "))
    body, cut = _shortened(rest)
    report = is_report(body)
    if report:
        body = reduced(body)
    body, wishes = wished(body)
    inline = inline._replace(not_paths=(*inline.not_paths, *wishes.away))
    filters = written.checked(written.join(inline, given or Filters()))
    identifiers = tuple(dict.fromkeys(_identifiers(body)))
    paths = tuple(dict.fromkeys(_paths(body)))
    words = tuple(dict.fromkeys(_words(body)))
    return Query(
        text=text,
        words=words[:WORD_LIMIT],
        identifiers=identifiers[:WORD_LIMIT],
        paths=paths,
        quoted=tuple(first or second for first, second in _QUOTED.findall(body))[:20],
        frames=frames(body),
        errors=errors(body),
        filters=filters,
        wants=wishes.wants,
        cut=cut or len(words) > WORD_LIMIT,
        refuses=wishes.refuses,
        languages=wishes.languages,
        kinds=wishes.kinds,
        headline=_headline(body) if report else (),
    )


def _headline(text: str) -> tuple[str, ...]:
    first = headline(text)
    return tuple(dict.fromkeys((*_words(first), *_identifiers(first))))


def _shortened(text: str) -> tuple[str, bool]:
    """The text without repeated lines, then without its middle, when it is longer than READ_LIMIT."""
    if len(text) <= READ_LIMIT:
        return text, False
    lines = list(dict.fromkeys(text.split("\n")))
    kept = "\n".join(lines)
    if len(kept) > READ_LIMIT:
        half = READ_LIMIT // 2
        kept = kept[:half] + "\n" + kept[-half:]
    return kept, True


def _identifiers(text: str) -> Iterator[str]:
    """Names as they are written: by their case, their call brackets, their dots or their back-ticks."""
    bare = text.strip()
    alone = bare if _IDENTIFIER.fullmatch(bare) else ""
    for match in _IDENTIFIER.finditer(text):
        kind, name = match.lastgroup, match[match.lastgroup or 0]
        if kind == "tick":
            yield from _identifiers(name) if not name.isidentifier() else (name,)
        elif kind == "dotted":
            if (name.rpartition(".")[2] not in EXTENSIONS and name not in FILE_NAMES) or "(" in name:
                yield name
        elif (
            kind == "call"
            or _CASED.search(name)
            or _PASCAL.match(name)
            or name == alone
            or (name[0].isupper() and len(name) > 2 and not _SENTENCE_START.search(text[: match.start()]))
        ):
            yield name


def _paths(text: str) -> Iterator[str]:
    for match in _PATH.finditer(text):
        path = match[0].replace("\\", "/").strip("()[],;")
        if "/" in path or path.rpartition(".")[2] in EXTENSIONS or _GLOB.match(path):
            yield path.removeprefix("./")
    yield from _KNOWN_FILE.findall(text)


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        word = match[0].replace("’", "'").casefold()
        if word not in STOP_WORDS:
            yield word.removesuffix("'s")
