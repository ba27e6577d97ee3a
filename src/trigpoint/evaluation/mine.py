"""Labelled sets that a project gives by itself: docstrings ask for their definition, commit subjects for what they changed.

A question that names its answer measures a name lookup, not a search: it is refused, and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from trigpoint.evaluation.questions import Question, Target
from trigpoint.model import StoredSymbol
from trigpoint.text.identifiers import fold, split
from trigpoint.text.stems import stem

LEAST_WORDS, MOST_WORDS = 4, 30
"""Words of a question that tells enough and is still one question."""
MOST_FILES = 3
"""Code files that a commit may change: past that its subject speaks of no place in particular."""
UNTOLD = frozenset({"test", "doc", "example", "config", "data", "vendored", "generated", "minified"})
"""Marks of files that are no answer."""

_PREFIX = re.compile(r"^(?:\[[^\]]*\]|\w+(?:\([^)]*\))?!?:|[A-Z]{2,}-\d+:?|#\d+:?)\s*")
_NUMBER = re.compile(r"\s*\(?(?:#|gh-|GH-)\d+\)?|\s*\b[A-Z]{2,}-\d+\b")
_CHORE = re.compile(
    r"^(?:merge|revert|bump|release|prepare|version|update (?:changelog|readme|dependenc|deps|copyright|version|translations)|changelog|typo|fix typo|format|"
    r"reformat|lint|style|docs?|ci|build|chore|tests?|wip|initial commit|cleanup|clean up|minor|nit|backport|upgrade|delete unused)\b|\bchangelog\b|\btypos?\b",
    re.I,
)
_WORD = re.compile(r"[^\W_]+")


class Commit(NamedTuple):
    """One commit of the history: its subject, and which files it changed (their paths as of now), with names from its hunks."""

    id: str
    subject: str
    files: tuple[str, ...]
    scopes: tuple[tuple[str, str], ...] = ()  # path, and the line that git says a change lies under


class Mined(NamedTuple):
    """The questions, and how many were refused for which reason."""

    questions: tuple[Question, ...]
    refused: Counter[str]


def leaks(text: str, targets: Iterable[Target]) -> str:
    """The name by which a question gives its answer away: of a file, a folder's file or a definition; "" when none.

    A name is given away when every word it is made of stands in the question, in any form and order, or when it stands there whole.
    """
    words = {word.casefold() for word in _WORD.findall(text)}
    roots = {stem(part) for word in _WORD.findall(text) for part in (word.casefold(), *split(word))}
    folded = {fold(word) for word in re.findall(r"[\w.$-]+", text)} | words
    for target in targets:
        base = target.path.rpartition("/")[2].split(".")[0]
        for name in (base, target.name.rpartition(".")[2]):
            parts = [part for part in split(name) if not part.isdigit()]
            if name and (fold(name) in folded or (parts and all(stem(part) in roots for part in parts))):
                return name
    return ""


Known = Callable[[str], frozenset[str] | None]
"""The marks of an indexed file; None for one that is not indexed."""
Symbols = Callable[[str], Sequence[StoredSymbol]]


def from_commits(commits: Iterable[Commit], known: Known, symbols: Symbols) -> Mined:
    """A question a commit: its subject, with the code files that it changed and the definitions around its changes."""
    refused: Counter[str] = Counter()
    found: dict[str, Question] = {}
    for commit in commits:
        why, question = _of_commit(commit, known, symbols)
        if question is None:
            refused[why] += 1
        elif question.text.casefold() in found:
            refused["asked before"] += 1
        else:
            found[question.text.casefold()] = question
    return Mined(tuple(found.values()), refused)


def _of_commit(commit: Commit, known: Known, symbols: Symbols) -> tuple[str, Question | None]:
    text = _NUMBER.sub("", _PREFIX.sub("", commit.subject)).strip().rstrip(".")
    if _CHORE.search(text) or _CHORE.search(commit.subject):
        return "a chore", None
    if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS:
        return "too short or too long", None
    marks = {path: known(path) for path in commit.files}
    code = [path for path, mark in marks.items() if mark is not None and not mark & UNTOLD]
    if any(mark is None for mark in marks.values()):
        return "a file is not indexed", None
    if not 1 <= len(code) <= MOST_FILES:
        return "no code, or too many files", None
    functions = tuple(_around(commit, code, symbols))
    targets = tuple(Target(path) for path in code)
    if leaks(text, (*targets, *functions)):
        return "names its answer", None
    return "", Question(commit.id, text, targets, (), functions, "commit")


_CALLABLE = frozenset({"function", "method", "constructor", "macro"})


def _around(commit: Commit, code: Sequence[str], symbols: Symbols) -> Iterator[Target]:
    """Definitions that the changes of a commit lie under, where they are still there under that name."""
    wanted: dict[str, set[str]] = {}
    for path, line in commit.scopes:
        if path in code:
            wanted.setdefault(path, set()).update(re.findall(r"[A-Za-z_]\w+", line))
    for path, names in wanted.items():
        for one in symbols(path):
            it = one.symbol
            if it.kind in _CALLABLE and it.name in names:
                yield Target(path, it.start, it.end, it.qualified)


_PROSE = frozenset({"section", "key", "heading", "element", "table"})


def from_docs(symbols: Iterable[StoredSymbol], known: Known) -> Mined:
    """A question a documented definition: the first sentence of its documentation, in the code that is no test."""
    refused: Counter[str] = Counter()
    found: dict[str, Question] = {}
    for one in symbols:
        text = _sentence(one.symbol.doc)
        marks = known(one.path)
        target = Target(one.path, one.symbol.start, one.symbol.end, one.symbol.qualified)
        why = (
            "no documentation"
            if not text or one.symbol.kind in _PROSE
            else "no code"
            if marks is None or marks & UNTOLD
            else "too short or too long"
            if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS
            else "names its answer"
            if leaks(text, (target,))
            else "asked before"
            if text.casefold() in found
            else ""
        )
        if why:
            refused[why] += 1
            continue
        place = f"{one.path}:{one.symbol.name_line}"
        found[text.casefold()] = Question(place, text, (Target(one.path),), (), (target,), "docstring")
    return Mined(tuple(found.values()), refused)


def _sentence(doc: str) -> str:
    """The first sentence, on one line, without markup."""
    plain = re.sub(r"[`*]|@\w+|\{[^}]*\}|<[^>]+>|:\w+:", " ", " ".join(doc.split()))
    return re.split(r"(?<=\w)[.!?](?:\s|$)", plain, maxsplit=1)[0].strip()
