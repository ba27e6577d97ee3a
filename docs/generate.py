"""Writes the generated pages: docs/cli.md from operations.py, docs/languages.md from the registry. `make docs` runs it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from trigpoint.config import SETTINGS, Setting
from trigpoint.languages import matrix
from trigpoint.operations import OPERATIONS, Operation
from trigpoint.render.matrix import rows
from trigpoint.surfaces.parser import build

HERE = Path(__file__).parent
MADE = "<!-- Made by docs/generate.py; a test compares it. Change the source, then `make docs`. -->\n\n"

EXIT = """\
Standard output holds answers only; progress, notes and errors go to standard error. Exit status: 0 found, 1 nothing found,
2 could not answer, 130 interrupted. A reader that closes the pipe early is success.

On a terminal, results are grouped by file; piped, each is one line, `path:line:text`. `--json` and `--jsonl` are described in
[json.md](json.md). Control characters of files and of their names are written out (`\\x1b`), never sent to the terminal.

"""


def cli() -> str:
    """The page of the command line."""
    overview = "".join(
        f"- [`trig {name}`](#trig-{name}): {one.summary}\n" for name, one in OPERATIONS.items()
    )
    commands = "".join(_command(one) for one in OPERATIONS.values())
    return f"# The command line\n\n{MADE}{EXIT}{overview}\n{commands}{_shared()}{_settings()}"


def _command(operation: Operation) -> str:
    own = [action for action in build(operation)._actions if action.dest not in _SHARED]
    table = "".join(_row(action) for action in own)
    head = "| argument | meaning |\n| --- | --- |\n" if table else ""
    return (
        f"## trig {operation.name}\n\n{operation.summary} Example: `{operation.example}`\n\n{head}{table}\n".rstrip()
        + "\n\n"
    )


_SHARED = ("help", "root", "format", "color", "index_dir", "set")


def _row(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings)
    value = "|".join(action.choices) if action.choices else action.metavar or ""
    value = "" if action.nargs == 0 else str(value)
    shown = f"{names} {value}".strip().replace("|", "\\|")
    return f"| `{shown}` | {action.help} |\n"


def _shared() -> str:
    actions = [action for action in build(OPERATIONS["config"])._actions if action.dest in _SHARED[1:]]
    return (
        "## For every command\n\n| argument | meaning |\n| --- | --- |\n" + "".join(map(_row, actions)) + "\n"
    )


def _settings() -> str:
    head = (
        "## Settings\n\nHighest first: flag, environment, `trigpoint.toml` or `[tool.trigpoint]` of the project, "
        "`trigpoint.toml` in the user's\nconfiguration folder, default. `trig config` prints each value and where it came from. "
        "An unknown name is an error.\n\n| setting | environment | default | meaning |\n| --- | --- | --- | --- |\n"
    )
    return head + "".join(map(_setting, SETTINGS))


def _setting(setting: Setting) -> str:
    default = f"`{str(setting.default).lower() if isinstance(setting.default, bool) else setting.default}`"
    words = setting.words + (f": {', '.join(setting.choices)}" if setting.choices else "")
    closed = "" if "project" in setting.places else "; not in a project file"
    return f"| `{setting.key}` | `{setting.variable}` | {default if setting.default != '' else ''} | {words}{closed} |\n"


def languages() -> str:
    """The capability matrix."""
    found = rows(matrix())
    columns = list(found[0])
    lines = [columns, ["---"] * len(columns), *([_cell(row[column]) for column in columns] for row in found)]
    return "# Languages\n\n" + MADE + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return " ".join(f"`{item}`" for item in value) if isinstance(value, list) else str(value)


PAGES: dict[str, Callable[[], str]] = {"cli.md": cli, "languages.md": languages}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page())
