"""The command line as a grammar: one argparse parser a command, made from its request in operations.py."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from trigpoint.config import SETTINGS
from trigpoint.errors import UsageError
from trigpoint.operations import OPERATIONS, Field, Operation
from trigpoint.requests import Request


class Parsed(NamedTuple):
    """A command line, understood: what is asked, and how the answer is wanted."""

    operation: Operation
    request: Request
    settings: dict[str, Any]  # keys of Settings that flags gave
    root: str | None
    format: str  # text, json, jsonl
    explain: bool
    queries: str | None


_BATCHES = {"search", "callers", "callees", "deps", "impact"}
"""Commands that answer a file of questions, each with an id and a query."""

_SOMETIMES = {"impact": {"diff": "HEAD"}, "context": {"diff": "HEAD"}, "mcp": {"http": "8765"}}
"""Flags that may stand without a value, and the value that they then have."""

_OMITTED = {"tree": {"first", "second"}, "context": {"query"}}
"""Words that may be left out."""

_NO_PROJECT = {"languages"}
"""Commands that are about no project; all others take it as their last word, or as --root."""

_INSTEAD = ("queries", "diff")
"""Flags that say what is asked about, so that the only word is the project."""


class _Parser(argparse.ArgumentParser):
    helping = False

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Each argument that is added asks for a formatter, and one without a width asks the terminal for its size."""
        return super()._get_formatter() if self.helping else argparse.HelpFormatter(self.prog, width=100)

    def format_help(self) -> str:
        """As wide as the terminal."""
        self.helping = True
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        hint = f"`{self.prog} --help` shows how it is used"
        if "expected one argument" in message or "unrecognized arguments: -" in message:
            hint += "; write -- before a text that begins with -"
        raise UsageError(message, hint)


def build(operation: Operation) -> argparse.ArgumentParser:
    """The parser of one command."""
    parser = _Parser(
        prog=f"trig {operation.name}",
        description=operation.summary,
        epilog=f"Example: {operation.example}",
        allow_abbrev=False,
    )
    for item in operation.fields():
        _add(parser, item, optional=_is_optional(operation.name, item.name))
    for name, value in _SOMETIMES.get(operation.name, {}).items():
        _let_stand_alone(parser, name, value)
    if operation.name not in _NO_PROJECT:
        parser.add_argument("folder", nargs="?", metavar="PATH", help="the project: exactly this folder")
    if operation.name in _BATCHES:
        parser.add_argument(
            "--queries", metavar="FILE", help='answer each line of a file: {"id": …, "query": …}'
        )
    if operation.name == "search":
        parser.add_argument("--explain", action="store_true", help="show the plan and every reason")
    _add_shared(parser)
    return parser


def _is_optional(command: str, word: str) -> bool:
    return command in _BATCHES or word in _OMITTED.get(command, ())


def _add(parser: argparse.ArgumentParser, item: Field, *, optional: bool) -> None:
    argument = item.argument
    if argument.positional:
        parser.add_argument(
            item.name,
            metavar=argument.metavar,
            help=_words(item),
            nargs="?" if optional else None,
            default=item.default,
        )
        return
    flag = "--" + (argument.flag or item.name).replace("_", "-")
    if item.type == "bool":
        action, no = ("store_false", "do not ") if item.default else ("store_true", "")
        parser.add_argument(flag, dest=item.name, action=action, help=no + _words(item))
        return
    kind = int if item.type.startswith("int") else str
    parser.add_argument(
        flag,
        dest=item.name,
        metavar=argument.metavar or None,
        type=kind,
        choices=argument.choices or None,
        action="append" if item.type.startswith("tuple") else "store",
        help=_words(item),
    )
    parser.set_defaults(**{item.name: None if item.type.startswith("tuple") else item.default})


def _let_stand_alone(parser: argparse.ArgumentParser, name: str, value: str) -> None:
    action = next(action for action in parser._actions if action.dest == name)
    action.nargs, action.const = "?", value


def _words(item: Field) -> str:
    """The help of a field, with what stands in for it."""
    argument = item.argument
    if argument.setting:
        default = next(row.default for row in SETTINGS if row.key == argument.setting)
        return f"{argument.words} (setting {argument.setting}, {default})"
    return f"{argument.words} ({item.default})" if item.type == "int" else argument.words


