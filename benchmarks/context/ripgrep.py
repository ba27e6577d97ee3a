"""What the same tokens buy with ripgrep and a reader: files ranked by the words of the report, read around the matches.

It is given more than an agent has: all words in one search, code files only, no tests, no wrong turns.
"""

from __future__ import annotations

import math
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
COMMON_WORDS = """
    about after all also and any are because been before but can cannot code could did does doesn don each else error even
    example expected false file following for from get gets given got had has have here how import into isn issue its just
    like line make may more most need new none not now one only other our out over same see seems self should some such
    than that the their them then there these they this those though true try trying two use used using very want was way
    were what when where which while who why will with without work works would you your
"""
COMMON = frozenset(COMMON_WORDS.split())
MOST_WORDS = 60
TESTS = re.compile(
    r"(^|/)(tests?|testing|docs?|examples?|benchmarks?)(/|$)|(^|/)(test_[^/]*|conftest\.py|[^/]*_test\.py)$"
)


class Way(NamedTuple):
    """How files are ranked, and how much of one is read before the next."""

    around: int  # lines before and after a match
    windows: int  # of one file at a time
    rare: bool = False  # a word counts by its rarity, which ripgrep does not know; else each the same
    listed: int = 20  # so many lines of `path:matches` are paid for: what the search itself shows


WHOLE = 1_000_000
PLAIN = {
    "ripgrep + read": Way(20, 2),
    "ripgrep + whole files": Way(WHOLE, 1),
}
"""By how many different words a file has, then by how many matches; what is read is numbered, as readers do."""
KIND = [Way(around, many, True, 0) for around in (10, 20, 40) for many in (1, 2, 3)]
"""Far kinder than any agent: of all these the best in each column of the table."""


class Read(NamedTuple):
    """Lines that were read."""

    path: str
    start: int
    end: int


def words(text: str) -> list[str]:
    """The words of a report that are worth searching for, those that look like code first."""
    seen = [w for w in dict.fromkeys(WORD.findall(text)) if w.lower() not in COMMON]
    seen.sort(key=lambda w: not ("_" in w or w[1:].lower() != w[1:]))
    return seen[:MOST_WORDS]


def matches(text: str, root: Path, program: str) -> dict[str, dict[int, set[str]]]:
    """By file and line, the words that stand there."""
    patterns = [part for word in words(text) for part in ("-e", word)]
    if not patterns:
        return {}
    command = [
        program,
        "-oiwFn0",
        "--no-heading",
        "--with-filename",
        "--no-config",
        "--no-ignore",
        "-tpy",
        *patterns,
        ".",
    ]
    ran = subprocess.run(command, cwd=root, capture_output=True, check=False)
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in ran.stdout.decode("utf-8", "replace").splitlines():
        path, _, rest = row.partition("\0")
        line, _, word = rest.partition(":")
        if line.isdecimal() and not TESTS.search(path):
            found[path.removeprefix("./")][int(line)].add(word.lower())
    return found


def ranked(found: dict[str, dict[int, set[str]]], *, rare: bool) -> list[str]:
    """Files by their words, each by its rarity or all alike, then by the number of lines with one."""
    held = {path: set().union(*lines.values()) for path, lines in found.items()}
    holding = _holding(held)
    worth = {
        path: sum(math.log(1 + len(found) / holding[word]) if rare else 1 for word in inside)
        for path, inside in held.items()
    }
    return sorted(found, key=lambda path: (-worth[path], -len(found[path]), path))


def _holding(held: dict[str, set[str]]) -> dict[str, int]:
    """In how many files each word stands."""
    holding: dict[str, int] = defaultdict(int)
    for inside in held.values():
        for word in inside:
            holding[word] += 1
    return holding


def reads(found: dict[str, dict[int, set[str]]], way: Way) -> Iterator[Read]:
    """Windows around the lines with the most and rarest words, file after file; what is left of the files comes last."""
    holding = _holding({path: set().union(*lines.values()) for path, lines in found.items()})
    later: list[Read] = []
    for path in ranked(found, rare=way.rare):
        lines, taken = found[path], list[Read]()
        for number in sorted(lines, key=lambda n: (-sum(1 / holding[word] for word in lines[n]), n)):
            if any(one.start <= number <= one.end for one in taken):
                continue
            taken.append(Read(path, max(1, number - way.around), number + way.around))
            if len(taken) == 8:
                break
        yield from taken[: way.windows]
        later += taken[way.windows :]
    yield from later


def listing(found: dict[str, dict[int, set[str]]], way: Way) -> str:
    """What the search shows of the files."""
    rows = ranked(found, rare=way.rare)[: way.listed]
    return "".join(f"{path}:{len(found[path])}\n" for path in rows)
