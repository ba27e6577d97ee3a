"""Answers for programs: one object (`--json`) or one a line (`--jsonl`). docs/json.md lists every key; a test pins them.

The output is UTF-8 whatever the files hold. A path that is not UTF-8 has U+FFFD for its odd bytes in ``path``, and
``path_bytes`` has the bytes in base64. Characters that a terminal would act on are JSON escapes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trigpoint.config import Shown
from trigpoint.model import (
    Definitions,
    End,
    Evidence,
    FileRow,
    Freshness,
    IndexReport,
    NamedEdge,
    Pack,
    PackedHit,
    Span,
    Status,
    StoredSymbol,
    Window,
)
from trigpoint.render import advice
from trigpoint.render.style import cut, escaped_json

if TYPE_CHECKING:
    from trigpoint.graph.relation import Change, Relation, Row

SCHEMA = 1
"""Grows when a key changes its meaning or goes; new keys alone do not change it."""

_ECHO = 100  # characters of the query that come back; a pasted log is not sent twice

Object = dict[str, Any]


def line(found: Mapping[str, Any]) -> str:
    """One object on one line, with the schema first."""
    text = json.dumps({"schema": SCHEMA, **found}, ensure_ascii=False, separators=(",", ":"), default=str)
    return escaped_json(text) + "\n"


def lines(found: Iterable[Mapping[str, Any]]) -> str:
    """One object a line."""
    return "".join(line(item) for item in found)


def search(pack: Pack, *, explain: bool = False) -> Object:
    """A whole answer."""
    found: Object = {
        "query": cut(pack.query.text, _ECHO),
        "intent": pack.intent,
        "plan": pack.plan,
        "results": [result(packed, explain=explain) for packed in pack.hits],
        "total": pack.total,
        "tokens": pack.budget,
        "tokenizer": pack.tokenizer,
        "freshness": state(pack.freshness),
        "notes": list(pack.notes),
        "reads": [_span(span) for span in pack.reads],
        **advice.keys(pack, _span),
    }
    if explain:
        found["rationale"] = pack.rationale
        found["stages"] = [
            {"name": stage.name, "detail": stage.detail, "milliseconds": round(stage.milliseconds, 3)}
            for stage in pack.stages
        ]
    return found


def search_lines(pack: Pack, *, explain: bool = False) -> Iterator[Object]:
    """The results one by one, then what is said of all of them."""
    for packed in pack.hits:
        yield {"type": "result", **result(packed, explain=explain)}
    summary = search(pack, explain=explain)
    del summary["results"]
    yield {"type": "summary", **summary}


def batch(identifier: object, pack: Pack) -> Object:
    """The answer to one question of a batch: which code and why, without its text."""
    return {"id": identifier, "results": [_ranked(packed) for packed in pack.hits]}


def result(packed: PackedHit, *, explain: bool = False) -> Object:
    """One result with the text of it that fits the budget."""
    found = _ranked(packed)
    if explain:
        found["evidence"] = [_reason(item) for item in packed.hit.evidence]
    if packed.hit.copies:
        found["copies"] = [place_of(path) for path in packed.hit.copies]
    found["window"] = None if packed.window is None else _lines(packed.window)
    return found


def _ranked(packed: PackedHit) -> Object:
    hit = packed.hit
    return {
        "rank": packed.rank,
        **_span(hit.chunk.span),
        "line": hit.line,
        "symbol": hit.name,
        "kind": hit.kind,
        "language": hit.chunk.language,
        "score": round(hit.score, 3),
        "reasons": _reasons(hit.evidence),
    }


def _reasons(evidence: Sequence[Evidence]) -> dict[str, float]:
    """Name and part of the score, in few tokens: ten results have seventy reasons."""
    sums: dict[str, float] = {}
    for item in evidence:
        sums[item.name] = sums.get(item.name, 0.0) + item.value
    return {name: round(value, 3) for name, value in sums.items()}


def _reason(item: Evidence) -> Object:
    return {"name": item.name, "value": round(item.value, 6), "note": item.note}


def place_of(path: str) -> Object:
    """``path``, and ``path_bytes`` when it is not UTF-8: together they hold the exact name."""
    try:
        path.encode()
    except UnicodeEncodeError:
        content = path.encode("utf-8", "surrogateescape")
        return {"path": content.decode("utf-8", "replace"), "path_bytes": b64encode(content).decode()}
    return {"path": path}


def _span(span: Span) -> Object:
    return {**place_of(span.path), "start_line": span.start, "end_line": span.end}


def window(shown: Window) -> Object:
    """Lines of a file. ``verified`` is false when the file has changed since."""
    return {**place_of(shown.span.path), **_lines(shown)}


def _lines(shown: Window) -> Object:
    return {
        "start_line": shown.span.start,
        "end_line": shown.span.end,
        "text": shown.text,
        "elided": [{"start_line": span.start, "end_line": span.end} for span in shown.elided],
        "verified": shown.verified,
        **({"outline": True} if shown.outline else {}),
    }


def state(fresh: Freshness) -> Object:
    """How the index stands to the files, and what it was made from, in few tokens."""
    return {
        "state": fresh.state,
        "generation": fresh.generation,
        "stale": fresh.stale,
        "head": fresh.head[:_ABBREVIATED],
        "branch": fresh.branch,
        "root": fresh.root[:_ABBREVIATED],
        "note": fresh.note,
    }


_ABBREVIATED = 12  # characters of a digest in an answer; whole ones would cost a tenth of its budget


def _freshness(fresh: Freshness) -> Object:
    """The same with whole digests."""
    return {
        **state(fresh),
        "files": fresh.files,
        "head": fresh.head,
        "branch": fresh.branch,
        "root": fresh.root,
    }


def definitions(found: Definitions) -> Object:
    """Definitions, of a name or of a file, and how the index stood to the files."""
    return {**symbols(found), "freshness": state(found.freshness)}


def symbols(found: Sequence[StoredSymbol]) -> Object:
    """The definitions alone."""
    return {"symbols": [symbol(item) for item in found]}


def symbol(item: StoredSymbol) -> Object:
    """One definition. ``line`` and ``column`` are those of its name, both from 1; the column counts bytes."""
    it = item.symbol
    return {
        **_span(item.span),
        "line": it.name_line,
        "column": it.name_column + 1,
        "symbol": it.qualified,
        "name": it.name,
        "kind": it.kind,
        "language": item.language,
        "signature": it.signature,
        "doc": it.doc,
        "complexity": it.complexity,
        "bases": list(it.bases),
        "decorators": list(it.decorators),
        "modifiers": list(it.modifiers),
    }


def edge(one: NamedEdge) -> Object:
    """One edge. ``site`` is where the source names the target; its column counts bytes from 1."""
    it = one.edge
    return {
        "kind": it.kind,
        "source": _end(one.source),
        "target": _end(one.target),
        "site": {**place_of(it.path), "line": it.line, "column": it.column + 1},
        "confidence": it.confidence,
        "resolved_by": it.resolved_by,
    }


def _end(end: End) -> Object:
    return {**place_of(end.path), "name": end.name, "line": end.line}


def relation(answer: Relation, budget: int, tokenizer: str) -> Object:
    """An answer about structure, within its token budget."""
    found: Object = {
        "query": cut(answer.asked, _ECHO),
        "relation": answer.relation,
        "targets": [_stored_end(one) for one in answer.targets],
        "results": [related(row) for row in answer.rows],
        "total": answer.total,
        "unresolved": answer.unresolved.uses,
        "hidden": answer.hidden,
        "tokens": budget,
        "tokenizer": tokenizer,
        "freshness": state(answer.freshness),
        "notes": list(answer.lacks()),
    }
    if answer.affected is not None:
        symbols, files, tests = answer.affected
        found["affected"] = {"symbols": symbols, "files": files, "tests": len(tests)}
    if answer.changes:
        found["changes"] = [_change(one) for one in answer.changes]
    return found


def relation_lines(answer: Relation, budget: int, tokenizer: str) -> Iterator[Object]:
    """The rows one by one, then what is said of all of them."""
    for row in answer.rows:
        yield {"type": "result", **related(row)}
    summary = relation(answer, budget, tokenizer)
    del summary["results"]
    yield {"type": "summary", **summary}


def related(row: Row) -> Object:
    """One symbol that was reached. ``sites`` are where the edge stands; one on every row, all of them on none twice."""
    symbol = row.symbol.symbol
    return {
        **_span(row.symbol.span),
        "line": row.line,
        "symbol": "<module>" if symbol.kind == "file" else symbol.qualified,
        "kind": symbol.kind,
        "language": row.symbol.language,
        "hop": row.hop,
        "edge": row.kind,
        "near": _stored_end(row.near),
        "origin": _stored_end(row.origin or row.near),
        "sites": [
            {**place_of(site.path), "line": site.line, "column": site.column + 1, "text": site.text}
            for site in row.sites
        ],
        "confidence": row.confidence,
        "resolved_by": row.resolved_by,
        "certain": row.certain,
        "test": row.test,
    }


def _stored_end(one: StoredSymbol) -> Object:
    name = "" if one.symbol.kind == "file" else one.symbol.qualified
    return {**place_of(one.path), "name": name, "line": one.symbol.name_line}


def _change(one: Change) -> Object:
    return {**_span(one.span), "symbol": one.name or "<module>", "kind": one.kind, "how": one.how}


def report(done: IndexReport) -> Object:
    """What an index run did."""
    return {
        "root": _name(done.root),
        "generation": done.generation,
        "files": done.files,
        "added": done.added,
        "modified": done.modified,
        "deleted": done.deleted,
        "renamed": done.renamed,
        "unchanged": done.unchanged,
        "reused": done.reused,
        "skipped": dict(done.skipped),
        "partial": dict(done.partial),
        "symbols": done.symbols,
        "chunks": done.chunks,
        "languages": dict(done.languages),
        "seconds": round(done.seconds, 3),
        "interrupted": done.interrupted,
        "note": done.note,
    }


def status(found: Status) -> Object:
    """What is indexed, and what is not; ``files_detail`` only when files were asked for."""
    shown: Object = {
        "root": _name(found.root),
        "index": _name(found.index),
        "state": found.state,
        "generation": found.generation,
        "files": found.files,
        "symbols": found.symbols,
        "chunks": found.chunks,
        "references": found.references,
        "languages": dict(found.languages),
        "levels": {str(level): count for level, count in found.levels.items()},
        "reasons": dict(found.reasons),
        "views": dict(found.views),
        "view_reasons": dict(found.view_reasons),
        "bytes": found.size,
        "kept": dict(found.kept._asdict()) if found.kept else {},
        "freshness": _freshness(found.freshness),
        "note": found.note,
    }
    if found.files_detail:
        shown["files_detail"] = [_file(row) for row in found.files_detail]
    return shown


def _file(row: FileRow) -> Object:
    return {
        **place_of(row.path),
        "language": row.language,
        "bytes": row.size,
        "lines": row.lines,
        "encoding": row.encoding,
        "marks": sorted(row.marks),
        "level": str(row.outcome.level),
        "reason": row.outcome.reason,
        "detail": row.outcome.detail,
    }


def _name(folder: str) -> str:
    """A folder of this machine; odd bytes are replaced, since nobody asks for it back."""
    return str(place_of(folder)["path"])


def removed(lines: Sequence[str]) -> Object:
    """What clean removed."""
    return {"removed": list(lines)}


def settings(rows: Sequence[Shown]) -> Object:
    """Each setting with its value and origin."""
    return {"settings": [{"key": row.key, "value": row.value, "origin": row.origin} for row in rows]}


def languages(rows: Sequence[Mapping[str, object]]) -> Object:
    """The capability matrix."""
    return {"languages": [dict(row) for row in rows]}