def _add_shared(parser: argparse.ArgumentParser) -> None:
    shared = parser.add_argument_group("for every command")
    if "--root" not in parser._option_string_actions:  # one command takes several
        shared.add_argument(
            "--root", metavar="DIR", help="the project (else the one around the current folder)"
        )
    shared.add_argument("--json", dest="format", action="store_const", const="json", help="one JSON object")
    shared.add_argument(
        "--jsonl", dest="format", action="store_const", const="jsonl", help="one JSON object a line"
    )
    shared.add_argument("--color", choices=("auto", "always", "never"), help="colours (setting color, auto)")
    shared.add_argument("--index-dir", metavar="DIR", help="where the index lies (setting index.dir)")
    shared.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="any setting, see trig config"
    )
    parser.set_defaults(format="text", queries=None, explain=False, folder=None, root=None)


def _commands(word: str) -> str:
    import difflib  # only for people who mistyped

    close = difflib.get_close_matches(word, OPERATIONS, n=1)
    meant = f"did you mean trig {close[0]}? " if close else ""
    return f"{meant}commands: {', '.join(OPERATIONS)}"


def parse(argv: Sequence[str]) -> Parsed:
    """What a command line asks for. ``--help`` prints and exits as argparse does.

    Raises UsageError for an unknown command, flag or value.
    """
    operation = OPERATIONS.get(argv[0])
    if operation is None:
        raise UsageError(f"there is no command {argv[0]!r}", _commands(argv[0]))
    args = build(operation).parse_intermixed_args(_literal(argv[1:]))
    _take_project(operation, args)
    if args.root is not None and args.folder is not None:
        raise UsageError("the project is given twice: PATH and --root", "leave one out")
    values = {item.name: _value(item, args) for item in operation.fields()}
    return Parsed(
        operation=operation,
        request=operation.ask(**values),
        settings=_settings(operation, args),
        root=args.root if args.folder is None else args.folder.removeprefix(_PLAIN),
        format=args.format,
        explain=args.explain,
        queries=args.queries,
    )


def _take_project(operation: Operation, args: argparse.Namespace) -> None:
    """Where a flag says what is asked about, the word that would say so otherwise is the project."""
    asked = next((item.name for item in operation.fields() if item.argument.positional), "")
    given = operation.name in _BATCHES and any(getattr(args, flag, None) is not None for flag in _INSTEAD)
    if given and asked and getattr(args, asked) and args.folder is None:
        args.folder = getattr(args, asked)
        setattr(args, asked, "")


_PLAIN = "\0"  # stands before a word that argparse must not take for a flag; no word can hold it


def _literal(words: Sequence[str]) -> list[str]:
    """The words, with ``--`` carried out: argparse cannot do that between intermixed flags and words."""
    if "--" not in words:
        return list(words)
    at = list(words).index("--")
    return [*words[:at], *(_PLAIN + word for word in words[at + 1 :])]


def _value(item: Field, args: argparse.Namespace) -> Any:
    value = getattr(args, item.name)
    if item.type.startswith("tuple"):
        return tuple(value or ())
    return value.removeprefix(_PLAIN) if isinstance(value, str) else value


def _settings(operation: Operation, args: argparse.Namespace) -> dict[str, Any]:
    """The settings that flags give: by --set, by a flag of their own, or by a field of the request."""
    given: dict[str, Any] = {}
    for pair in args.set:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set needs KEY=VALUE, not {pair!r}", "for example --set search.limit=5")
        given[key] = value
    own = {"color": args.color, "index.dir": args.index_dir}
    for item in operation.fields():
        if item.argument.setting:
            own[item.argument.setting] = getattr(args, item.name)
    return given | {key: value for key, value in own.items() if value is not None}


_GROUPS: dict[str, str] = {
    "ask": "context search symbol outline read map",
    "structure": "callers callees deps impact path graph edges",
    "index": "index status watch tree export import doctor clean",
    "set up": "mcp install uninstall stats config languages bench",
}
"""What `trig --help` shows under which word; a test finds every command in one group."""

_SHOWN = ("search", "symbol", "callers", "impact", "map", "status")
"""The commands that the first page explains: one for each kind of question."""


def overview() -> str:
    """`trig --help`: every command on one screen, the most asked ones in words."""
    groups = "".join(f"  {word:<10} {', '.join(names.split())}\n" for word, names in _GROUPS.items())
    shown = "".join(f"  {name:<10} {OPERATIONS[name].summary}\n" for name in _SHOWN)
    return (
        "trig: finds the code that answers a question; usage: trig COMMAND [ARGUMENTS]\n\n"
        f"{shown}\n"
        f"all commands\n{groups}\n"
        '  trig search "who retries a failed upload"     the index is made and kept fresh by itself\n'
        "  trig COMMAND --help                            all about one command; trig --version\n"
        "exit status: 0 found, 1 nothing found, 2 could not answer\n"
    )
