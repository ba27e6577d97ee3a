"""Jupyter notebooks: cells are text and code on the lines of the file, outputs are nothing.

A notebook is searched as its readable text: line n is line n of the file, decoded, and blank where the file holds no
cell source. The line before a cell's first says ``# %% cell 2 [code]``, and line 1 names the kernel's language. Where
the file keeps several lines of a cell on one line of its own (a minified notebook), the cells simply follow one
another, and line 1 says that lines are not those of the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from trigpoint.indexing.formats.entries import Entries
from trigpoint.indexing.formats.keys import parser
from trigpoint.indexing.formats.markdown import outline_markdown
from trigpoint.indexing.formats.markup import Embedded
from trigpoint.model import MODULE, Outline

_TITLE = re.compile(r"# notebook, kernel ([\w+#.-]+)(; lines are of the cells, not of the file)?\n")
_MARK = re.compile(r"# %% cell (\d+) \[(\w*)\]$")
_MAGIC = re.compile(r"[ \t]*(?:[%!?]|\w+\s*=\s*[!%])")
_KERNELS = {"ipython": "python", "python3": "python", "c++17": "cpp", "c++": "cpp", "node": "javascript"}
"""Languages that kernels call by another name than ours."""


class Cell(NamedTuple):
    """One cell. Its number counts from 1 over all cells; ``mark`` is the line before its first line."""

    number: int
    kind: str  # code, markdown, raw
    mark: int
    end: int


Pieces = list[tuple[int, str]]  # 0-based row in the file, decoded source
Found = Sequence[tuple[str, Pieces]]  # kind of the cell, its source


def readable_notebook(raw: str) -> str | None:
    """The readable text of a notebook file; None when it is no notebook."""
    source = raw.encode("utf-8", "replace")
    root = parser("tree_sitter_json")(source).root_node
    top = next((_members(child) for child in root.named_children if child.type == "object"), {})
    if "cells" not in top and "worksheets" not in top:
        return None
    found = [_read_cell(node, source) for node in _cell_nodes(top)]
    title = f"# notebook, kernel {_language(top.get('metadata'), source)}"
    rows = _in_place(found, raw.count("\n") + (not raw.endswith("\n")))
    if rows is None:
        return "\n".join([f"{title}; lines are of the cells, not of the file", *_in_sequence(found)]) + "\n"
    return "\n".join([title, *rows[1:]]) + "\n"


def cells(text: str) -> list[Cell]:
    """The cells of a readable text; [] when it is none. Line n of a cell is line ``mark + n`` of the text."""
    if not _TITLE.match(text):
        return []
    rows = text.split("\n")
    marks = [
        (at, found)
        for at, row in enumerate(rows, 1)
        if row[:9] == "# %% cell" and (found := _MARK.match(row))
    ]
    ends = [at - 1 for at, _ in marks[1:]] + [len(rows) - 1]
    return [
        Cell(int(found[1]), found[2], at, _solid(rows, at, end))
        for (at, found), end in zip(marks, ends, strict=False)
    ]


def outline_notebook(text: str) -> Outline:
    """Each cell of a readable text as ``cell N``, and in markdown cells their sections."""
    entries = Entries(text)
    for cell in cells(text):
        index = entries.add(f"cell {cell.number}", "cell", (cell.mark, cell.end))
        first = next((row.strip() for row in entries.rows[cell.mark : cell.end] if row.strip()), "")
        entries.change(index, signature=f"cell {cell.number}: {first}"[:160])
        if cell.kind == "markdown" and index != MODULE:
            _sections(entries, cell, index)
    return entries.outline()


def notebook_code(text: str) -> tuple[Embedded, ...]:
    """The code cells of a readable text in the kernel's language, all else and magic commands blanked; () if none."""
    title = _TITLE.match(text)
    if title is None:
        return ()
    rows = text.split("\n")
    kept = [""] * len(rows)
    for cell in cells(text):
        lines = rows[cell.mark : cell.end]
        if cell.kind == "code" and not (lines and lines[0].lstrip().startswith("%%")):
            kept[cell.mark : cell.end] = ["" if _MAGIC.match(line) else line for line in lines]
    return (Embedded(title[1], "\n".join(kept)),) if any(kept) else ()


def _sections(entries: Entries, cell: Cell, index: int) -> None:
    inner = outline_markdown("\n".join(entries.rows[cell.mark : cell.end]))
    base = len(entries.symbols)
    for symbol in inner.symbols:
        container = index if symbol.container == MODULE else base + symbol.container
        start, end, line = (at + cell.mark for at in (symbol.start, symbol.end, symbol.name_line))
        if entries.add(symbol.name, "section", (start, end), container, line) == MODULE:
            return


def _solid(rows: list[str], start: int, end: int) -> int:
    """The last line up to ``end`` that holds text."""
    while end > start and not rows[end - 1].strip():
        end -= 1
    return end


def _in_place(found: Found, lines: int) -> list[str] | None:
    """The rows of the file with the cells' sources where they are; None when the file's lines are not theirs."""
    rows = [""] * lines
    free = 1  # the first row that may hold a mark; row 0 is the title's
    for number, (kind, pieces) in enumerate(found, 1):
        if not pieces:
            continue
        first = pieces[0][0]
        even = all(row == first + at and "\n" not in words[:-1] for at, (row, words) in enumerate(pieces))
        if first - 1 < free or not even:
            return None
        rows[first - 1] = f"# %% cell {number} [{kind}]"
        for row, words in pieces:
            rows[row] = words.removesuffix("\n").replace("\r", "")
        free = pieces[-1][0] + 1
    return rows


def _in_sequence(found: Found) -> Iterator[str]:
    for number, (kind, pieces) in enumerate(found, 1):
        if pieces:
            yield f"# %% cell {number} [{kind}]"
            yield from "".join(words for _, words in pieces).replace("\r", "").removesuffix("\n").split("\n")


def _cell_nodes(top: dict[str, Any]) -> Iterator[Any]:
    """The cells, also those of the old format that kept them in worksheets."""
    for sheet in top["worksheets"].named_children if "worksheets" in top else ():
        inner = _members(sheet).get("cells")
        yield from inner.named_children if inner is not None else ()
    if "cells" in top:
        yield from top["cells"].named_children


def _read_cell(node: Any, source: bytes) -> tuple[str, Pieces]:
    members = _members(node) if node.type == "object" else {}
    kind = re.sub(r"\W", "", _string(members.get("cell_type"), source))
    value = members.get("source", members.get("input"))
    if value is None:
        return kind, []
    strings = value.named_children if value.type == "array" else [value]
    pieces = [(one.start_point[0], _string(one, source)) for one in strings if one.type == "string"]
    return kind, pieces if any(words for _, words in pieces) else []


def _members(node: Any) -> dict[str, Any]:
    """The members of a JSON object by their key."""
    found = {}
    for pair in node.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            found[key.text.decode("utf-8", "replace").strip('"')] = value
    return found


def _string(node: Any, source: bytes) -> str:
    if node is None or node.type != "string":
        return ""
    try:
        return str(
            json.loads(source[node.start_byte : node.end_byte].decode("utf-8", "replace"), strict=False)
        )
    except ValueError:
        return ""


def _language(metadata: Any, source: bytes) -> str:
    """The kernel's language; Python when nothing is said."""
    members = _members(metadata) if metadata is not None else {}
    for key, field in (("kernelspec", "language"), ("language_info", "name")):
        name = _string(_members(members[key]).get(field), source).lower() if key in members else ""
        if name and re.fullmatch(r"[\w+#.-]+", name):
            return _KERNELS.get(name, name)
    return "python"
