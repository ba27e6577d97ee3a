"""The compact text form of the tools' answers. A line of a file begins with ``|``, and no other line does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from trigpoint.render.context import DATA, named, plain
from trigpoint.render.style import cut, visible

if TYPE_CHECKING:
    from trigpoint.graph.map import ProjectMap
    from trigpoint.graph.relation import Relation, Row
    from trigpoint.model import Freshness, Pack, PackedHit, Span, Status, StoredSymbol, Window

_LINE = 160  # characters of a line that is shown beside its place
_REASONS = 3


def head(what: str, fresh: Freshness, *, content: bool = True) -> str:
    """The first line of an answer."""
    note = f" ({visible(fresh.note)})" if fresh.note else ""
    return f"{visible(what)}; index {fresh.state}{note}." + f" {DATA}" * content


def search(pack: Pack, sent: Mapping[int, str]) -> str:
    """Ranked passages; ``sent`` are pointers by rank."""
    sure = f", confidence {pack.confidence:.2f} ({pack.band})" if pack.confidence is not None else ""
    what = f"{pack.intent}: {len(pack.hits)} of {pack.total} results, ran {pack.plan}{sure}"
    lines = [head(what, pack.freshness)]
    for packed in pack.hits:
        lines += _hit(packed, sent.get(packed.rank, ""))
    lines += [f"- {visible(note)}" for note in pack.notes]
    lines += [f"or try {one.kind}: {cut(visible(one.text), _LINE)}" for one in pack.fallbacks]
    if pack.reads:
        lines.append("worth reading: " + ", ".join(_place(span) for span in pack.reads))
    return "\n".join(lines) + "\n"


def _hit(packed: PackedHit, pointer: str) -> Iterator[str]:
    hit, window = packed.hit, packed.window
    best = sorted(hit.evidence, key=lambda item: -item.value)[:_REASONS]
    why = ", ".join(item.name.partition(":")[2] or item.name for item in best)
    span = window.span if window is not None else hit.chunk.span
    yield (
        f"## {_place(span)} {cut(visible(hit.name), _LINE)} ({hit.kind}: {visible(why)})"
        + f" {pointer}" * bool(pointer)
    )
    if window is not None:
        yield from _lines(window.text)


def _place(span: Span) -> str:
    return f"{named(span.path)}:{span.start}-{span.end}"


def _lines(text: str) -> list[str]:
    return [f"|{line}" for line in plain(text.removesuffix("\n")).split("\n")]


def relation(answer: Relation) -> str:
    """What was reached, with the lines of use."""
    what = f"{answer.relation} of {cut(answer.asked, 80)}: {len(answer.rows)} of {answer.total}"
    lines = [head(what, answer.freshness), *_targets(answer)]
    if sums := answer.sums():
        lines.append(sums)
    lines += [
        f"{_at(one.path, one.span.start)} {cut(visible(one.name or '<module>'), _LINE)}: {one.how} {one.kind}"
        for one in answer.changes
    ]
    for row in answer.rows:
        lines += _row(row)
    lines += [f"- {visible(cut(note, 300))}" for note in answer.lacks()]
    return "\n".join(lines) + "\n"


def _targets(answer: Relation) -> list[str]:
    shown = [
        f"{cut(visible(one.symbol.qualified), _LINE)} {_at(one.path, one.symbol.name_line)}"
        for one in answer.targets[:3]
    ]
    more = f" and {len(answer.targets) - 3} more" * (len(answer.targets) > 3)
    return [f"meant: {', '.join(shown)}{more}"] if shown else []


def _at(path: str, line: int) -> str:
    return f"{named(path)}:{line}"


def _row(row: Row) -> Iterator[str]:
    name = "<module>" if row.symbol.symbol.kind == "file" else cut(visible(row.name), _LINE)
    sure = f"{row.confidence:g}" if row.certain else f"candidate {row.confidence:g}"
    hop = f", hop {row.hop}" if row.hop > 1 else ""
    test = ", test" if row.test else ""
    yield f"{_at(row.symbol.path, row.line)} {name} ({row.kind} {cut(visible(row.near.symbol.qualified), 60)}, {sure}{hop}{test})"
    if row.sites and row.sites[0].text:
        yield f"|{cut(visible(row.sites[0].text), _LINE)}"


def symbols(found: Sequence[StoredSymbol]) -> str:
    """Definitions with their signatures."""
    lines: list[str] = []
    for item in found:
        it = item.symbol
        lines.append(f"## {_place(item.span)} {cut(visible(it.qualified), _LINE)} ({it.kind})")
        lines += [
            f"|{cut(visible(line), _LINE)}"
            for line in (it.signature, *it.doc.split("\n")[:2])
            if line.strip()
        ]
    return "\n".join(lines) + "\n" if lines else ""


def project_map(found: ProjectMap) -> str:
    """The files of a map with their definitions."""
    lines = [head(f"map: the most central {len(found.files)} files", found.freshness)]
    for file in found.files:
        lines.append(f"## {named(file.path)}")
        for one in file.landmarks:
            symbol = one.symbol.symbol
            depth = "  " * symbol.qualified.count(".")
            lines.append(
                f"|{symbol.name_line:5}  {depth}{cut(visible(symbol.signature or symbol.name), 120)}"
            )
    lines += [f"- {visible(note)}" for note in found.lacks()]
    return "\n".join(lines) + "\n"


def window(shown: Window, state: str, notes: Sequence[str]) -> str:
    """Lines of a file."""
    lines = [
        f"## {_place(shown.span)} [{state}]. {DATA}",
        *(f"|{line}" for line in plain(shown.text).split("\n")),
    ]
    return "\n".join([*lines, *(f"- {visible(note)}" for note in notes)]) + "\n"


def status(found: Status, facts: Sequence[str]) -> str:
    """What is indexed, and what else the server knows."""
    fresh = found.freshness
    lines = [
        f"{found.state}: {found.files:,} files, {found.symbols:,} symbols, {found.chunks:,} chunks, generation {found.generation}",
        f"index {fresh.state} {visible(fresh.note)}".rstrip(),
        f"branch {visible(fresh.branch)} {fresh.head[:12]}".rstrip(),
        "languages: " + ", ".join(f"{name} {many:,}" for name, many in list(found.languages.items())[:12]),
        "views: " + ", ".join(f"{name} {state}" for name, state in found.views.items()),
        "not fully indexed: " + ", ".join(f"{many:,} {reason}" for reason, many in found.reasons.items()),
        *map(visible, facts),
        visible(found.note),
    ]
    lines += [
        f"{named(row.path)}: {row.outcome.level} {row.outcome.reason} {visible(row.outcome.detail)}"
        for row in found.files_detail
    ]
    return "\n".join(line for line in lines if line.strip() and not line.endswith(": ")) + "\n"
