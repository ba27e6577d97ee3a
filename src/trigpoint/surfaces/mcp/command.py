"""`trig mcp`: starts the server that was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint.errors import NotFoundError
from trigpoint.surfaces.mcp.desk import Desk
from trigpoint.surfaces.mcp.projects import Projects

if TYPE_CHECKING:
    from trigpoint.surfaces.cli import Asked


def mcp(asked: Asked) -> int:
    """Serve until the client is gone."""
    request = asked.request
    given = [*request.roots, *([asked.parsed.root] if asked.parsed.root else [])]
    for root in given:
        if not Path(root).is_dir():
            raise NotFoundError(f"{root} is not a folder", "give the folder of a project")
    roots = [Path(root) for root in given] or [asked.settings.root]
    desk = Desk(Projects(roots, asked.parsed.settings, fixed=bool(given)))
    if request.http is not None:
        from trigpoint.surfaces.mcp.http import serve

        serve(desk, request.http, asked.settings.mcp_token)
    else:
        from trigpoint.surfaces.mcp import stdio

        stdio.serve(desk)
    return 0
