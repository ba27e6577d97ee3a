"""What configuration files say of where imports lead: tsconfig and jsconfig, package.json, workspace lists. All pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_PIECE = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])', re.S
)
_ITEM = re.compile(r"\s*-\s+(['\"]?)(.+?)\1\s*(?:#.*)?$")
_BRACES = re.compile(r"\\\{(.*?)\\\}")


def relaxed(text: str) -> Mapping[str, Any]:
    """A JSON object that may have comments and trailing commas; {} when it is none."""
    cleaned = _PIECE.sub(lambda found: found[0] if found[0][0] == '"' else " ", text.removeprefix("\ufeff"))
    try:
        found = json.loads(cleaned)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class Options(NamedTuple):
    """The part of a tsconfig that says where imports lead. Folders are from the top of the tree."""

    base: str | None = None  # baseUrl; None when it has none
    paths: Mapping[str, Sequence[str]] = {}
    told_in: str = ""  # the folder of the file that says paths
    out: str = ""  # where built files go
    root: str = ""  # and where they come from
    extends: Sequence[str] = ()
    references: Sequence[str] = ()  # other projects, as written

    @property
    def paths_base(self) -> str:
        """What the targets of paths are relative to."""
        return self.base if self.base is not None else self.told_in


def options(text: str, folder: str) -> Options:
    """One tsconfig.json alone, without what it extends."""
    data = relaxed(text)
    told = _object(data.get("compilerOptions"))
    base = told.get("baseUrl")
    base = joined(folder, _placed(base)) if isinstance(base, str) else None
    paths = {key: _texts(value) for key, value in _object(told.get("paths")).items()}
    out, root = told.get("outDir"), told.get("rootDir")
    references = [one.get("path") for one in _list(data.get("references")) if isinstance(one, dict)]
    return Options(
        base,
        {key: [_placed(one) for one in value] for key, value in paths.items()},
        folder,
        joined(folder, _placed(out)) if isinstance(out, str) else "",
        joined(folder, _placed(root)) if isinstance(root, str) else "",
        _texts(data.get("extends")),
        _texts(references),
    )


def over(upper: Options, lower: Options) -> Options:
    """Options that extend others: what they say themselves goes first."""
    paths = upper if upper.paths else lower
    return Options(
        upper.base if upper.base is not None else lower.base,
        paths.paths,
        paths.told_in,
        upper.out or lower.out,
        upper.root or lower.root,
        (),
        upper.references,
    )


def _placed(path: str) -> str:
    """Without the variable for the config's own folder."""
    return path.replace("${configDir}", ".")


class Package(NamedTuple):
    """A package.json."""

    folder: str
    name: str = ""
    entries: Sequence[str] = ()  # main files as written, sources before built files before declarations
    exports: Any = None
    imports: Mapping[str, Any] = {}
    local: frozenset[str] = frozenset()  # dependencies that are said to lie in the tree
    workspaces: Sequence[str] = ()


_ENTRIES = ("source", "module", "jsnext:main", "main", "browser", "types", "typings")
_LOCAL = ("workspace:", "file:", "link:", "portal:")


def package(text: str, folder: str) -> Package:
    """What a package.json says of itself."""
    data = relaxed(text)
    name = data.get("name")
    entries = [data[key] for key in _ENTRIES if isinstance(data.get(key), str)]
    wanted: dict[str, Any] = {}
    for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        wanted.update(_object(data.get(key)))
    local = [key for key, value in wanted.items() if isinstance(value, str) and value.startswith(_LOCAL)]
    spaces = data.get("workspaces")
    spaces = spaces.get("packages") if isinstance(spaces, dict) else spaces
    return Package(
        folder,
        name if isinstance(name, str) else "",
        entries,
        data.get("exports"),
        _object(data.get("imports")),
        frozenset(local),
        _texts(spaces),
    )


def pnpm_workspaces(text: str) -> list[str]:
    """The globs under ``packages:`` of a pnpm-workspace.yaml."""
    found: list[str] = []
    open_list = False
    for line in text.split("\n"):
        if line[:1].strip() and line[:1] not in "-#":
            open_list = line.startswith("packages:")
        elif open_list and (item := _ITEM.match(line)):
            found.append(item[2])
    return found


def targets(entry: Any, star: str) -> Iterator[str]:
    """The files that an entry of ``exports`` or ``imports`` names under any condition; ``*`` filled in."""
    if isinstance(entry, str):
        yield entry.replace("*", star)
    elif isinstance(entry, list):
        for one in entry:
            yield from targets(one, star)
    elif isinstance(entry, dict):
        for one in entry.values():
            yield from targets(one, star)


def matched(entries: Mapping[str, Any], name: str) -> Iterator[tuple[Any, str]]:
    """The entries whose key is the name or a pattern with ``*`` that fits it, longest prefix first, and what ``*`` is."""
    if name in entries:
        yield entries[name], ""
    fitting = []
    for key, entry in entries.items():
        before, star, after = key.partition("*")
        if (
            star
            and len(name) >= len(before) + len(after)
            and name.startswith(before)
            and name.endswith(after)
        ):
            fitting.append((len(before), key, entry, name[len(before) : len(name) - len(after)]))
    for _, _, entry, middle in sorted(fitting, key=lambda one: (-one[0], one[1])):
        yield entry, middle


def joined(folder: str, path: str) -> str:
    """A path from the top of the tree, ``.`` and ``..`` taken out; what lies above the top begins with ``..``."""
    parts = folder.split("/") if folder and not path.startswith("/") else []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part == ".." or part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def glob(pattern: str) -> re.Pattern[str]:
    """A workspace glob as an expression for whole folder paths."""
    written = re.escape(pattern.strip("/").removeprefix("./"))
    written = written.replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.compile(_BRACES.sub(lambda found: "(?:" + found[1].replace(",", "|") + ")", written))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    """A text or a list of texts as a list."""
    if isinstance(value, str):
        return [value]
    return [one for one in _list(value) if isinstance(one, str)]
