"""The questions of `trig search --queries`: one JSON object a line, each with an id and a query."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from trigpoint.errors import UsageError


class Question(NamedTuple):
    """One question of a batch; the id comes back with its answer, whatever it is."""

    id: Any
    query: str


def read_questions(name: str) -> list[Question]:
    """All questions of a file, "-" for standard input, checked before the first is answered.

    Raises UsageError with the number of the first line that is no question.
    """
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(
            f"cannot read {name}: {error.strerror}", "give a file of questions, or - to pipe them in"
        ) from error
    lines = content.split(b"\n")
    return [_question(line, f"{name}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _question(line: bytes, place: str) -> Question:
    try:
        found = json.loads(line)
        return Question(found["id"], _text(found["query"]))
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{place} is no question", 'each line is an object: {"id": "1", "query": "where is …"}'
        ) from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
