"""The part of the engine that asks other code bases too: further folders of the work, other repositories, dependencies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from trigpoint.errors import ConfigError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from trigpoint.config import Settings
    from trigpoint.model import Definitions, IndexReport, Query, StoredSymbol, Window
    from trigpoint.ports import Reading, Snapshot
    from trigpoint.search.layers import Layer
    from trigpoint.search.plan import Plan
    from trigpoint.search.run import Ranking

LAYERS = ("workspace", "repository", "global")
"""From near to far. The folders of each are a setting, and so is the share of their score that farther hits keep."""


class Beside(NamedTuple):
    """Another code base: its layer, its share, its folder as seen from the project, and its engine."""

    layer: str
    share: float
    place: str
    engine: Layered


class Layered:
    """What the Engine is asked of the layers around its project."""

    root: Path
    settings: Settings

    def __init__(self, root: Path, settings: Settings) -> None:
        raise NotImplementedError

    def reading(self, *, update: bool = True) -> AbstractContextManager[Reading]:
        """One frozen state of the index."""
        raise NotImplementedError

    def ranked(self, query: Query, plan: Plan, snapshot: Snapshot) -> Ranking:
        """The hits of one state of the index."""
        raise NotImplementedError

    def index(self, *, full: bool = False) -> IndexReport:
        """Bring the index up to date."""
        raise NotImplementedError

    def read(self, path: str, start: int = 1, end: int | None = None) -> Window:
        """Lines of a file as it is now."""
        raise NotImplementedError

    def outline(self, path: str, *, update: bool = True) -> Definitions:
        """The definitions of a file."""
        raise NotImplementedError

    def close(self) -> None:
        """Let all resources go."""
        raise NotImplementedError

    @cached_property
    def layers(self) -> tuple[Beside, ...]:
        """The code bases that are asked beside this one, near ones first, each folder once.

        Raises ConfigError for a folder that is not there, and for one outside the project that the project itself names.
        """
        found: dict[Path, Beside] = {}
        for layer in LAYERS:
            for folder in _folders(self.root, self.settings, layer):
                if folder != self.root and folder not in found:
                    place = Path(os.path.relpath(folder, self.root)).as_posix()
                    share = getattr(self.settings, f"layers_{layer}_share", 1.0)
                    found[folder] = Beside(layer, share, place, self._beside(folder))
        return tuple(found.values())

    def _beside(self, folder: Path) -> Self:
        from trigpoint.config import index_folder

        settings = self.settings._replace(
            root=folder,
            index_dir=index_folder(self.settings.cache_dir, folder),
            layers_workspace="",
            layers_repository="",
            layers_global="",
        )
        return type(self)(folder, settings)

    def _indexed_around(self, report: IndexReport, *, full: bool) -> IndexReport:
        """The report of the project, after its layers were indexed too, with a word on each."""
        said = [report.note] if report.note else []
        for one in () if report.interrupted else self.layers:
            found = one.engine.index(full=full)
            said.append(f"{one.place} ({one.layer}): {found.files} files")
        return report._replace(note="; ".join(said))

    def _close_around(self) -> None:
        for one in self.__dict__.pop("layers", ()):
            one.engine.close()

    def _around(self, ranking: Ranking, query: Query, plan: Plan) -> Ranking:
        """The ranking with those of the layers merged in. One that is not indexed yet is named among what is lacking."""
        from trigpoint.search.layers import merged

        if not self.layers:
            return ranking
        indexed = self._indexed_layers()
        found = [self._of_layer(one, query, plan) for one in indexed]
        lacks = tuple(
            f"{one.place} ({one.layer}) is not indexed yet: `trig index` brings it in"
            for one in self.layers
            if one not in indexed
        )
        ranking = ranking._replace(lacks=(*ranking.lacks, *lacks))
        return merged(ranking, found, plan.hits(ranking.intent))

    def _indexed_layers(self) -> list[Beside]:
        return [one for one in self.layers if one.engine.settings.index_dir.exists()]

    def _defined_around(self, name: str, limit: int, *, update: bool) -> Iterator[StoredSymbol]:
        """What a name means in the layers, near ones first, under paths that lead there."""
        from trigpoint.search.lookup import definitions

        for one in self._indexed_layers():
            with one.engine.reading(update=update and one.layer != LAYERS[-1]) as reading:
                for stored in definitions(name, reading.snapshot, limit):
                    yield stored._replace(path=f"{one.place}/{stored.path}")

    def _of_layer(self, beside: Beside, query: Query, plan: Plan) -> Layer:
        """What is near is brought up to date first; dependencies change when they are installed, and `trig index` sees that."""
        from trigpoint.search.layers import Layer
        from trigpoint.search.pack import MODES

        with beside.engine.reading(update=beside.layer != LAYERS[-1]) as reading:
            ranking = beside.engine.ranked(query, plan, reading.snapshot)
            outlines = {
                hit.chunk.path: reading.snapshot.symbols_of(hit.chunk.path)
                for hit in ranking.hits
                if MODES[ranking.intent.packing].outline
            }
        return Layer(beside.layer, beside.share, beside.place, ranking, outlines)

    def _holder(self, path: str) -> tuple[Layered, str]:
        """The engine whose file a path of an answer is, and the path there."""
        for one in self.layers:
            if path.startswith(one.place + "/"):
                return one.engine, path[len(one.place) + 1 :]
        return self, path


def _folders(root: Path, settings: Settings, layer: str) -> Iterator[Path]:
    key = f"layers.{layer}"
    for name in filter(None, getattr(settings, f"layers_{layer}").split(os.pathsep)):
        folder = (root / Path(name).expanduser()).resolve()
        if settings.origins[key] in ("trigpoint.toml", "pyproject.toml") and not folder.is_relative_to(root):
            raise ConfigError(
                f"{key} names {name}, which lies outside the project",
                f"a project may come from a stranger: set TRIGPOINT_{key.replace('.', '_').upper()} or the user file",
            )
        if not folder.is_dir():
            raise ConfigError(
                f"{key} names {name}, which is no folder", "mend the setting: `trig config` shows it"
            )
        yield folder
