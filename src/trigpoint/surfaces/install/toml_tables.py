"""A table of a TOML text put in and taken out; tomlkit keeps comments, order and white space, and each result is checked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

from trigpoint.surfaces.install.jsonc import Malformed


def found(text: str, keys: Sequence[str]) -> Any:
    """The value at the end of a path of names; None when there is none. Raises Malformed."""
    value: Any = _loaded(text)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def put(text: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    """The text with this table at the end of a path of names. Raises Malformed."""
    import tomlkit

    _loaded(text)
    document = tomlkit.parse(text)
    table: Any = document
    for number, key in enumerate(keys[:-1]):
        if key not in table:
            table.add(key, tomlkit.table(is_super_table=True))
        table = table[key]
        if not isinstance(table, MutableMapping):
            raise Malformed(f"{'.'.join(keys[: number + 1])} is no table")
    made = tomlkit.table()
    for name, one in value.items():
        made.add(name, one)
    if keys[0] in document and list(document)[-1] != keys[0]:
        made.add(tomlkit.nl())  # something follows
    table[keys[-1]] = made
    return _checked(text, _like(text, tomlkit.dumps(document)), keys, dict(value))


def drop(text: str, keys: Sequence[str]) -> str:
    """The text without the table at this path; the same text when there is none. Raises Malformed."""
    import tomlkit

    if found(text, keys) is None:
        return text
    document = tomlkit.parse(text)
    table: Any = document
    for key in keys[:-1]:
        table = table[key]
    del table[keys[-1]]
    return _checked(text, _like(text, tomlkit.dumps(document)), keys, None)


def _loaded(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise Malformed(str(error)) from error


def _like(before: str, after: str) -> str:
    """With the line ends that the text had."""
    return after.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in before else after


def _checked(before: str, after: str, keys: Sequence[str], value: dict[str, Any] | None) -> str:
    """The result, unless anything but our table differs in it."""
    wanted, real = _loaded(before), _loaded(after)
    if _cut_out(real, keys) != value or _filled(wanted, keys) != _filled(real, keys):
        raise Malformed("it is written in a way that cannot be edited safely")
    return after


def _cut_out(tree: dict[str, Any], keys: Sequence[str]) -> Any:
    for key in keys[:-1]:
        tree = tree.get(key, {})
    return tree.pop(keys[-1], None)


def _filled(tree: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Without our table, and without the tables on the way to it where they are empty."""
    _cut_out(tree, keys)
    if len(keys) > 1 and not tree.get(keys[0]):
        tree.pop(keys[0], None)
    return tree
