"""What is said of keeping an index: the events of a watch, trees of digests, exports and findings."""

from __future__ import annotations

from typing import Any

from trigpoint.model import Watched
from trigpoint.render.json import place_of
from trigpoint.render.json import report as report_row
from trigpoint.render.style import visible, visible_path

Object = dict[str, Any]


def watched(event: Watched) -> str:
    """One event on one line."""
    report = event.report
    if report is None:
        return f"{event.kind}: {visible(event.note)}".rstrip(": ") + "\n"
    counts = f"{report.added:,} added, {report.modified:,} modified, {report.deleted:,} deleted"
    named = ", ".join(map(visible_path, event.paths))
    more = ", …" * (report.added + report.modified > len(event.paths))
    shown = f"{event.kind}: {report.files:,} files ({counts}), generation {report.generation}, {report.seconds:.2f} s"
    note = f"; {visible(event.note)}" if event.note else ""
    return f"{shown}{f': {named}{more}' * bool(named)}{note}\n"


def watched_row(event: Watched) -> Object:
    """One event as an object: what an index run says of itself, where one was made."""
    report = report_row(event.report) if event.report is not None else {}
    return {
        "type": event.kind,
        **report,
        "paths": [place_of(path) for path in event.paths],
        "note": event.note,
    }
