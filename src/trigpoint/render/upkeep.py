"""What is said of keeping an index: the events of a watch, trees of digests, exports and findings."""

from __future__ import annotations

from typing import Any

from trigpoint.model import Checkup, Exported, Imported, Watched
from trigpoint.render.json import place_of
from trigpoint.render.json import report as report_row
from trigpoint.render.style import visible, visible_path
from trigpoint.render.text import brought_in

Object = dict[str, Any]


def watched(event: Watched) -> str:
    """One event on one line."""
    report = event.report
    if report is None:
        return f"{event.kind}: {visible(event.note)}".rstrip(": ") + "\n"
    named = ", ".join(map(visible_path, event.paths))
    more = ", …" * (report.added + report.modified + report.renamed > len(event.paths))
    shown = f"{event.kind}: {report.files:,} files ({brought_in(report)}), generation {report.generation}, {report.seconds:.2f} s"
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


def exported(done: Exported) -> str:
    """What was written, and the digest that whoever fetches it can compare."""
    name = visible_path(done.file)
    return f"{name}: {done.files:,} files, {done.size / 1e6:,.1f} MB, sha256 {done.digest}\n"


def imported(done: Imported) -> str:
    """What was taken, and what the update after it brought in."""
    return (
        f"{visible_path(done.file)}: {done.files:,} files, {done.same:,} of them as they are here; "
        f"brought in what differs: {brought_in(done.report)}\n"
    )


def imported_row(done: Imported) -> Object:
    """The same for programs."""
    return {
        "file": done.file,
        "files": done.files,
        "same": done.same,
        "head": done.head,
        "report": report_row(done.report),
    }


def checkup(found: Checkup, *, there: bool = True) -> str:
    """What is wrong and what becomes of it, or what was mended: one sentence a line. ``there``: whether there is an index."""
    if not found.findings:
        return "the index is sound\n" if there else "nothing is indexed here, so nothing is wrong\n"
    told = [str(one) for one in found.findings]
    if found.mended or found.left:
        told = [*found.mended, *(f"still wrong: {one}" for one in found.left)]
    return "".join(visible(line) + "\n" for line in told)


def checkup_row(found: Checkup) -> Object:
    """The same for programs."""
    return {
        "findings": [str(one) for one in found.findings],
        "mended": list(found.mended),
        "left": [str(one) for one in found.left],
    }
