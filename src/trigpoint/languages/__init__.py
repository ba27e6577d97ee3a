"""The language registry: each folder here that holds a language.toml is one language, described as data.

Detection needs names and extensions only; grammars are loaded by the indexing layer, in the worker processes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

from trigpoint.errors import NotFoundError

TEXT = "text"
"""The language of whatever is textual and nothing else."""

LEVELS = ("full", "outline", "format", "text")
"""full: definitions, imports, references; outline: definitions only; format: sections or keys; text: line windows."""


class Language(NamedTuple):
    """One language as its language.toml describes it."""

    name: str
    title: str
    version: int
    level: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    grammar: str = (
        ""  # "module:function" of a tree-sitter wheel, ":argument" after it where one wheel has many
    )
    folder: str = ""  # where hooks.py lies; shared by dialects
    tables: Mapping[str, Any] = {}
    """The rest of language.toml: node kinds and their roles, read by indexing.grammar."""

    def hooks(self) -> ModuleType | None:
        """The language's hooks module, or None when data says it all."""
        if not self.tables.get("hooks"):
            return None
        return import_module(f"trigpoint.languages.{self.folder}.hooks")


_KNOWN = ("name", "title", "version", "level", "extensions", "filenames", "shebangs", "aliases", "grammar")


def parse(source: str, folder: str) -> tuple[Language, ...]:
    """The languages of one language.toml: the main one and its dialects (same tables, other names and grammar)."""
    import tomllib  # 5 ms, and not needed to know the versions

    data = tomllib.loads(source)
    dialects = data.pop("dialect", [])
    return tuple(_language({**data, **one}, folder) for one in [data, *dialects])


def _language(data: Mapping[str, Any], folder: str) -> Language:
    if data["level"] not in LEVELS:
        raise ValueError(f"{folder}/language.toml: level {data['level']!r} is none of {', '.join(LEVELS)}")
    lists = {key: tuple(data.get(key, ())) for key in ("extensions", "filenames", "shebangs", "aliases")}
    tables = {key: value for key, value in data.items() if key not in _KNOWN}
    return Language(
        name=data["name"],
        title=data["title"],
        version=data["version"],
        level=data["level"],
        grammar=data.get("grammar", ""),
        folder=folder,
        tables=tables,
        **lists,
    )


class _Registry(Mapping[str, Language]):
    """Languages by name; a file is parsed, in 1 ms, when one of its languages is asked for."""

    def __init__(self) -> None:
        self._manifests = {
            head[b"name"].decode(): (folder, manifest)
            for folder, manifest in _manifests()
            for head in _heads(manifest)
        }
        self._parsed: dict[str, Language] = {}

    def __getitem__(self, name: str) -> Language:
        if name not in self._parsed:
            folder, manifest = self._manifests[name]
            self._parsed.update((one.name, one) for one in parse(manifest.decode(), folder))
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._manifests)

    def __len__(self) -> int:
        return len(self._manifests)


@cache
def registry() -> Mapping[str, Language]:
    """All languages by name, sorted by folder."""
    return _Registry()


@cache
def _manifests() -> Sequence[tuple[str, bytes]]:
    """Each folder with a language.toml and what that holds, sorted."""
    return list(_read_manifests())


def _read_manifests() -> Iterator[tuple[str, bytes]]:
    here = os.path.dirname(__file__)
    for folder in sorted(os.listdir(here)):
        try:
            with open(os.path.join(here, folder, "language.toml"), "rb") as file:
                yield folder, file.read()
        except (FileNotFoundError, NotADirectoryError):
            continue


_HEADS = re.compile(
    rb"""^(?:(\[.*)|(name|extensions|filenames|shebangs)\s*=\s*(?:["']([^"']*)|\[([^\]]*)\]))""", re.MULTILINE
)
_STRING = re.compile(rb"""["']([^"']*)["']""")


def _heads(manifest: bytes) -> Sequence[Mapping[bytes, bytes]]:
    """How a language and its dialects are called and told, off their file without parsing it: 1 ms for all instead of 15.

    A dialect has the lists of its language unless it says others.
    """
    ours: dict[bytes, bytes] = {}
    found = [one := ours]
    for table, key, text, strings in _HEADS.findall(manifest):
        if table:
            one = dict(ours)
            if table.startswith(b"[[dialect]]"):
                found.append(one)
        else:
            one[key] = text or strings
    return found


_PACK = "semble_grammars"
"""The package with most grammars of the extra: where it comes or goes, files are read again."""

_VERSIONS = re.compile(rb"""^(name|version)\s*=\s*["']?([\w+#.-]+)""", re.MULTILINE)


