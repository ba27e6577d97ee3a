"""The graph in the languages of other programs: JSON, GraphML, DOT, Mermaid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from trigpoint.render.json import Object, place_of
from trigpoint.render.style import visible, visible_path

if TYPE_CHECKING:
    from trigpoint.graph.drawing import Drawing, Link, Node


def as_json(drawing: Drawing) -> Object:
    """Nodes with their places in the list as ids, links between them, and what stands out."""
    return {
        "level": drawing.level,
        "nodes": [_node(place, node) for place, node in enumerate(drawing.nodes)],
        "links": [_link(link) for link in drawing.links],
        "hubs": [{"id": place, "count": count} for place, count in drawing.hubs],
        "bridges": [{"id": place, "count": count} for place, count in drawing.bridges],
        "total": drawing.total,
    }


def _node(place: int, node: Node) -> Object:
    return {
        "id": place,
        **place_of(node.path),
        "name": node.name,
        "kind": node.kind,
        "line": node.line,
        "rank": round(node.rank, 6),
        "community": node.community,
        "test": node.test,
    }


def _link(link: Link) -> Object:
    return {
        "source": link.source,
        "target": link.target,
        "kind": link.kind,
        "confidence": link.confidence,
        "count": link.uses,
    }


_GRAPHML = (
    ("node", "path", "string"),
    ("node", "name", "string"),
    ("node", "kind", "string"),
    ("node", "line", "int"),
    ("node", "rank", "double"),
    ("node", "community", "int"),
    ("node", "test", "boolean"),
    ("edge", "kind", "string"),
    ("edge", "confidence", "double"),
    ("edge", "count", "int"),
)


def graphml(drawing: Drawing) -> str:
    """GraphML, as Gephi, yEd and networkx read it."""
    return "".join(f"{line}\n" for line in _graphml(drawing))


def _graphml(drawing: Drawing) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for owner, name, kind in _GRAPHML:
        yield f'  <key id="{owner}-{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>'
    yield '  <graph edgedefault="directed">'
    for place, node in enumerate(drawing.nodes):
        values = (
            visible_path(node.path),
            visible(node.name),
            node.kind,
            node.line,
            f"{node.rank:.6f}",
            node.community,
        )
        names = [name for owner, name, _ in _GRAPHML if owner == "node"]
        yield f'    <node id="n{place}">{_data("node", names, (*values, str(node.test).lower()))}</node>'
    for link in drawing.links:
        data = _data("edge", ["kind", "confidence", "count"], (link.kind, link.confidence, link.uses))
        yield f'    <edge source="n{link.source}" target="n{link.target}">{data}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def _data(owner: str, names: list[str], values: tuple[object, ...]) -> str:
    return "".join(
        f'<data key="{owner}-{name}">{escape(str(value))}</data>'
        for name, value in zip(names, values, strict=True)
    )


def dot(drawing: Drawing) -> str:
    """DOT for Graphviz: a cluster for each file, candidates dashed."""
    lines = ["digraph code {", "  rankdir=LR; node [shape=box, fontname=sans];"]
    for number, (path, inside) in enumerate(_by_file(drawing)):
        lines.append(f'  subgraph cluster_{number} {{ label="{_quoted(visible_path(path))}";')
        lines += [f'    n{place} [label="{_quoted(visible(_short(node)))}"];' for place, node in inside]
        lines.append("  }")
    for link in drawing.links:
        style = "" if link.confidence >= 0.8 else ", style=dashed"
        lines.append(f'  n{link.source} -> n{link.target} [label="{link.kind}"{style}];')
    return "\n".join([*lines, "}"]) + "\n"


def mermaid(drawing: Drawing) -> str:
    """A Mermaid flow chart: a box for each file, candidates dashed."""
    lines = ["flowchart LR"]
    for number, (path, inside) in enumerate(_by_file(drawing)):
        lines.append(f'  subgraph f{number}["{_entity(visible_path(path))}"]')
        lines += [f'    n{place}["{_entity(visible(_short(node)))}"]' for place, node in inside]
        lines.append("  end")
    for link in drawing.links:
        arrow = "-->" if link.confidence >= 0.8 else "-.->"
        lines.append(f"  n{link.source} {arrow}|{link.kind}| n{link.target}")
    return "\n".join(lines) + "\n"


def _by_file(drawing: Drawing) -> list[tuple[str, list[tuple[int, Node]]]]:
    files: dict[str, list[tuple[int, Node]]] = {}
    for place, node in enumerate(drawing.nodes):
        files.setdefault(node.path, []).append((place, node))
    return sorted(files.items())


def _short(node: Node) -> str:
    return node.path.rpartition("/")[2] if node.kind == "file" else node.name


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _entity(text: str) -> str:
    """What Mermaid would act on, as its numbered entities."""
    return "".join(
        character if character.isalnum() or character in " ._-/:" else f"#{ord(character)};"
        for character in text
    )
