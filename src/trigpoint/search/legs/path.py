"""Files by name: paths as written, stems and folders by the words of the question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.model import Query
from trigpoint.ports import Snapshot
from trigpoint.search.words import FOLDER_WEIGHT, STEM_WEIGHT, name_stems
from trigpoint.text.globs import glob_expression
from trigpoint.text.stems import stem

FILES_A_WORD = 400
FILES = 60


class PathMatch(NamedTuple):
    """A file and how well its path answers: 0 to 1 by words, above 1 when the question writes it."""

    path: str
    score: float
    note: str


def matches(query: Query, snapshot: Snapshot) -> list[PathMatch]:
    """Files that the question names, best first."""
    found: dict[str, PathMatch] = {}
    for match in (*_written(query, snapshot), *_by_words(query, snapshot)):
        if match.path not in found or match.score > found[match.path].score:
            found[match.path] = match
    return sorted(found.values(), key=lambda one: (-one.score, one.path))[:FILES]


def _written(query: Query, snapshot: Snapshot) -> Iterator[PathMatch]:
    """Paths that stand in the question, whole or as the end of an indexed path."""
    written = [*query.paths, *(frame.path for frame in query.frames)]
    for path in dict.fromkeys(written):
        segments = [part for part in path.split("/") if part not in ("", ".", "..")]
        if not segments:
            continue
        if "*" in path or "?" in path:
            yield from _globbed(path, snapshot)
            continue
        for known in snapshot.paths_with(segments[-1].lower(), FILES_A_WORD):
            same = _common_end(known.split("/"), segments)
            if same:
                yield PathMatch(known, 1.0 + same / len(segments), f"path {'/'.join(segments[-same:])}")


def _globbed(pattern: str, snapshot: Snapshot) -> Iterator[PathMatch]:
    """Files that a pattern fits, whole or from any folder on."""
    fits = glob_expression(f"**/{pattern.removeprefix('./').casefold()}").fullmatch
    for row in snapshot.files():
        if fits(row.path.casefold()):
            yield PathMatch(row.path, 2.0, f"path {pattern}")


def _common_end(own: list[str], asked: list[str]) -> int:
    count = 0
    for mine, theirs in zip(reversed(own), reversed(asked), strict=False):
        if mine.lower() != theirs.lower():
            break
        count += 1
    return count


def _by_words(query: Query, snapshot: Snapshot) -> Iterator[PathMatch]:
    asked = {stem(word) for word in query.words}
    if not asked:
        return
    words = dict.fromkeys([*query.words, *asked])
    for path in dict.fromkeys(path for word in words for path in snapshot.paths_with(word, FILES_A_WORD)):
        score, note = _overlap(path, asked)
        if score:
            yield PathMatch(path, score, note)


def _overlap(path: str, asked: set[str]) -> tuple[float, str]:
    """How much of a file's stem, and less so of its folder, the asked word stems cover, 0 to 1; and the words."""
    folder, _, name = path.rpartition("/")
    score = 0.0
    hits: set[str] = set()
    for part, weight in ((name.split(".")[0], STEM_WEIGHT), (folder.rpartition("/")[2], FOLDER_WEIGHT)):
        words = name_stems(part)
        if words:
            score += weight * len(words & asked) / len(words)
            hits |= words & asked
    return score, ", ".join(sorted(hits))
