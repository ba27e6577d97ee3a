"""Definitions of C and C++ by their full names, and which of several a file means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trigpoint.languages.facts import VARIABLES, Facts
from trigpoint.languages.includes import Files, distance, is_header
from trigpoint.languages.linking import Found, Project, Value
from trigpoint.model import MODULE, Symbol

Place = tuple[str, int]
"""A path and the index of a symbol in it."""

CLASSES = frozenset({"class", "struct", "union", "enum"})
TYPES = CLASSES | {"type"}
_CODE = frozenset({"function", "method", "constructor"})
_OPENERS = (
    "{}_BEGIN_NAMESPACE",
    "{}_NAMESPACE_BEGIN",
    "{}_OPEN_NAMESPACE",
    "BEGIN_{}_NAMESPACE",
    "{}_NS_BEGIN",
    "BEGIN_NAMESPACE_{}",
)
"""Names of macros that open a namespace."""


class Definitions:
    """All names of a tree, looked up one by one."""

    def __init__(self, project: Project, files: Files) -> None:
        self._project = project
        self._files = files
        self._opened: dict[str, bool] = {}
        self._full_names: dict[str, dict[str, list[Place]]] = {}

    def places(self, name: str, qualified: str) -> list[Place]:
        """What has a full name; names in inline namespaces have it too."""
        return self.named(name).get(qualified, _NOTHING)

    def named(self, name: str) -> Mapping[str, list[Place]]:
        """What has a simple name, by full name."""
        found = self._full_names.get(name)
        if found is None:
            found = self._full_names[name] = {}
            for path, index in self._project.named(name):
                facts = self._project.facts(path)
                if facts is not None and facts.symbols[index].kind != "constructor":
                    found.setdefault(full_name(facts, index), []).append((path, index))
        return found

    def symbols(self, places: Iterable[Place]) -> Iterable[Symbol]:
        """The symbols at some places."""
        for path, index in places:
            facts = self._project.facts(path)
            if facts is not None:
                yield facts.symbols[index]

    def full(self, facts: Facts, qualified: str, *, inside: bool = True) -> Found | None:
        """The definition of a full name that a file means; with ``inside`` false rather one of another file."""
        name = qualified.rpartition(".")[2]
        places = self.places(name, qualified)
        if not inside:
            places = [one for one in places if one[0] != facts.path] or places
        if not places and "." in qualified and self._by_macro(qualified.partition(".")[0]):
            return self.full(facts, qualified.partition(".")[2], inside=is_header(facts.path))
        if not places:
            return None
        if any(one.kind == "namespace" for one in self.symbols(places)):
            return Found("package", space_as_seen(qualified, facts.path))
        picked = self.pick(facts, places)
        if picked is None:
            return None
        place, sure = picked
        holder = self._project.facts(place[0])
        if holder is None:
            return None
        symbol = holder.symbols[place[1]]
        value: Value | None = Value("definition", *place)
        if symbol.kind in VARIABLES:
            if not sure:
                return None
            local = self._project.local(holder, symbol.container, symbol.name)
            value = local.value if local is not None else None
        return Found("package" if sure else "ambiguous", value, place)

    def _by_macro(self, space: str) -> bool:
        """Whether a namespace is opened by a macro, so that its names stand in the outline without it."""
        if space not in self._opened:
            word = space.upper()
            names = [form.format(word) for form in _OPENERS]
            self._opened[space] = any(
                one.kind == "macro" for name in names for one in self.symbols(self._project.named(name))
            )
        return self._opened[space]

    def pick(self, facts: Facts, places: Sequence[Place]) -> tuple[Place, bool] | None:
        """The one that is meant, and whether no other could be: defined rather than declared, seen rather than not."""
        known = [(one, symbol) for one, symbol in zip(places, self.symbols(places), strict=True)]
        known = [pair for pair in known if self._visible(facts, *pair)]
        known = [pair for pair in known if not is_declared(pair[1])] or known
        if len(known) > 1 and any(pair[1].kind in TYPES for pair in known):
            seen = self._files.seen(facts.path)
            known = [pair for pair in known if pair[0][0] in seen] or known
        for kinds in (CLASSES, _CODE):
            known = [pair for pair in known if pair[1].kind in kinds] or known
        if not known:
            return None
        found = [place for place, _ in known]
        own = [place for place in found if place[0] == facts.path]
        if own:
            return own[0], True
        if facts.language == "c" and len({place[0] for place in found}) == 1:
            return found[0], known[0][1].kind != "macro" or found[0][0] in self._files.seen(facts.path)
        return self._nearest(facts, found, {place[0] for place in places})

    def _nearest(self, facts: Facts, found: Sequence[Place], told: set[str]) -> tuple[Place, bool]:
        """The one that the includes lead to; ``told`` are the files that define or declare it."""
        seen = self._files.seen(facts.path)
        direct = [one for one in found if one[0] in seen]
        if direct:
            direct.sort(key=lambda one: (seen[one[0]], -distance(one[0], facts.path)))
            same = {one[0] for one in direct}
            return direct[0], len(same) == 1 or (facts.language == "cpp" and all(map(is_header, same)))
        paired = self._files.paired(facts.path, {one[0] for one in found})
        if paired:
            return next(one for one in found if one[0] == paired[0]), len(paired) == 1
        if len({one[0] for one in found}) == 1 and not told.isdisjoint(seen):
            return found[0], True
        ranked = sorted(found, key=lambda one: (-distance(one[0], facts.path), one))
        return ranked[0], False

    def _visible(self, facts: Facts, place: Place, symbol: Symbol) -> bool:
        """Whether a name of another file is seen: static ones only from headers, macros only where they are included."""
        if place[0] == facts.path or is_header(place[0]):
            return True
        if symbol.kind == "macro":
            return place[0] in self._files.seen(facts.path)
        return "static" not in symbol.modifiers or symbol.kind in ("method", "field", "constructor")


_NOTHING: list[Place] = []
SEEN_FROM = "\0"


def space_as_seen(full: str, path: str) -> Value:
    """A namespace as a file sees it."""
    return Value("module", full + SEEN_FROM + path)


def is_declared(symbol: Symbol) -> bool:
    """Whether a symbol has no body here."""
    return "declaration" in symbol.modifiers


def full_name(facts: Facts, index: int) -> str:
    """The qualified name without inline namespaces; enumerators of C stand beside their enum."""
    symbol = facts.symbols[index]
    full, outer = symbol.qualified, symbol.container
    if symbol.kind == "macro":
        return symbol.name
    if outer != MODULE and facts.symbols[outer].kind == "enum" and facts.language == "c":
        return symbol.name
    while outer != MODULE:
        around = facts.symbols[outer]
        if around.kind == "namespace" and "inline" in around.modifiers:
            before = around.qualified.rpartition(".")[0]
            full = (f"{before}." if before else "") + full[len(around.qualified) + 1 :]
        outer = around.container
    return full


def pairs(places: Iterable[Place], project: Project) -> Iterable[tuple[Place, Symbol]]:
    """Places with their symbols."""
    for path, index in places:
        facts = project.facts(path)
        if facts is not None:
            yield (path, index), facts.symbols[index]
