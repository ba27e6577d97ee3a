"""What rustdoc says of each name in the source: it writes the source as pages on which names link to their definitions."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from scip import Place

FLAGS = "-Z unstable-options --generate-link-to-definition --document-private-items"
_SOURCE = re.compile(r'id="([^"]+)"[^>]*>(?:<[^>]*>)*?<a class="src[^"]*" href="([^"]+)"')
_FIRST = re.compile(r'<a class="src[^"]*" href="([^"]+)"')
_LINES = re.compile(r"(?P<page>.*\.rs\.html)?#(?P<line>\d+)(?:-\d+)?\Z")


def links(root: Path) -> dict[Place, list[Place]]:
    """Place of a name -> where it is defined, of every file of a crate. Needs a nightly cargo and the crate's dependencies.

    Definitions have column -1: only their lines are known. What lies in another crate is a place with a foreign path.
    """
    with tempfile.TemporaryDirectory() as work:
        command = ["cargo", "+nightly", "doc", "--offline", "--no-deps", "--target-dir", work]
        subprocess.run(
            command,
            cwd=root,
            check=True,
            env={**os.environ, "RUSTDOCFLAGS": FLAGS},
            stderr=subprocess.DEVNULL,
        )
        docs = Path(work) / "doc"
        (crate,) = [one for one in (docs / "src").iterdir() if one.is_dir()]
        found: dict[Place, list[Place]] = {}
        for page in sorted(crate.rglob("*.rs.html")):
            for line, column, target in names_of(page):
                place = defined(page, target, crate, docs)
                if place is not None:
                    found[Place(_path(page, crate), line, column)] = [place]
        return found


def defined(page: Path, target: str, crate: Path, docs: Path) -> Place | None:
    """Where a link leads: to lines of a source page, or to the page of an item, which names its lines."""
    if target.startswith("http"):
        return Place(target, 1, 0)
    lines = _LINES.fullmatch(target)
    if lines is None:
        name, _, anchor = target.partition("#")
        item = (page.parent / name).resolve()
        source = _item(item).get(anchor, "") if item.is_relative_to(docs.resolve()) else ""
        lines = _LINES.fullmatch(source)
        page = item
    if lines is None:
        return None
    file = (page.parent / lines["page"]).resolve() if lines["page"] else page
    if not file.is_relative_to(crate.resolve()):
        return Place(str(file), 1, 0)
    return Place(_path(file, crate), int(lines["line"]), -1)


@cache
def _item(page: Path) -> dict[str, str]:
    """Anchor -> link to the source, of the page of an item; "" is the item itself."""
    if not page.is_file():
        return {}
    text = page.read_text("utf-8")
    first = _FIRST.search(text)
    return {"": first[1] if first else "", **dict(_SOURCE.findall(text))}


def _path(page: Path, crate: Path) -> str:
    return "src/" + page.resolve().relative_to(crate.resolve()).as_posix().removesuffix(".html")


def names_of(page: Path) -> Iterator[tuple[int, int, str]]:
    """Line, column in bytes and link of every name on a source page."""
    reader = _Names()
    reader.feed(page.read_text("utf-8"))
    return iter(reader.found)


class _Names(HTMLParser):
    """Counts lines and columns of the code, and notes where links stand in it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, int, str]] = []
        self.line, self.column = 1, 0
        self.inside = self.aside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "code":
            self.inside = True
        elif tag == "a" and "data-nosnippet" in given:
            self.aside = True
        elif tag == "a" and self.inside and given.get("href"):
            self.found.append((self.line, self.column, given["href"] or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.aside = False
        elif tag == "code":
            self.inside = False

    def handle_data(self, data: str) -> None:
        if not self.inside or self.aside:
            return
        head, newline, tail = data.rpartition("\n")
        if newline:
            self.line += head.count("\n") + 1
            self.column = 0
        self.column += len(tail.encode())