def _told(manifest: bytes) -> Iterator[tuple[str, str]]:
    """Name and version of a language and of its dialects, whose version is that of the language unless they say another."""
    found: dict[str, str] = {}
    name = version = ""
    for key, value in _VERSIONS.findall(manifest):
        if key == b"name":
            name = value.decode()
            found[name] = version
        else:
            version = version or value.decode()
            found[name] = value.decode()
    yield from found.items()


@cache
def versions() -> str:
    """Names and versions of all languages, and whether the long tail can be read, off their files without parsing those: each search asks for it."""
    told = " ".join(f"{name}={version}" for _, manifest in _manifests() for name, version in _told(manifest))
    return f"{told} {_PACK}" if _is_there(_PACK) else told


def get(name: str) -> Language:
    """A language by its name or alias.

    Raises NotFoundError for an unknown one.
    """
    languages = registry()
    if name in languages:
        return languages[name]
    folded = name.lower()
    for language in languages.values():
        if folded == language.name or folded in language.aliases:
            return language
    raise NotFoundError(f"unknown language {name!r}", "`trig languages` lists what is known")


@cache
def _signs(kind: bytes) -> Sequence[tuple[str, str]]:
    """What files of each language are told by, and its name."""
    return [
        (sign.decode(), head[b"name"].decode())
        for _, manifest in _manifests()
        for head in _heads(manifest)
        for sign in _STRING.findall(head.get(kind, b""))
    ]


@cache
def _by_extension() -> Mapping[str, str]:
    return dict(_signs(b"extensions"))


@cache
def _by_filename() -> Mapping[str, str]:
    return dict(_signs(b"filenames"))


@cache
def _by_shebang() -> Sequence[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"^#!.*\b{re.escape(word)}[0-9.]*\b"), name) for word, name in _signs(b"shebangs")]


_CPP_WORDS = (
    "class",
    "namespace",
    "template",
    "using ",
    "public:",
    "private:",
    "protected:",
    "::",
    "constexpr",
    "noexcept",
    "#include <",
)
_CPP_HEAD = 20_000
_CPP_SIGNS = (
    r"(?m)^\s*(?:class|namespace|template\s*<|using\s+\w|public:|private:|protected:)|\b\w+::\w+|\bconstexpr\b|\bnoexcept\b"
    r"|^#include <(?:c?(?:string|vector|memory|map|utility|iostream|functional|type_traits))>"
)


def _is_cpp(head: str) -> bool:
    return any(word in head for word in _CPP_WORDS) and re.search(_CPP_SIGNS, head) is not None


def detect(path: str, head: str) -> str:
    """The language of a file by its name, then its extension, then its first lines; "text" when nothing fits.

    ``head`` is the beginning of the text; a header ``.h`` is C++ when it shows signs of C++, else C.
    """
    name = path.rpartition("/")[2]
    if found := _by_filename().get(name):
        return found
    lowered = name.lower()
    dot = lowered.find(".", 1)
    while dot != -1:
        extension = lowered[dot:]
        if extension == ".h":
            return "cpp" if _is_cpp(head[:_CPP_HEAD]) else "c"
        if found := _by_extension().get(extension):
            return found
        dot = lowered.find(".", dot + 1)
    if found := next((lang for stem, lang in _by_filename().items() if name.startswith(stem + ".")), ""):
        return found
    if head.startswith("#!"):
        line = head.split("\n", 1)[0]
        return next((lang for pattern, lang in _by_shebang() if pattern.search(line)), TEXT)
    return TEXT


def installed(language: Language) -> bool:
    """Whether what a language is parsed with is there: the grammars of the long tail come with an extra."""
    return not language.tables.get("extra") or _is_there(language.grammar.partition(":")[0])


@cache
def _is_there(module: str) -> bool:
    return find_spec(module) is not None


CAPABILITIES = ("definitions", "imports", "references", "bindings", "links", "complexity", "docs")
"""Columns of the capability matrix."""


class Capability(NamedTuple):
    """One row of the matrix that `trig languages` prints: read off the same tables that the walk executes."""

    language: Language
    has: tuple[str, ...]


def matrix() -> tuple[Capability, ...]:
    """What is taken from each language, generated from the registry."""
    return tuple(Capability(language, _capabilities(language)) for language in registry().values())


def _capabilities(language: Language) -> tuple[str, ...]:
    tables = language.tables
    present = {
        "definitions": bool(
            tables.get("define")
            or tables.get("generic")
            or tables.get("define_hook")
            or language.level == "format"
        ),
        "imports": bool(tables.get("import")),
        "references": bool(tables.get("reference") or tables.get("reference_hook")),
        "bindings": bool(tables.get("bind") or tables.get("bind_hook")),
        "links": bool(tables.get("link")),
        "complexity": bool(tables.get("decision") or tables.get("generic")),
        "docs": bool(tables.get("docstrings") or tables.get("comment") or tables.get("generic")),
    }
    return tuple(name for name in CAPABILITIES if present[name])
