"""Places for a picture: symbols around the middle of their file, files beside those they use, communities side by side.

No forces and no chance: the same graph always gives the same picture, at once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from trigpoint.graph.drawing import Drawing

Key = TypeVar("Key", bound=Hashable)

STEP = 13.0
"""Distance of neighbouring symbols."""
GAP = 14.0
"""Room between two files, and around a community twice that."""
DIRECTIONS = 24
"""Places that are tried around each disc."""
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


class Disc(NamedTuple):
    """A file in the picture."""

    x: float
    y: float
    radius: float


class Layout(NamedTuple):
    """Where everything stands."""

    files: Mapping[str, Disc]
    nodes: tuple[tuple[float, float], ...]  # in the order of the drawing


def layout(drawing: Drawing) -> Layout:
    """Places for the nodes of a drawing and for the files around them."""
    members: dict[str, list[int]] = {}
    for place, node in enumerate(drawing.nodes):
        members.setdefault(node.path, []).append(place)
    sizes = {path: STEP * math.sqrt(len(inside)) + STEP for path, inside in members.items()}
    files = _files(drawing, sizes)
    nodes: dict[int, tuple[float, float]] = {}
    for path, inside in members.items():
        disc = files[path]
        for number, place in enumerate(inside):
            away = STEP * math.sqrt(number) if len(inside) > 1 else 0.0
            angle = number * GOLDEN
            nodes[place] = disc.x + away * math.cos(angle), disc.y + away * math.sin(angle)
    return Layout(files, tuple(nodes[place] for place in range(len(drawing.nodes))))


def _files(drawing: Drawing, sizes: Mapping[str, float]) -> dict[str, Disc]:
    """The files of each community packed, then the communities."""
    pull: dict[tuple[str, str], float] = {}
    between: dict[tuple[int, int], float] = {}
    groups: dict[int, list[str]] = {}
    group_of: dict[str, int] = {}
    for node in drawing.nodes:
        if node.path not in group_of:
            group_of[node.path] = node.community
            groups.setdefault(node.community, []).append(node.path)
    for link in drawing.links:
        first, second = drawing.nodes[link.source].path, drawing.nodes[link.target].path
        if group_of[first] == group_of[second]:
            pull[first, second] = pull.get((first, second), 0.0) + 1.0
        else:
            pair = group_of[first], group_of[second]
            between[pair] = between.get(pair, 0.0) + 1.0
    inner = {
        group: packed({path: sizes[path] for path in paths}, pull, GAP) for group, paths in groups.items()
    }
    radii = {
        group: max(math.hypot(one.x, one.y) + one.radius for one in discs.values())
        for group, discs in inner.items()
    }
    outer = packed(radii, between, GAP * 2)
    return {
        path: Disc(disc.x + outer[group].x, disc.y + outer[group].y, disc.radius)
        for group, discs in inner.items()
        for path, disc in discs.items()
    }


def packed(radii: Mapping[Key, float], pull: Mapping[tuple[Key, Key], float], gap: float) -> dict[Key, Disc]:
    """Discs that do not overlap: the largest in the middle, each other one as near as it fits to what pulls it.

    Pulls between others are ignored. Takes .3 s for 100 discs.
    """
    near: dict[Key, dict[Key, float]] = {key: {} for key in radii}
    for (first, second), weight in pull.items():
        if first != second and first in near and second in near:
            near[first][second] = near[first].get(second, 0.0) + weight
            near[second][first] = near[second].get(first, 0.0) + weight
    placed: dict[Key, Disc] = {}
    for key in sorted(radii, key=lambda one: (-radii[one], str(one))):
        if not placed:
            placed[key] = Disc(0.0, 0.0, radii[key])
            continue
        pulls = [(placed[other], weight) for other, weight in near[key].items() if other in placed]
        x, y = _best(radii[key] + gap, list(placed.values()), pulls)
        placed[key] = Disc(x, y, radii[key])
    return placed


def _best(room: float, placed: Sequence[Disc], pulls: Sequence[tuple[Disc, float]]) -> tuple[float, float]:
    best, found = math.inf, (0.0, 0.0)
    total = sum(weight for _, weight in pulls) or 1.0
    for disc in placed:
        away = disc.radius + room
        for number in range(DIRECTIONS):
            angle = 2.0 * math.pi * number / DIRECTIONS
            x, y = disc.x + away * math.cos(angle), disc.y + away * math.sin(angle)
            cost = 0.6 * math.hypot(x, y)
            cost += sum(weight / total * math.hypot(x - one.x, y - one.y) for one, weight in pulls)
            if cost < best and all(
                math.hypot(x - one.x, y - one.y) >= one.radius + room - 0.01 for one in placed
            ):
                best, found = cost, (x, y)
    return found
