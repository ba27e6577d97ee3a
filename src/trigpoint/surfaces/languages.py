"""The command `languages`: the capability matrix, or a language folder of one's own checked against its sample."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import unified_diff
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trigpoint.errors import UsageError
from trigpoint.languages import Language, parse
from trigpoint.render import json, text

if TYPE_CHECKING:
    from trigpoint.surfaces.cli import Asked

FOUND, DIFFERS = 0, 1


class Checked(NamedTuple):
    """One sample of a folder: how its outline differs from the one beside it, as a unified diff; () when it does not."""

    sample: str
    symbols: int
    diff: tuple[str, ...]


def show(asked: Asked) -> int:
    """Answer `trig languages`."""
    if asked.request.check:
        return _show_check(asked, check(Path(asked.request.check)))
    from trigpoint.languages import installed, matrix
    from trigpoint.render.matrix import brief, rows
    from trigpoint.surfaces.cli import say

    known = matrix()
    found = rows(known)
    missing = [one.language.title for one in known if not installed(one.language)]
    if missing and asked.parsed.format == "text":
        say(
            f"{', '.join(missing)}: searched as text; their definitions come with pip install 'trigpoint[languages]'"
        )
    asked.show(lambda: text.table(brief(known), asked.look), lambda: json.languages(found))
    return FOUND


def _show_check(asked: Asked, checked: Sequence[Checked]) -> int:
    rows = [{"sample": one.sample, "symbols": one.symbols, "diff": list(one.diff)} for one in checked]
    asked.show(lambda: "".join(map(_words, checked)), lambda: {"checked": rows})
    return DIFFERS if any(one.diff for one in checked) else FOUND


def _words(one: Checked) -> str:
    if not one.diff:
        return f"{one.sample}: as expected, {one.symbols} symbols\n"
    return f"{one.sample}: not as expected\n" + "".join(f"{line}\n" for line in one.diff)


def check(folder: Path) -> tuple[Checked, ...]:
    """Each sample of a language folder against the outline beside it, by that folder's tables and hooks.

    Raises UsageError for a folder that cannot be read as a language.
    """
    languages = _languages(folder)
    samples = sorted(
        one for one in folder.glob("sample*") if one.suffix not in (".outline", ".pyc") and one.is_file()
    )
    if not samples:
        raise UsageError(
            f"{folder} has no sample", f"write {folder / ('sample' + languages[0].extensions[0])}"
        )
    return tuple(_checked(sample, _of(sample, languages)) for sample in samples)


def _languages(folder: Path) -> tuple[Language, ...]:
    try:
        source = (folder / "language.toml").read_text("utf-8")
    except OSError as error:
        hint = "CONTRIBUTING.md says what a language folder holds"
        raise UsageError(f"no language.toml in {folder}: {error.strerror}", hint) from None
    try:
        found = parse(source, folder.resolve().name)
    except KeyError as error:
        raise UsageError(f"{folder}/language.toml lacks {error}", "every language has it") from None
    except (ValueError, TypeError) as error:  # tomllib's own errors are ValueErrors too
        raise UsageError(
            f"{folder}/language.toml: {error}", "compare it with that of another language"
        ) from None
    if not found[0].grammar or not found[0].extensions:
        raise UsageError(f"{folder}/language.toml names no grammar or no extensions", "a sample needs both")
    return found


def _of(sample: Path, languages: Sequence[Language]) -> Language:
    """The language of a sample: the longest extension that fits, the first language when none does."""
    fitting = [(len(end), one) for one in languages for end in one.extensions if sample.name.endswith(end)]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else languages[0]


def _checked(sample: Path, language: Language) -> Checked:
    from trigpoint.indexing.grammar import compiled
    from trigpoint.indexing.outline import outline_by
    from trigpoint.render.outline import render

    beside = sample.with_suffix(".outline")
    expected = beside.read_text("utf-8") if beside.is_file() else ""
    try:
        _adopt(sample.parent, language)
        found = outline_by(compiled(language), sample.read_bytes())
    except (
        Exception
    ) as error:  # the folder is another's: whatever its tables and hooks do is to be told, not thrown
        cause = f"{type(error).__name__}: {error}"
        raise UsageError(f"{sample.parent} does not work: {cause}", _hint(error, language)) from error
    lines = unified_diff(
        expected.splitlines(),
        render(found).splitlines(),
        beside.name,
        f"what {sample.name} gives",
        "",
        "",
        2,
        "",
    )
    return Checked(sample.name, len(found.symbols), tuple(lines))


def _hint(error: Exception, language: Language) -> str:
    module = language.grammar.partition(":")[0]
    if isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]:
        return f"install the wheel that has {module}"
    return "mend the table or the hook that is named; a node kind that only some dialects have begins with ?"


def _adopt(folder: Path, language: Language) -> None:
    """Let the folder's modules be imported as those of a language that is part of the package."""
    if not language.tables.get("hooks"):
        return
    name = f"trigpoint.languages.{language.folder}"
    place = folder.resolve()
    known = sys.modules.get(name)
    if known is not None and list(known.__path__) == [str(place)]:
        return
    for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
        del sys.modules[loaded]
    start = place / "__init__.py"
    spec = (
        spec_from_file_location(name, start, submodule_search_locations=[str(place)])
        if start.is_file()
        else ModuleSpec(name, None, is_package=True)
    )
    assert spec is not None
    if spec.loader is None:
        spec.submodule_search_locations = [str(place)]
    module = module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)
