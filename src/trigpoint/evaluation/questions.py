"""Labelled sets: what is asked, and what a good answer shows. JSON, JSON Lines, semble's format, TREC topics with qrels.

A row of JSON has a ``query`` (``question``, ``text``, ``title``) and targets: ``relevant`` (``targets``, ``files``, ``gold_files``),
each a path, a ``path:FIRST-LAST`` or an object with ``path`` and perhaps ``start_line``, ``end_line``, ``name``. ``secondary``
targets earn NDCG only; ``functions`` (``gold_functions``) are to be shown by name. ``id``, ``category`` and ``repository``
are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from trigpoint.errors import UsageError


class Target(NamedTuple):
    """A place that a good answer shows: a file, lines of it (1-based, inclusive), or a named definition in it."""

    path: str
    start: int = 0  # 0: the whole file
    end: int = 0
    name: str = ""


class Question(NamedTuple):
    """One question with its labels."""

    id: str
    text: str
    relevant: tuple[Target, ...]
    secondary: tuple[Target, ...] = ()
    functions: tuple[Target, ...] = ()
    category: str = ""
    repository: str = ""


_TEXT = ("query", "question", "text", "title")
_RELEVANT = ("relevant", "targets", "files", "gold_files", "answers")
_FUNCTIONS = ("functions", "gold_functions")
_PLACE = re.compile(r"(?P<path>.+):(?P<start>\d+)(?:-(?P<end>\d+))?\Z", re.DOTALL)


def read_questions(content: str, name: str, qrels: str = "") -> tuple[Question, ...]:
    """The questions of a file; ``qrels`` is the content of TREC judgements, and the file then holds topics.

    Raises UsageError that names the first row that is no question, or says that there is none.
    """
    found = _topics(content, qrels) if qrels else tuple(_rows(content, name))
    if not found:
        raise UsageError(
            f"{name} holds no question", 'a line is an object: {"query": "…", "relevant": ["src/a.py"]}'
        )
    return found


def _rows(content: str, name: str) -> Iterable[Question]:
    """The rows of a JSON list, of an object that holds one, or of lines."""
    for number, row in enumerate(_objects(content, name), 1):
        try:
            yield _question(row, number)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            hint = 'it needs "query" and "relevant": paths, or objects with a path'
            raise UsageError(f"{name}: row {number} is no question: {error}", hint) from error


def _objects(content: str, name: str) -> list[Any]:
    try:
        whole = json.loads(content)
    except ValueError:
        lines = [line for line in content.split("\n") if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except ValueError as error:
            raise UsageError(
                f"{name} is neither JSON nor JSON Lines: {error}", "for TREC topics give --qrels"
            ) from error
    if isinstance(whole, Mapping):
        inside = next((value for value in whole.values() if isinstance(value, list)), None)
        return [whole] if inside is None or any(key in whole for key in _TEXT) else inside
    return list(whole)


def _question(row: Mapping[str, Any], number: int) -> Question:
    text = next(row[key] for key in _TEXT if row.get(key)) if any(row.get(key) for key in _TEXT) else ""
    if not isinstance(text, str) or not text.strip():
        raise KeyError("no query")
    relevant = _targets(row, _RELEVANT)
    functions = _targets(row, _FUNCTIONS)
    if not relevant:
        relevant = tuple(dict.fromkeys(Target(one.path) for one in functions))
    if not relevant:
        raise KeyError("nothing is relevant")
    return Question(
        id=str(row.get("id", number)),
        text=text,
        relevant=relevant,
        secondary=_targets(row, ("secondary",)),
        functions=functions,
        category=str(row.get("category", row.get("mention", "")) or ""),
        repository=str(row.get("repository", row.get("repo", "")) or ""),
    )


def _targets(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[Target, ...]:
    written = next((row[key] for key in keys if row.get(key)), ())
    return tuple(_target(one) for one in ([written] if isinstance(written, (str, Mapping)) else written))


def _target(written: str | Mapping[str, Any]) -> Target:
    if isinstance(written, str):
        match = _PLACE.match(written)
        if not match:
            return Target(_path(written))
        return Target(_path(match["path"]), int(match["start"]), int(match["end"] or match["start"]))
    path = written.get("path") or written["file"]
    start = int(written.get("start_line", written.get("start", 0)) or 0)
    end = int(written.get("end_line", written.get("end", start)) or start)
    return Target(_path(path), start, end, str(written.get("name", "") or ""))


def _path(written: str) -> str:
    return written.replace("\\", "/").removeprefix("./")


# TREC

_TOPIC = re.compile(
    r"<num>\s*(?:Number:)?\s*(?P<id>\S+?)\s*(?:</num>)?\s*<title>\s*(?P<title>.+?)\s*(?=</title>|<desc>|<narr>|</top>)",
    re.S,
)


def _topics(content: str, qrels: str) -> tuple[Question, ...]:
    """Topics (``<top>`` blocks, or lines of an id, a tab and a question) with what their judgements call relevant."""
    topics = {match["id"]: " ".join(match["title"].split()) for match in _TOPIC.finditer(content)}
    if not topics:
        rows = (line.split("\t", 1) for line in content.split("\n") if "\t" in line)
        topics = {first.strip(): second.strip() for first, second in rows}
    judged: dict[str, list[Target]] = {}
    for number, line in enumerate(qrels.split("\n"), 1):
        if not line.strip():
            continue
        parts = line.split()
        if len(parts) != 4 or not re.fullmatch(r"-?\d+", parts[3]):
            raise UsageError(
                f"qrels line {number} is no judgement: {line[:60]!r}", "it is: TOPIC 0 PATH GRADE"
            )
        if int(parts[3]) > 0:
            judged.setdefault(parts[0], []).append(_target(parts[2]))
    return tuple(Question(key, text, tuple(judged[key])) for key, text in topics.items() if judged.get(key))
