"""Build files in XML: Maven's pom.xml and the project files of MSBuild."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE, Import, Outline
from trigpoint.text.lines import line_starts, position

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_BLOCK = re.compile(r"<(dependency|plugin|parent|exclusion|extension)\b[^>]*>(.*?)(?:</\1\s*>|\Z)", re.S)
_TEXTS = {
    name: re.compile(rf"<{name}\s*>\s*([^<]*?)\s*</{name}\s*>")
    for name in ("groupId", "artifactId", "module", "mainClass", "AssemblyName", "RootNamespace", "PackageId")
}
_PROFILE = re.compile(r"<profile\b[^>]*>.*?<id\s*>\s*([^<]+?)\s*</id\s*>", re.S)
_NEED = re.compile(
    r"<(PackageReference|Reference|FrameworkReference)\b[^>]*?\b(?:Include|Update)\s*=\s*\"([^\",]+)"
)
_PATH = re.compile(r"<(ProjectReference|Import)\b[^>]*?\b(?:Include|Project)\s*=\s*\"([^\"]+)")
_TARGET = re.compile(r"<Target\b[^>]*?\bName\s*=\s*\"([^\"]+)\"[^>]*?(?:/>|>.*?</Target\s*>)", re.S)
MOST = 400
"""Blocks that are read of one file."""


class _Reader:
    """One file, with comments blanked."""

    def __init__(self, text: str) -> None:
        self.bare = _COMMENT.sub(_blank, text)
        self.entries = Entries(text)
        self.starts = line_starts(text)

    def line(self, offset: int) -> int:
        return position(self.starts, offset)[0]

    def add(self, name: str, kind: str, span: tuple[int, int], at: int, brings: str = "") -> None:
        """A symbol between two offsets that is named at a third; with ``brings`` its import."""
        line = self.line(at)
        index = self.entries.add(name, kind, (self.line(span[0]), self.line(max(span[1] - 1, 0))), at=line)
        if brings and index != MODULE:
            module = name.replace("\\", "/") if brings == "include" else name
            self.entries.imports.append(Import(module, "", "", line, index, brings))

    def values(self, name: str, source: str, start: int = 0) -> Iterator[tuple[str, int]]:
        """The texts of elements of a name, each with its offset."""
        for found in _TEXTS[name].finditer(source):
            if found[1]:
                yield found[1], start + found.start(1)


def outline_maven(text: str) -> Outline:
    """The artifact of a pom.xml, its parent, dependencies, plugins, modules and main class."""
    reader = _Reader(text)
    blocks = list(_BLOCK.finditer(reader.bare))[:MOST]
    outside = _BLOCK.sub(_blank, reader.bare)
    for name, at in list(reader.values("artifactId", outside))[:1]:
        reader.add(name, "package", (at, at + 1), at)
    for found in blocks:
        kind = found[1] if found[1] != "exclusion" else ""
        group = next((value for value, _ in reader.values("groupId", found[2])), "")
        for name, at in list(reader.values("artifactId", found[2], found.start(2)))[:1] if kind else ():
            reader.add(name, kind, found.span(), at)
            if reader.entries.symbols:
                module = f"{group}:{name}" if group else name
                scope = len(reader.entries.symbols) - 1
                reader.entries.imports.append(Import(module, "", "", reader.line(at), scope, "dependency"))
    for name, at in reader.values("module", outside):
        reader.add(name, "module", (at, at + 1), at, "include")
    for name, at in reader.values("mainClass", reader.bare):
        reader.add(name, "entry", (at, at + 1), at)
    for profile in _PROFILE.finditer(reader.bare):
        reader.add(profile[1], "profile", (profile.start(1), profile.end(1)), profile.start(1))
    return reader.entries.outline()


def outline_msbuild(text: str) -> Outline:
    """Names, packages, projects and targets of a project file of MSBuild."""
    reader = _Reader(text)
    for word in ("AssemblyName", "PackageId", "RootNamespace"):
        for name, at in reader.values(word, reader.bare):
            reader.add(name, "package" if word != "RootNamespace" else "namespace", (at, at + 1), at)
    for found in _NEED.finditer(reader.bare):
        reader.add(found[2], "dependency", found.span(), found.start(2), "dependency")
    for found in _PATH.finditer(reader.bare):
        reader.add(found[2], "project", found.span(), found.start(2), "include")
    for found in _TARGET.finditer(reader.bare):
        reader.add(found[1], "target", found.span(), found.start(1))
    return reader.entries.outline()


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
