"""Build files by their names: what a project is called, what it needs, where it begins, as symbols and imports.

An Import of kind "dependency" names a package of somewhere else; of kind "include" a path, from the folder of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from trigpoint.indexing.formats.ini import outline_ini
from trigpoint.indexing.formats.keys import outline_json, outline_toml
from trigpoint.indexing.formats.manifests import keyed, lines, marked
from trigpoint.model import Outline

_BY_NAME: Sequence[tuple[re.Pattern[str], Callable[[str], Outline]]] = (
    (re.compile(r"package\.json$"), partial(keyed.outline, base=outline_json, rules=keyed.NPM)),
    (re.compile(r"composer\.json$"), partial(keyed.outline, base=outline_json, rules=keyed.COMPOSER)),
    (
        re.compile(r"(?:ts|js)config(?:\.[\w-]+)*\.json$"),
        partial(keyed.outline, base=outline_json, rules=keyed.TSCONFIG),
    ),
    (re.compile(r"Cargo\.toml$"), partial(keyed.outline, base=outline_toml, rules=keyed.CARGO)),
    (re.compile(r"pyproject\.toml$"), partial(keyed.outline, base=outline_toml, rules=keyed.PYPROJECT)),
    (re.compile(r"setup\.cfg$"), partial(keyed.outline, base=outline_ini, rules=keyed.SETUP)),
)
_BY_LANGUAGE: dict[str, Callable[[str], Outline]] = {
    "cmake": lines.outline_cmake,
    "gomod": lines.outline_gomod,
    "gradle": lines.outline_gradle,
    "maven": marked.outline_maven,
    "msbuild": marked.outline_msbuild,
    "requirements": lines.outline_requirements,
}
"""Languages that are nothing but build files."""

LANGUAGES = frozenset(_BY_LANGUAGE)


def manifest(path: str, language: str) -> Callable[[str], Outline] | None:
    """What outlines a build file of this name; None for any other file."""
    if language in _BY_LANGUAGE:
        return _BY_LANGUAGE[language]
    if language not in ("json", "toml", "ini"):
        return None
    name = path.rpartition("/")[2]
    return next((outline for pattern, outline in _BY_NAME if pattern.match(name)), None)
