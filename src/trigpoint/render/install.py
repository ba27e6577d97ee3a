"""What is said of changes to the configuration of clients: lines, differences and objects. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import NamedTuple

from trigpoint.render.json import Object
from trigpoint.render.style import visible, visible_path


class Shown(NamedTuple):
    """One change of one file."""

    client: str
    what: str
    path: str
    how: str
    before: bytes | None
    after: bytes | None


def text(changes: Sequence[Shown], notes: Sequence[str], *, dry: bool) -> str:
    """One line a change; of a dry run the differences."""
    lines = [f"{one.client}: {one.what} {one.how}: {visible_path(one.path)}\n" for one in changes]
    shown = [difference(one) for one in changes] if dry else []
    said = [f"{visible(note)}\n" for note in notes]
    would = ["nothing was written: this is what would be\n"] * (dry and bool(changes))
    return "".join([*shown, *lines, *would, *said])


def difference(one: Shown) -> str:
    """A unified diff of the file, "" where nothing changes."""
    return "".join(_difference(one))


def _difference(one: Shown) -> Iterator[str]:
    before, after = _lines(one.before), _lines(one.after)
    names = ("/dev/null" if one.before is None else one.path, "/dev/null" if one.after is None else one.path)
    for line in unified_diff(before, after, visible_path(names[0]), visible_path(names[1]), n=2):
        yield visible(line.rstrip("\r\n")) + "\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)


def rows(changes: Sequence[Shown], notes: Sequence[str], scope: str, *, dry: bool) -> Object:
    """All of it as one object."""
    return {
        "scope": scope,
        "dry_run": dry,
        "clients": list(dict.fromkeys(one.client for one in changes)),
        "changes": [
            {
                "client": one.client,
                "what": one.what,
                "path": visible_path(one.path),
                "how": one.how,
                **({"diff": difference(one)} if dry else {}),
            }
            for one in changes
        ],
        "notes": list(notes),
    }
