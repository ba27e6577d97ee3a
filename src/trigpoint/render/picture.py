"""The graph as one HTML file that asks nobody for anything: the data, laid out, in a page that draws it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from trigpoint.render.style import cut, escaped_json, visible, visible_path

if TYPE_CHECKING:
    from trigpoint.graph.drawing import Drawing
    from trigpoint.graph.layout import Layout

_DATA, _TITLE = "/*DATA*/", "<!--TITLE-->"
_SIGNATURE = 160  # characters


def picture(drawing: Drawing, layout: Layout, title: str, template: str) -> str:
    """The page. ``template`` is picture.html, which lies beside this file."""
    page = template.replace(_TITLE, _html(visible(title)))
    return page.replace(_DATA, _script(_data(drawing, layout, visible(title))))


def _data(drawing: Drawing, layout: Layout, title: str) -> dict[str, Any]:
    paths = {path: number for number, path in enumerate(layout.files)}
    return {
        "title": title,
        "level": drawing.level,
        "total": drawing.total,
        "files": [
            [visible_path(path), round(disc.x, 1), round(disc.y, 1), round(disc.radius, 1)]
            for path, disc in layout.files.items()
        ],
        "nodes": [
            [
                paths[node.path],
                visible(node.name),
                node.kind,
                node.line,
                cut(visible(node.signature), _SIGNATURE),
                round(node.rank, 6),
                node.community,
                int(node.test),
                round(x, 1),
                round(y, 1),
            ]
            for node, (x, y) in zip(drawing.nodes, layout.nodes, strict=True)
        ],
        "links": [
            [link.source, link.target, link.kind, link.confidence, link.uses] for link in drawing.links
        ],
        "hubs": [list(one) for one in drawing.hubs],
        "bridges": [list(one) for one in drawing.bridges],
    }


def _script(data: dict[str, Any]) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return escaped_json(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
