"""What a C# file sees of namespaces: its own, those it uses, and those that are used everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Project
from trigpoint.model import MODULE, Import

_EVERYWHERE = ("using", "imports", "global")
"""Words in the names of files that hold usings for all files of a project; others are not read for them."""


class Usings:
    """Usings and namespaces around a place."""

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        self._project = project
        self._files = [
            path for path in paths if any(word in path.rpartition("/")[2].lower() for word in _EVERYWHERE)
        ]
        self._global: list[tuple[str, Import]] | None = None

    def spaces(self, facts: Facts, scope: int) -> Iterator[str]:
        """The namespaces around a scope by their full names, from the inside."""
        space = facts.outline.package
        while scope != MODULE:
            symbol = facts.symbols[scope]
            if symbol.kind == "namespace":
                space = symbol.qualified
                break
            scope = symbol.container
        while space:
            yield space
            space = space.rpartition(".")[0]

    def seen(self, facts: Facts, scope: int) -> Iterator[Import]:
        """Whole namespaces, and types whose static members are, that are used in exactly this scope."""
        facts.names_in(scope)  # what is used is sorted with the names
        yield from (one for one in facts.wildcards if one.scope == scope)
        if scope == MODULE:
            for folder, item in self._everywhere():
                if not folder or facts.path.startswith(folder + "/"):
                    yield item

    def _everywhere(self) -> list[tuple[str, Import]]:
        if self._global is None:
            self._global = []
            for path in self._files:
                facts = self._project.facts(path)
                folder = path.rpartition("/")[0].removesuffix("/Properties")
                for item in facts.outline.imports if facts is not None else ():
                    if item.kind == "reexport" and item.name == "*":
                        self._global.append((folder, item))
        return self._global
