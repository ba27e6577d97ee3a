"""Files by name: paths as written, stems and folders by the words of the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trigpoint.model import FileRow, Query
from trigpoint.ports import Snapshot
from trigpoint.text.identifiers import fold, split
from trigpoint.text.stems import stem

FILES_A_WORD = 400
FILES = 60


@dataclass(frozen=True, slots=True)
class PathMatch:
    """A file and how well its path answers; ``stem`` and ``folder`` are the shares of their words that were asked."""

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
        for row in snapshot.paths_with(segments[-1].lower(), FILES_A_WORD):
            own = row.path.split("/")
            same = _common_end(own, segments)
            if same:
                yield PathMatch(row.path, 1.0 + same / len(segments), f"path {'/'.join(segments[-same:])}")


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
    rows: dict[str, FileRow] = {}
    for word in dict.fromkeys([*query.words, *asked]):
        rows.update((row.path, row) for row in snapshot.paths_with(word, FILES_A_WORD))
    for path in rows:
        score, note = path_overlap(path, asked)
        if score:
            yield PathMatch(path, score, note)


def path_overlap(path: str, asked: set[str] | frozenset[str]) -> tuple[float, str]:
    """How much of a file's stem, and less so of its folder, the asked word stems cover, 0 to 1; and the words."""
    folder, _, name = path.rpartition("/")
    stem_words = name_stems(name.split(".")[0])
    folder_words = name_stems(folder.rpartition("/")[2])
    hit = stem_words & asked
    near = folder_words & asked
    score = 0.0
    if stem_words:
        score += 0.8 * len(hit) / len(stem_words)
    if folder_words:
        score += 0.2 * len(near) / len(folder_words)
    return score, ", ".join(sorted(hit | near))


def name_stems(name: str) -> set[str]:
    """Word stems of a file or folder name, the folded whole included when it is one word."""
    return {stem(part) for part in split(name)} or {fold(name)}
