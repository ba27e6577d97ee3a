"""Answers for people and for pipes. On a terminal results are grouped by file; piped, one result is one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from trigpoint.config import Shown
from trigpoint.model import (
    Freshness,
    IndexReport,
    KeptBeside,
    Level,
    NamedEdge,
    Pack,
    PackedHit,
    Query,
    Status,
    StoredSymbol,
    Window,
)
from trigpoint.render import advice
from trigpoint.render.style import Look, cut, marked, visible, visible_path

if TYPE_CHECKING:
    from trigpoint.graph.map import ProjectMap
    from trigpoint.graph.relation import Relation, Row

_AROUND = 2  # lines shown before and after the best line on a terminal
_WIDTH = 300  # longest line shown: minified code is one line of a megabyte
_REASONS = 3  # reasons shown beside a result; --explain shows all


def search(pack: Pack, look: Look, *, explain: bool = False) -> str:
    """The results of a search, best first."""
    if look.terminal:
        shown = _grouped(pack, look)
    else:
        shown = "".join(_one_line(packed, look) for packed in pack.hits)
    return shown + _explanation(pack, look) if explain else shown


def _one_line(packed: PackedHit, look: Look) -> str:
    hit = packed.hit
    return _place(hit.chunk.path, hit.line, look) + ":" + _shown_line(_line_of(packed, hit.line)) + "\n"


def _place(path: str, line: int, look: Look) -> str:
    return f"{look.paint(visible_path(path), 'path')}:{look.paint(str(line), 'line')}"


def _shown_line(line: str) -> str:
    return cut(visible(line.rstrip("\r")), _WIDTH)


def _line_of(packed: PackedHit, line: int) -> str:
    """A line of the chunk, from the window when that holds it; "" when neither does."""
    for start, text in _texts(packed):
        lines = text.split("\n")
        if start <= line < start + len(lines):
            return lines[line - start]
    return ""


def _texts(packed: PackedHit) -> Iterable[tuple[int, str]]:
    window = packed.window
    if window is not None and not (window.elided or window.outline):
        yield window.span.start, window.text
    yield packed.hit.chunk.chunk.start, packed.hit.chunk.chunk.text


def _grouped(pack: Pack, look: Look) -> str:
    words = _matching(pack.query)
    blocks = []
    for path, group in groupby(pack.hits, key=lambda packed: packed.hit.chunk.path):
        results = [_result(packed, words, look) for packed in group]
        blocks.append(look.paint(visible_path(path), "path") + "\n" + "".join(results))
    footer = " · ".join(
        filter(None, (f"{len(pack.hits)} of {pack.total} results", advice.sure(pack), visible(pack.plan)))
    )
    return "\n".join([*blocks, look.paint(footer, "dim") + "\n"]) if blocks else ""


def _result(packed: PackedHit, words: re.Pattern[str] | None, look: Look) -> str:
    hit = packed.hit
    span = hit.chunk.span
    title = visible(hit.name or hit.kind)
    head = f"  {look.paint(f'{span.start}-{span.end}', 'line')}  {look.paint(title, 'bold')}"
    reasons = ", ".join(filter(None, (_reasons(packed), _copies(len(hit.copies)))))
    lines = [f"{head}  {look.paint(reasons, 'dim')}".rstrip() + "\n"]
    if packed.window is None:
        return lines[0]
    for number, line in _excerpt(packed):
        text = marked(_shown_line(line), words, look)
        lines.append(f"  {look.paint(f'{number:5}', 'line')} {look.paint('|', 'dim')} {text}".rstrip() + "\n")
    return "".join(lines)


def _excerpt(packed: PackedHit) -> list[tuple[int, str]]:
    """The best line and those around it, without blank ones at either end."""
    if packed.window is not None and packed.window.outline:
        rows = packed.window.text.removesuffix("\n").split("\n")[: 2 * _AROUND + 1]
        numbered = (
            row.lstrip().partition("  ") for row in rows
        )  # number, two spaces, the indented signature
        return [(int(number), signature) for number, _, signature in numbered]
    span, best = packed.hit.chunk.span, packed.hit.line
    numbers = range(max(span.start, best - _AROUND), min(span.end, best + _AROUND) + 1)
    lines = [(number, _line_of(packed, number)) for number in numbers]
    filled = [index for index, (_, line) in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _matching(query: Query) -> re.Pattern[str] | None:
    """What to paint: the names, quotes and longer words of the question."""
    words = {word for word in (*query.identifiers, *query.quoted, *query.words) if len(word) > 2}
    if not words:
        return None
    return re.compile(
        "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)), re.IGNORECASE
    )


def _reasons(packed: PackedHit) -> str:
    best = sorted(packed.hit.evidence, key=lambda item: -item.value)[:_REASONS]
    return ", ".join(_named(item.name.partition(":")[2] or item.name, item.note) for item in best)


def _copies(number: int) -> str:
    return f"{number} {'copy' if number == 1 else 'copies'} elsewhere" if number else ""


def _named(name: str, note: str) -> str:
    """The name and its note, which may begin with the name itself."""
    return visible(note if note.startswith(name) else f"{name} {note}".strip())


def _explanation(pack: Pack, look: Look) -> str:
    lines = [
        f"intent: {pack.intent}",
        f"plan: {pack.plan}",
        f"because: {pack.rationale}",
        *filter(None, (advice.sure(pack),)),
        *(
            f"stage: {stage.name} {stage.milliseconds:.1f} ms {stage.detail}".rstrip()
            for stage in pack.stages
        ),
    ]
    for packed in pack.hits:
        lines.append(f"#{packed.rank} {packed.hit.chunk.span} = {packed.hit.score:.3f}")
        lines += [f"   {item.value:+.3f} {item.name} {item.note}".rstrip() for item in packed.hit.evidence]
    return "".join(look.paint(visible(line), "dim") + "\n" for line in lines)


def notes(pack: Pack) -> tuple[str, ...]:
    """What the answer lacks, and how the index stands to the files: one line each, for beside the answer."""
    fresh = pack.freshness
    state = (
        ()
        if fresh.state == "fresh" and not fresh.note
        else (f"index {fresh.state}: {fresh.note}".rstrip(": "),)
    )
    others = (note for note in pack.notes if not state or note != fresh.note)  # said already
    return tuple(visible(line) for line in (*state, *others, *advice.lines(pack)))


def symbols(found: Sequence[StoredSymbol], look: Look) -> str:
    """Definitions, one a line: place, kind, signature."""
    return "".join(
        f"{_place(item.path, item.symbol.name_line, look)}:{_definition(item, look)}\n" for item in found
    )


def edge(one: NamedEdge, look: Look) -> str:
    """One edge on one line: site, both ends, and how sure it is."""
    it = one.edge
    source, target = (visible(end.name or end.path) for end in (one.source, one.target))
    sure = look.paint(f"{it.confidence:g} {it.resolved_by}", "dim")
    return f"{_place(it.path, it.line, look)}:{source} {it.kind} {target} ({visible(one.target.path)}:{one.target.line}) {sure}\n"


def relation(answer: Relation, look: Look) -> str:
    """What was reached, one row a line: place, name, how. On a terminal under the files."""
    if not look.terminal:
        return "".join(_related(row, answer, look) for row in answer.rows)
    blocks = []
    for path, rows in groupby(answer.rows, key=lambda row: row.symbol.path):
        lines = "".join(_related(row, answer, look) for row in rows)
        blocks.append(look.paint(visible_path(path), "path") + "\n" + lines)
    return "\n".join(blocks)


def _related(row: Row, answer: Relation, look: Look) -> str:
    place = (
        f"  {look.paint(f'{row.line:5}', 'line')} "
        if look.terminal
        else _place(row.symbol.path, row.line, look) + ":"
    )
    name = "<module>" if row.symbol.symbol.kind == "file" else row.name
    return place + look.paint(visible(name), "bold") + _how(row, answer, look) + "\n"


def _how(row: Row, answer: Relation, look: Look) -> str:
    """How a row was reached: what it names and where, and how sure that is when it is no fact."""
    site = row.sites[0] if row.sites else None
    near = visible(row.near.symbol.qualified)
    if answer.relation == "callers":
        shown = f" calls {near}" * (len(answer.targets) > 1) + (f": {_shown_line(site.text)}" if site else "")
    else:
        at = f" at {_place(site.path, site.line, look)}" if site else ""
        more = f" and {len(row.sites) - 1} more" * (len(row.sites) > 1)
        way = f"{row.kind} {near}" if answer.relation == "impact" else f"{near} {row.kind} it"
        origin = row.origin.symbol.qualified if row.origin and row.hop > 1 else ""
        start = f", {'from' if answer.relation == 'deps' else 'by'} {visible(origin)}" * bool(origin)
        shown = f": hop {row.hop}, {way}{at}{more}{start}"
    if row.certain:
        return shown
    return shown + look.paint(f"  [candidate {row.confidence:g}: {row.resolved_by}]", "dim")


def changes(answer: Relation, look: Look) -> str:
    """The changed symbols of a diff, one a line."""
    return "".join(
        f"{_place(one.path, one.span.start, look)}:{visible(one.name or '<module>')}: {one.how} {one.kind}\n"
        for one in answer.changes
    )


def project_map(found: ProjectMap, look: Look) -> str:
    """The files of a map with their definitions, indented as they lie in each other."""
    blocks = []
    for file in found.files:
        lines = [look.paint(visible_path(file.path), "path") + "\n"]
        for one in file.landmarks:
            symbol = one.symbol.symbol
            depth = "  " * symbol.qualified.count(".")
            signature = cut(visible(symbol.signature or f"{symbol.kind} {symbol.name}"), _MAPPED)
            lines.append(f"{look.paint(f'{symbol.name_line:5}', 'line')}  {depth}{signature}\n")
        blocks.append("".join(lines))
    return "\n".join(blocks) if look.terminal else "".join(blocks)


_MAPPED = 120  # characters of a signature on a map


def said(lines: Iterable[str], fresh: Freshness) -> tuple[str, ...]:
    """What an answer lacks, and how the index stands to the files: one line each, for beside the answer."""
    state = (
        ()
        if fresh.state in ("fresh", "unknown") and not fresh.note
        else (f"index {fresh.state}: {fresh.note}".rstrip(": "),)
    )
    return tuple(visible(line) for line in (*state, *lines))


def outline(found: Sequence[StoredSymbol], look: Look) -> str:
    """The definitions of one file, nested as in the file."""
    depths: dict[int, int] = {}
    lines = []
    for item in found:
        depth = depths[item.index] = depths.get(item.symbol.container, -1) + 1
        span = look.paint(f"{item.symbol.start}-{item.symbol.end}", "line")
        lines.append(f"{span}\t{'  ' * depth}{_definition(item, look)}\n")
    return "".join(lines)


def _definition(item: StoredSymbol, look: Look) -> str:
    symbol = item.symbol
    signature = cut(visible(symbol.signature or symbol.qualified), _WIDTH)
    return f"{look.paint(symbol.kind, 'dim')} {signature}"


def window(shown: Window, look: Look) -> str:
    """Lines of a file: on a terminal numbered, piped as they are but for what cannot be seen."""
    lines = [visible(line.rstrip("\r")) for line in shown.text.removesuffix("\n").split("\n")]
    if not look.terminal:
        return "".join(f"{line}\n" for line in lines)
    return "".join(
        f"{look.paint(f'{number:5}', 'line')} {look.paint('|', 'dim')} {line}".rstrip() + "\n"
        for number, line in enumerate(lines, shown.span.start)
    )


def report(done: IndexReport, look: Look) -> str:
    """What an index run did, in one line, and a second one for what it left out."""
    seen = f"; {done.reused:,} were seen before" if done.reused else ""
    first = f"{done.files:,} files ({brought_in(done)}, {done.unchanged:,} unchanged{seen}), {done.symbols:,} symbols, {done.chunks:,} chunks, {done.seconds:.1f} s\n"
    left = [
        f"{count:,} {reason}" for reasons in (done.skipped, done.partial) for reason, count in _most(reasons)
    ]
    rest = f"not fully indexed: {', '.join(left)} (trig status --files)\n" if left else ""
    return first + rest + (visible(done.note) + "\n" if done.note else "")


def brought_in(done: IndexReport) -> str:
    """How many files an index run brought in, by what had become of them."""
    renamed = f", {done.renamed:,} renamed" if done.renamed else ""
    return f"{done.added:,} added, {done.modified:,} modified, {done.deleted:,} deleted{renamed}"


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def status(found: Status, look: Look) -> str:
    """What is indexed, as a list of facts; with --files also each file that is not."""
    fresh = found.freshness
    facts = {
        "project": visible_path(found.root),
        "index": f"{visible_path(found.index)} ({found.size / 1e6:,.1f} MB)",
        "state": f"{found.state}, generation {found.generation}, {fresh.state} {fresh.note}".strip(),
        "branch": visible(f"{fresh.branch} {fresh.head[:12]}".strip()),
        "files": f"{found.files:,} ({_counts(found.levels)})",
        "languages": _counts(found.languages),
        "holds": f"{found.symbols:,} symbols, {found.chunks:,} chunks, {found.references:,} references",
        "views": visible(", ".join(_view(name, found) for name in found.views)),
        "reasons": _counts(found.reasons),
        "kept": _kept(found.kept) if found.kept else "",
        "note": visible(found.note),
    }
    lines = [f"{look.paint(f'{name:<10}', 'dim')} {value}\n" for name, value in facts.items() if value]
    for row in found.files_detail:
        if row.outcome.level is not Level.INDEXED:
            outcome = visible(f"{row.outcome.level} {row.outcome.reason} {row.outcome.detail}".strip())
            lines.append(f"{look.paint(visible_path(row.path), 'path')}: {outcome}\n")
    return "".join(lines)


def _kept(beside: KeptBeside) -> str:
    """What is kept for when it comes back."""
    trees, records = beside.trees, beside.records
    told = [
        (trees, "other branch" + "es" * (trees > 1), beside.trees_size),
        (records, "record" + "s" * (records > 1), beside.records_size),
    ]
    return ", ".join(f"{count:,} {name} ({size / 1e6:,.1f} MB)" for count, name, size in told if count)


def _view(name: str, found: Status) -> str:
    reason = found.view_reasons.get(name)
    return f"{name} {found.views[name]}" + (f" ({reason})" if reason else "")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in _most(counts))


def sentences(lines: Sequence[str], look: Look) -> str:
    """Findings, or what was removed: one a line."""
    return "".join(visible(line) + "\n" for line in lines)


_VALUES = 24
"""Width of the column of values; 80 columns hold the longest key and origin beside it."""


def settings(rows: Sequence[Shown], look: Look) -> str:
    """Each setting with its value and origin, in columns."""
    keys = max(len(row.key) for row in rows)
    values = min(_VALUES, max(len(_value(row)) for row in rows))  # a longer one moves its own origin only
    return "".join(
        f"{row.key:<{keys}}  {_value(row):<{values}}  {look.paint(visible_path(row.origin), 'dim')}\n"
        for row in rows
    )


def _value(row: Shown) -> str:
    return visible_path(str(row.value).lower() if isinstance(row.value, bool) else str(row.value))


def table(rows: Sequence[Mapping[str, object]], look: Look) -> str:
    """Rows with the same keys, in columns under their names."""
    if not rows:
        return ""
    lines = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    widths[-1] = 0  # nothing stands beside the last one
    shown = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return look.paint(shown[0], "bold") + "\n" + "".join(f"{line}\n" for line in shown[1:])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "-"
    if isinstance(value, (list, tuple)):
        return " ".join(str(item) for item in value)
    return str(value)
