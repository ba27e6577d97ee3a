"""Packages -> pairs.jsonl and licences.tsv.

usage: mine.py DATA OUT [--never FILE] [--workers N]

DATA holds pypi/, npm/ and debian/ as fetch.py fills them. One JSON line a pair, grouped by package; licences.tsv has one
line a package: what was decided and why.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import archives
import licences
import pairs
from archives import Package
from licences import Verdict

MOST_PAIRS = 8_000
"""Of one package: a monorepo must not drown the rest."""


class Mined(NamedTuple):
    """What one package gave."""

    package: Package
    verdict: Verdict
    found: tuple[pairs.Pair, ...]
    refused: int  # files without a permissive licence
    sha256: str
    error: str = ""


def mine(package: Package) -> Mined:
    """The pairs of one package, if its licence allows."""
    try:
        digest = hashlib.sha256(package.path.read_bytes()).hexdigest()
        if package.registry == "debian":
            return _debian(package, digest)
        allowed = _audited(package)
        found = tuple(_pairs(archives.files(package.path))) if allowed.use else ()
        return Mined(package, allowed, found, 0, digest)
    except Exception as error:  # a damaged archive costs itself
        return Mined(package, Verdict(False, ""), (), 0, "", f"{type(error).__name__}: {error}"[:200])


def _audited(package: Package) -> Verdict:
    for path, data in archives.files(package.path):
        if package.registry == "npm" and path == "package.json":
            return licences.of_npm(data.decode("utf-8", "replace"))
        if package.registry == "pypi" and (path.endswith(".dist-info/METADATA") or path == "PKG-INFO"):
            return licences.of_wheel(data.decode("utf-8", "replace"))
    return Verdict(False, "")


def _debian(package: Package, digest: str) -> Mined:
    upstream, packaging = archives.debian_parts(package.path)
    text = ""
    for path, data in archives.files(packaging) if packaging else ():
        if path == "copyright" or path.endswith("/copyright"):
            text = data.decode("utf-8", "replace")
            break
    rights = licences.Copyright(text)
    allowed = ", ".join(rights.licences())
    if not allowed:
        return Mined(package, Verdict(False, "no plain licence"), (), 0, digest)
    refused = 0

    def usable() -> Iterator[tuple[str, bytes]]:
        nonlocal refused
        for archive in upstream:
            for path, data in archives.files(archive):
                if rights.of(path).use:
                    yield path, data
                else:
                    refused += 1

    found = tuple(_pairs(usable()))
    return Mined(package, Verdict(True, allowed[:200]), found, refused, digest)


def _pairs(files: Iterator[tuple[str, bytes]]) -> Iterator[pairs.Pair]:
    count = 0
    for path, data in files:
        try:
            for one in pairs.pairs_of(path, data):
                yield one
                count += 1
        except (RecursionError, ValueError, IndexError):
            continue
        if count >= MOST_PAIRS:
            return


class Never:
    """What must not be trained on, by name: the package, and folders that hold a copy of it."""

    def __init__(self, repositories: list[str]) -> None:
        self.names = {_plain(one.split("/")[1]) for one in repositories} | {
            _plain(one) for one in repositories
        }
        self.folders = {name for name in self.names if len(name) > 4} - GENERIC

    def package(self, package: Package) -> bool:
        """Whether the name of the package is one of them, under the prefixes that registries add."""
        name = _plain(package.name)
        bare = re.sub(
            r"^(?:golang-github|golang|rust|haskell|ruby|php|lua|lib|node|python3?|types)-", "", name
        )
        return name in self.names or bare in self.names or bare.removesuffix("-java") in self.names

    def path(self, path: str) -> bool:
        """Whether a folder on the way to a file is named like one of them."""
        return any(_plain(part) in self.folders for part in path.lower().split("/")[:-1])


GENERIC = frozenset(
    [
        "black",
        "react",
        "vault",
        "celery",
        "circe",
        "devise",
        "express",
        "flask",
        "keras",
        "prometheus",
        "typer",
        "aeson",
        "rails",
        "plug",
    ]
) - {"flask"}
"""Names that folders of other projects bear for what they hold; copies of code under these are found by content."""


def _plain(name: str) -> str:
    return re.sub(r"[._/]+", "-", name.lower())


def main() -> None:
    """Mine everything below a folder."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("data", type=Path)
    ask.add_argument("out", type=Path)
    ask.add_argument("--never", type=Path)
    ask.add_argument("--workers", type=int, default=2)
    given = ask.parse_args()
    never = Never(given.never.read_text().split()) if given.never else Never([])
    given.out.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in archives.packages(given.data) if not never.package(one)]
    chosen.sort(key=lambda one: zlib.crc32(one.key.encode()))  # of all languages, however far a run comes
    seen: set[str] = set()
    totals: Counter[str] = Counter()
    with (
        open(given.out / "pairs.jsonl", "w") as pairs_out,
        open(given.out / "licences.tsv", "w") as table,
        ProcessPoolExecutor(given.workers) as pool,
    ):
        table.write(
            "registry\tname\tversion\tlicence\tused\tpairs\tleft out by name\tcopies\tfiles by licence\tsha256 of archive or .dsc\n"
        )
        for mined in pool.map(mine, chosen, chunksize=4):
            count: Counter[str] = Counter()
            for one in mined.found:
                if never.path(one.path):
                    count["named"] += 1
                elif one.digest in seen:
                    count["copy"] += 1
                else:
                    seen.add(one.digest)
                    count["pair"] += 1
                    totals[one.language] += 1
                    pairs_out.write(json.dumps({"package": mined.package.key, **one._asdict()}) + "\n")
            package, verdict = mined.package, mined.verdict
            row = (
                package.registry,
                package.name,
                package.version,
                verdict.licence or mined.error,
                "yes" if verdict.use else "no",
            )
            table.write(
                "\t".join(
                    map(
                        str, (*row, count["pair"], count["named"], count["copy"], mined.refused, mined.sha256)
                    )
                )
                + "\n"
            )
            print(package.key, *row[3:], dict(count), mined.error, file=sys.stderr, flush=True)
    print(sum(totals.values()), "pairs:", dict(totals.most_common()))


if __name__ == "__main__":
    main()
