"""`trig context`: the composed answer on the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from trigpoint.render import json
from trigpoint.render.context import as_command, as_json, as_text, fit
from trigpoint.text.tokens import TOKENIZER, ruler

if TYPE_CHECKING:
    from trigpoint.search.context import Context
    from trigpoint.surfaces.cli import Asked

FOUND, NOTHING = 0, 1


def context(asked: Asked) -> int:
    """Answer one question, within its budget in the form that is written."""
    from trigpoint.surfaces.cli import ready

    request = asked.request
    found = ready(asked).context(
        request.query,
        symbols=request.symbols,
        paths=request.paths,
        diff=request.diff,
        tier=request.tier,
        tokens=request.tokens,
        seconds=request.seconds,
        update=request.update,
    )
    write = _as_text if asked.parsed.format == "text" else written
    shown = fit(found, [write], ruler(exact=found.tokenizer == TOKENIZER).count)
    sys.stdout.write(write(shown))
    return FOUND if shown.excerpts or shown.listed else NOTHING


def written(found: Context) -> str:
    """The answer as the line of JSON that programs read."""
    return json.line(as_json(found))


def _as_text(found: Context) -> str:
    return as_text(found, as_command)
