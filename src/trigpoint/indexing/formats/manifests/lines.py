"""Build files that are read line by line: go.mod, Gradle, CMake, requirements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import Import, Outline
from trigpoint.text.lines import line_starts, position


class Form(NamedTuple):
    """One form of a line: the group ``name`` is a symbol of that kind, and brings in what it or ``path`` names."""

    pattern: re.Pattern[str]
    kind: str
    brings: str = ""  # dependency, include
    closed: re.Pattern[str] | None = (
        None  # where what it opens ends, on whose line; at the end of the line when None
    )


_PACKAGE = r"[\w.~-]+\.[\w.~-]+(?:/[\w.~-]+)*"
_GOMOD = (
    Form(re.compile(r'^module\s+"?(?P<name>[^\s"]+)', re.M), "package"),
    Form(re.compile(rf"^(?:require\s+|[ \t]+)(?P<name>{_PACKAGE})\s+v\d", re.M), "dependency", "dependency"),
    Form(re.compile(rf"^(?:replace\s+|[ \t]+)(?P<name>{_PACKAGE})(?:\s+v\S+)?\s*=>\s*(?P<path>\.\S*)", re.M), "replace", "include"),
    Form(re.compile(r"^(?:use\s+|[ \t]+)(?P<name>\.{1,2}(?:/[\w./-]*)?)\s*$", re.M), "module", "include"),
    Form(re.compile(r"^(?:tool\s+)(?P<name>\S+)", re.M), "tool", "dependency"),
)  # fmt: skip
_QUOTED = r"""["'](?P<name>[^"'\n]+)["']"""
_NEEDS = r"(?:\w*[iI]mplementation|api|compileOnly|runtimeOnly|compile|testCompile|annotationProcessor|kapt|ksp|classpath|developmentOnly)"
_GRADLE = (
    Form(re.compile(rf"^[ \t]*rootProject\.name\s*=\s*{_QUOTED}", re.M), "package"),
    Form(re.compile(rf"^[ \t]*(?:group|namespace)\s*=?\s*{_QUOTED}", re.M), "group"),
    Form(re.compile(rf"^[ \t]*id\s*\(?\s*{_QUOTED}", re.M), "plugin", "dependency"),
    Form(re.compile(rf"^[ \t]*apply\s+plugin:\s*{_QUOTED}", re.M), "plugin", "dependency"),
    Form(re.compile(rf"^[ \t]*apply\s+from:\s*{_QUOTED}", re.M), "script", "include"),
    Form(re.compile(rf"^[ \t]*{_NEEDS}[ \t(]+(?:platform|kotlin|enforcedPlatform)?\(?{_QUOTED}", re.M), "dependency", "dependency"),
    Form(re.compile(rf"^[ \t]*{_NEEDS}[ \t(]+project\(\s*(?:path:\s*)?{_QUOTED}", re.M), "project", "include"),
    Form(re.compile(rf"(?:^[ \t]*include\b[ \t(]*|(?<=[\"']),\s*)(?<!\w){_QUOTED}(?=\s*[,)\n]|\s*\Z)", re.M), "module", "include"),
    Form(re.compile(r"^[ \t]*(?:task[ \t]+|tasks\.(?:register|create|named)\s*\(\s*[\"'])(?P<name>\w+)", re.M), "task", "", re.compile(r"^\}", re.M)),
    Form(re.compile(r"^[ \t]*mainClass(?:Name)?\s*(?:=|\.set\()\s*[\"'](?P<name>[\w.$]+)", re.M), "entry"),
)  # fmt: skip
_WORD = r"(?P<name>[\w.${}:+-]+)"
_CLOSE = re.compile(r"\)")
_CMAKE = (
    Form(re.compile(rf"^[ \t]*project\s*\(\s*{_WORD}", re.M | re.I), "package", "", _CLOSE),
    Form(re.compile(rf"^[ \t]*add_executable\s*\(\s*{_WORD}", re.M | re.I), "executable", "", _CLOSE),
    Form(re.compile(rf"^[ \t]*add_library\s*\(\s*{_WORD}", re.M | re.I), "library", "", _CLOSE),
    Form(re.compile(rf"^[ \t]*add_custom_target\s*\(\s*{_WORD}", re.M | re.I), "target", "", _CLOSE),
    Form(re.compile(rf"^[ \t]*add_test\s*\(\s*(?:NAME\s+)?{_WORD}", re.M | re.I), "test", "", _CLOSE),
    Form(re.compile(r"^[ \t]*add_subdirectory\s*\(\s*(?P<name>[\w./${}-]+)", re.M | re.I), "module", "include", _CLOSE),
    Form(re.compile(rf"^[ \t]*(?:find_package|FetchContent_Declare|pkg_check_modules)\s*\(\s*{_WORD}", re.M | re.I), "dependency", "dependency", _CLOSE),
    Form(re.compile(rf"^[ \t]*(?:function)\s*\(\s*{_WORD}", re.M | re.I), "function", "", re.compile(r"^[ \t]*endfunction\b", re.M | re.I)),
    Form(re.compile(rf"^[ \t]*(?:macro)\s*\(\s*{_WORD}", re.M | re.I), "macro", "", re.compile(r"^[ \t]*endmacro\b", re.M | re.I)),
    Form(re.compile(r"^[ \t]*include\s*\(\s*(?P<name>[\w./${}-]+)", re.M | re.I), "script", "include", _CLOSE),
    Form(re.compile(rf"^[ \t]*(?:option|set)\s*\(\s*{_WORD}", re.M | re.I), "variable", "", _CLOSE),
)  # fmt: skip
_REQUIREMENTS = (
    Form(re.compile(r"^(?:-r|-c|--requirement|--constraint)[ =]*(?P<name>\S+)", re.M), "script", "include"),
    Form(re.compile(r"^(?:-e|--editable)[ =]*(?P<name>\.\S*)", re.M), "dependency", "include"),
    Form(re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)[ \t]*(?:\[[^\]\n]*\])?[ \t]*(?:[=<>!~;@#,].*)?$", re.M), "dependency", "dependency"),
)  # fmt: skip
_LINKS = re.compile(
    r"^[ \t]*(?:target_link_libraries|add_dependencies|target_include_directories)\s*\(\s*([\w.-]+)([^()]*)\)",
    re.M | re.I,
)
_COMMENTS = {"cmake": re.compile(r"#[^\n]*"), "gradle": re.compile(r"(?<!:)//[^\n]*|/\*.*?(?:\*/|\Z)", re.S)}


def outline_gomod(text: str) -> Outline:
    """The module of a go.mod, what it requires and replaces; of a go.work its modules."""
    return _entries(re.sub(r"//[^\n]*", _blank, text), text, _GOMOD).outline()


def outline_gradle(text: str) -> Outline:
    """Names, plugins, dependencies, projects and tasks of a Gradle script in Groovy."""
    entries = _entries(_COMMENTS["gradle"].sub(_blank, text), text, _GRADLE)
    entries.imports = [
        one._replace(module=one.module.strip(":").replace(":", "/"))
        if one.module.startswith(":") or (one.kind == "include" and ":" in one.module)
        else one
        for one in entries.imports
    ]
    return entries.outline()


def outline_cmake(text: str) -> Outline:
    """The project, its targets, packages, folders, functions and variables of a CMake script."""
    bare = _COMMENTS["cmake"].sub(_blank, text)
    entries = _entries(bare, text, _CMAKE)
    starts = line_starts(text)
    known = {one.name: index for index, one in reversed(list(enumerate(entries.symbols)))}
    for found in _LINKS.finditer(bare):
        for name in found[2].split()[:60]:
            if name not in ("PUBLIC", "PRIVATE", "INTERFACE"):
                entries.refer(name, position(starts, found.start())[0], known.get(found[1], -1))
    return entries.outline()


def outline_requirements(text: str) -> Outline:
    """The packages of a requirements file."""
    return _entries(text, text, _REQUIREMENTS).outline()


def _entries(bare: str, text: str, forms: Sequence[Form]) -> Entries:
    """Every form that the text has, in order. ``bare`` is the text without comments."""
    entries = Entries(text)
    starts = line_starts(text)
    found = sorted(
        ((match, form) for form in forms for match in form.pattern.finditer(bare)),
        key=lambda pair: pair[0].start("name"),
    )
    for match, form in found:
        at = match.start("name")
        line = position(starts, at)[0]
        first = position(starts, match.start() + len(match[0]) - len(match[0].lstrip()))[0]
        closed = form.closed.search(bare, match.end()) if form.closed is not None else None
        last = position(starts, closed.start())[0] if closed is not None else line
        name = match["name"].rstrip("/") or match["name"]
        index = entries.add(name, form.kind, (min(first, line), last), at=line)
        if form.brings and not entries.full:
            brought = match.groupdict().get("path") or name
            entries.imports.append(Import(brought, "", "", line, index, form.brings))
    return entries


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
