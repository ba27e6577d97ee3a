"""Which of several Kotlin definitions of one name are meant: not the hidden ones, and what stands for all platforms."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.languages.fullnames import FullNames, Place, nearest
from trigpoint.languages.linking import Project
from trigpoint.model import MODULE


class Meant:
    """Tells by modifiers and annotations."""

    def __init__(self, project: Project, names: FullNames) -> None:
        self._project = project
        self._names = names

    def nearest(self, places: Sequence[Place], path: str) -> tuple[Place, bool]:
        """The nearest; of what is expected and what fulfils that elsewhere, the former."""
        place, sure = nearest(places, path)
        if sure:
            return place, True
        expected = [one for one in places if "expect" in self._names.at(one).modifiers]
        actual = [one for one in places if "actual" in self._names.at(one).modifiers]
        if expected and len(expected) + len(actual) == len(places):
            return expected[0], len({one[0] for one in expected}) == 1
        return place, False

    def is_hidden(self, place: Place) -> bool:
        """Whether a definition is only kept for what was compiled before, or to be told of."""
        symbol = self._names.at(place)
        marks = {one.partition("(")[0] for one in symbol.decorators}
        if "LowPriorityInOverloadResolution" in marks or "Deprecated" not in marks:
            return "LowPriorityInOverloadResolution" in marks
        lines = self._project.text(place[0]).split("\n")[symbol.start - 1 : symbol.name_line]
        return any("HIDDEN" in line or "DeprecationLevel.ERROR" in line for line in lines)

    def is_seen(self, place: Place, path: str) -> bool:
        """Whether a definition at the top of a file is seen from another; what scripts define is not."""
        symbol = self._names.at(place)
        if place[0] == path or symbol.container != MODULE:
            return True
        return "private" not in symbol.modifiers and not place[0].endswith(".kts")

    def expected(self, places: Sequence[Place]) -> Sequence[Place]:
        """What stands for all platforms, and is not hidden."""
        found = [one for one in places if not self.is_hidden(one)]
        return [one for one in found if "actual" not in self._names.at(one).modifiers] or found or places
