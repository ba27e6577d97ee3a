"""Build files in JSON, TOML and INI: rules on key paths say what a key is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from trigpoint.model import Import, Outline, Symbol


class Rule(NamedTuple):
    """What the keys of a form are: their kind, and what they bring in.

    ``names`` takes the symbol's name from the value; ``brings`` is "key" or "value" for a package, "path" for a path that
    the value gives, "call" for a "module:function". ``each`` reads every string of the value, one a line of a list.
    """

    key: re.Pattern[str]
    kind: str
    brings: str = ""
    names: bool = False
    each: bool = False


def _rule(key: str, kind: str, brings: str = "", *, names: bool = False, each: bool = False) -> Rule:
    return Rule(re.compile(rf"{key}\Z"), kind, brings, names, each)


NPM = (
    _rule("name", "package", names=True),
    _rule(r"(?:dev|peer|optional|bundled?)?[dD]ependencies\..+", "dependency", "key"),
    _rule(r"scripts\..+", "script"),
    _rule(r"main|module|browser|types|typings|unpkg|bin|bin\..+", "entry", "path"),
    _rule(r"exports\..+", "entry", "path"),
    _rule(r"workspaces", "key", "path", each=True),
)
COMPOSER = (
    _rule("name", "package", names=True),
    _rule(r"require(?:-dev)?\.(?!php\Z|ext-).+", "dependency", "key"),
    _rule(r"scripts\..+", "script"),
    _rule(r"bin", "entry", "path", each=True),
)
TSCONFIG = (
    _rule("extends", "key", "path"),
    _rule(r"references", "key", "path", each=True),
    _rule(r"files", "key", "path", each=True),
    _rule(r"compilerOptions\.paths\..+", "alias"),
)
CARGO = (
    _rule(r"package\.name", "package", names=True),
    _rule(r"(?:workspace\.|target\.[^.]+\.)?(?:dev-|build-)?dependencies\.[^.]+", "dependency", "key"),
    _rule(r"(?:lib|bin|example|test|bench)\.name", "entry", names=True),
    _rule(r"(?:lib|bin|example|test|bench)\.path|package\.build", "key", "path"),
    _rule(r"workspace\.members", "key", "path", each=True),
    _rule(r"features\..+", "feature"),
)
_PYTHON_NEED = r"[A-Za-z0-9][\w.-]*"
PYPROJECT = (
    _rule(r"(?:project|tool\.poetry)\.name", "package", names=True),
    _rule(r"project\.dependencies|build-system\.requires", "key", "value", each=True),
    _rule(r"project\.optional-dependencies\..+|dependency-groups\..+", "extra", "value", each=True),
    _rule(r"tool\.poetry(?:\.group\.[^.]+)?\.(?:dev-)?dependencies\.(?!python\Z).+", "dependency", "key"),
    _rule(r"(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)\..+", "entry", "call"),
)
SETUP = (
    _rule(r"metadata\.name", "package", names=True),
    _rule(r"options\.(?:install|setup|tests)_requires?", "key", "value", each=True),
    _rule(r"options\.extras_require\..+", "extra", "value", each=True),
)

_VALUE = re.compile(r"""^[^:=]*[:=]\s*(?:\{[^}]*?\b(?:path|name)\s*[:=]\s*)?["']?([^"',}\]]+)""")
_STRINGS = re.compile(r""""([^"\n]+)"|'([^'\n]+)'""")
_NEED = re.compile(rf"\s*({_PYTHON_NEED})")
_LOCAL = re.compile(r"""\bpath\s*=\s*["']([^"'\n]+)""")
MOST = 400
"""Most packages of one file that are read out of lists."""


def outline(text: str, base: Callable[[str], Outline], rules: Sequence[Rule]) -> Outline:
    """The keys of a file with the kinds that the rules give, and what they bring in."""
    found = base(text)
    rows = text.split("\n")
    symbols: list[Symbol] = []
    imports: list[Import] = list(found.imports)
    for index, symbol in enumerate(found.symbols):
        key = _bare(symbol.qualified)
        rule = next((one for one in rules if one.key.match(key)), None)
        symbols.append(symbol if rule is None else _told(symbol, rule, rows))
        if rule is not None and rule.brings and len(imports) < MOST:
            imports += _brought(symbol, rule, rows, index)
    return found._replace(symbols=tuple(symbols), imports=tuple(imports[:MOST]))


def _bare(qualified: str) -> str:
    return qualified.replace('"', "").replace("'", "")


def _told(symbol: Symbol, rule: Rule, rows: Sequence[str]) -> Symbol:
    """The symbol with its kind, and the name that its value gives."""
    value = _VALUE.match(_from_key(symbol, rows)) if rule.names else None
    if value is None or not value[1].strip():
        return symbol._replace(kind=rule.kind)
    name = value[1].strip()[:120]
    before = value.string[: value.start(1)].encode("utf-8", "surrogatepass")
    return symbol._replace(
        kind=rule.kind, name=name, qualified=name, name_column=symbol.name_column + len(before)
    )


def _from_key(symbol: Symbol, rows: Sequence[str]) -> str:
    """The line of a key from the key on: several may stand on one line."""
    row = rows[symbol.name_line - 1]
    if row.isascii():
        return row[symbol.name_column :]
    return row.encode("utf-8", "surrogatepass")[symbol.name_column :].decode("utf-8", "replace")


def _brought(symbol: Symbol, rule: Rule, rows: Sequence[str], scope: int) -> Iterator[Import]:
    if rule.each:
        yield from _listed(symbol, rule, rows, scope)
        return
    line = symbol.name_line
    row = _from_key(symbol, rows)
    if rule.brings == "key":
        yield Import(symbol.name, "", "", line, scope, "dependency")
        if local := _LOCAL.search(row):  # a package that lies in the tree
            yield Import(local[1], "", "", line, scope, "include")
        return
    value = _VALUE.match(row)
    if value is None or "{" in value[1]:
        return
    if rule.brings == "call":
        module, _, name = value[1].strip().partition(":")
        yield Import(module.strip(), name.strip().partition(".")[0], "", line, scope, "entry")
    else:
        yield Import(value[1].strip(), "", "", line, scope, "include")


def _listed(symbol: Symbol, rule: Rule, rows: Sequence[str], scope: int) -> Iterator[Import]:
    """Each string of a list; in INI each line of the value."""
    for number in range(symbol.name_line, symbol.end + 1):
        row = rows[number - 1]
        row = row.partition("=")[2] if number == symbol.name_line and "=" in row else row
        strings = [one[0] or one[1] for one in _STRINGS.findall(row)]
        if not strings and '"' not in row and number > symbol.name_line and rule.brings == "value":
            strings = [row.strip()]
        for value in strings:
            if rule.brings == "path":
                if value not in ("path", symbol.name):
                    yield Import(value, "", "", number, scope, "include")
            elif need := _NEED.match(value):
                yield Import(need[1], "", "", number, scope, "dependency")
