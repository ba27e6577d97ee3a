"""Targets become changes of files, worked out whole before the first byte is written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from trigpoint.errors import ConfigError
from trigpoint.surfaces.install import record
from trigpoint.surfaces.install.clients import Target
from trigpoint.surfaces.install.jsonc import Malformed
from trigpoint.surfaces.install.record import Put

Result = TypeVar("Result")


class Change(NamedTuple):
    """What happens to one file for one client."""

    client: str
    what: str
    path: Path
    how: str  # created, changed, unchanged; restored, removed, deleted, kept
    before: bytes | None = None
    after: bytes | None = None


class Plan(NamedTuple):
    """All changes of a run, and what is remembered of them."""

    changes: tuple[Change, ...]
    puts: dict[str, Put]


class _Files:
    """The files as they are in the middle of a run."""

    def __init__(self, puts: dict[str, Put]) -> None:
        self.puts = dict(puts)
        self.now: dict[Path, bytes | None] = {}

    def read(self, path: Path) -> bytes | None:
        if path not in self.now:
            self.now[path] = bytes_of(path)
        return self.now[path]


def install(targets: Sequence[Target], scope: str, puts: dict[str, Put]) -> Plan:
    """Every target put in. Raises ConfigError for a file that cannot be understood."""
    files = _Files(puts)
    return Plan(tuple(_install(one, f"{one.client}:{scope}", files) for one in targets), files.puts)


def _install(target: Target, owner: str, files: _Files) -> Change:
    path = real(target.path)
    now, put = files.read(path), files.puts.get(str(path))
    owners = tuple(dict.fromkeys((*(put.owners if put else ()), owner)))
    if now is not None and _tried(target, lambda: target.edit.there(_text(target, now))):
        if put is not None:
            files.puts[str(path)] = put._replace(owners=owners)
        return Change(target.client, target.what, path, "unchanged", now, now)
    base = now
    folders: tuple[str, ...] = ()
    if put is not None and now is not None:
        same = record.digest(now) == put.after
        base = record.undone(put, now) if same else _removed(target, now)
        folders = put.folders
    text = "" if base is None else _text(target, base)
    after = _tried(target, lambda: target.edit.added(text)).encode()
    made = record.put(path, owners, base, after)
    files.puts[str(path)] = made._replace(folders=made.folders or folders)
    files.now[path] = after
    return Change(target.client, target.what, path, "created" if now is None else "changed", now, after)


def uninstall(targets: Sequence[Target], scope: str, puts: dict[str, Put]) -> Plan:
    """Every target taken out: the bytes as they were, or only what is ours where somebody has edited the file since.

    Raises ConfigError for a file that cannot be understood.
    """
    files = _Files(puts)
    found = (_uninstall(one, f"{one.client}:{scope}", files) for one in targets)
    return Plan(tuple(one for one in found if one is not None), files.puts)


def _uninstall(target: Target, owner: str, files: _Files) -> Change | None:
    path = real(target.path)
    now, put = files.read(path), files.puts.get(str(path))
    if put is not None and set(put.owners) - {owner}:
        if owner not in put.owners:
            return None
        files.puts[str(path)] = put._replace(owners=tuple(one for one in put.owners if one != owner))
        return Change(target.client, target.what, path, "kept", now, now)
    files.puts.pop(str(path), None)
    if now is None:
        return None
    if put is not None and record.digest(now) == put.after:
        after, how = record.undone(put, now), "restored"
    else:
        after, how = _removed(target, now), "removed"
        if after == now:
            return None
    files.now[path] = after
    return Change(target.client, target.what, path, "deleted" if after is None else how, now, after)


def _removed(target: Target, now: bytes) -> bytes | None:
    left = _tried(target, lambda: target.edit.removed(_text(target, now)))
    return None if left is None else left.encode()


def apply(plan: Plan, memory: Path, former: dict[str, Put]) -> None:
    """Write the changes and the record; when one file cannot be written, those before it are put back.

    Raises ConfigError then.
    """
    done: list[Change] = []
    wanted = [one for one in plan.changes if one.before != one.after]
    remembered = Change("", "", memory, "", bytes_of(memory), record.written(plan.puts))
    try:
        for change in (*wanted, *[remembered][: remembered.before != remembered.after]):
            done.append(change)
            write(change.path, change.after, private=change is remembered)
    except OSError as error:
        for change in reversed(done):
            with suppress(OSError):
                write(change.path, change.before)
        raise ConfigError(
            f"{change.path} cannot be written: {error.strerror}",
            "nothing was changed; check who may write it",
        ) from error
    for change in wanted:
        put = former.get(str(change.path))
        if change.after is None and put is not None:
            record.remove_folders(put.folders)
    if not plan.puts:
        record.remove_folders([str(memory.parent)])


def write(path: Path, data: bytes | None, *, private: bool = False) -> None:
    """Replace a file at once, with the rights it had, a new one with the usual; None removes it. Raises OSError."""
    if data is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o600 if private else mode or 0o666 & ~_umask())
        os.replace(name, path)
    except OSError:
        with suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def real(path: Path) -> Path:
    """Through links, which stay: dotfiles are often kept elsewhere."""
    return Path(os.path.realpath(path))


def bytes_of(path: Path) -> bytes | None:
    """The file, None when there is none. Raises ConfigError when it cannot be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", "nothing was changed") from error


def _text(target: Target, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _refused(target, "it is not UTF-8") from error


def _tried(target: Target, work: Callable[[], Result]) -> Result:
    try:
        return work()
    except Malformed as error:
        raise _refused(target, str(error)) from error


def _refused(target: Target, why: str) -> ConfigError:
    return ConfigError(
        f"{target.path} cannot be edited: {why}",
        "nothing was changed, in no file; mend it, or leave this client out",
    )


def owners(puts: dict[str, Put], scope: str) -> Iterator[str]:
    """The clients that something was put in for."""
    for put in puts.values():
        for owner in put.owners:
            client, _, kind = owner.partition(":")
            if kind == scope:
                yield client
