"""`trig stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trigpoint.render import stats as render

if TYPE_CHECKING:
    from trigpoint.surfaces.cli import Asked

FOUND, NOTHING = 0, 1


def stats(asked: Asked) -> int:
    """The answers that were counted, day by day."""
    found = asked.engine().stats()
    rows = [day._asdict() for day in (*found.days, found.total)] if found.days else []
    asked.show(
        lambda: render.text(rows, found.file, counting=found.counting),
        lambda: render.as_object(rows, found.file, counting=found.counting),
    )
    return FOUND if rows else NOTHING
