"""`trig install` and `trig uninstall`: which clients are meant, what changes, and what is said of it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trigpoint import config
from trigpoint.errors import UsageError
from trigpoint.render import install as render
from trigpoint.surfaces.cli import FOUND, NOTHING
from trigpoint.surfaces.install import changes, record
from trigpoint.surfaces.install.clients import CLIENTS, Launch, Places, Target, detected, targets

if TYPE_CHECKING:
    from trigpoint.surfaces.cli import Asked

MEMORY = "installed.json"
"""Beside the user's settings, which survive the removal of a cache."""


class _Run(NamedTuple):
    """What a command line means here."""

    asked: Asked
    project: bool
    places: Places
    memory: Path
    puts: dict[str, record.Put]

    @property
    def scope(self) -> str:
        return "project" if self.project else "user"

    @classmethod
    def of(cls, asked: Asked) -> _Run:
        request = asked.request
        if request.project and request.user:
            raise UsageError("--project and --user cannot be given together", "leave one out")
        home = Path(os.environ.get("HOME") or Path.home())
        places = Places(home, asked.settings.root.absolute(), sys.platform, os.environ)
        memory = config.user_file(MEMORY)
        return cls(asked, request.project, places, memory, record.load(memory))

    def targets(self, names: Sequence[str], launch: Launch, *, hooks: bool) -> list[Target]:
        return [
            one
            for name in names
            for one in targets(CLIENTS[name], self.places, launch, project=self.project, hooks=hooks)
        ]


def install(asked: Asked) -> int:
    """Put our entry and the rules where the clients read them."""
    run, request = _Run.of(asked), asked.request
    names = list(dict.fromkeys(request.clients)) or list(detected(run.places, shutil.which))
    notes = list(_left_out(names, run, named=bool(request.clients)))
    names = [name for name in names if not run.project or CLIENTS[name].project]
    launch, note = _launch(run.project)
    plan = changes.install(run.targets(names, launch, hooks=request.hooks), run.scope, run.puts)
    notes += [note] if note and names else []
    if not names:
        notes.append(f"no client was found; --client names one of: {', '.join(CLIENTS)}")
    return _finish(run, plan, notes)


def uninstall(asked: Asked) -> int:
    """Take them out again."""
    run = _Run.of(asked)
    launch, _ = _launch(run.project)
    names = list(dict.fromkeys(asked.request.clients)) or list(_ours(run, launch))
    plan = changes.uninstall(run.targets(names, launch, hooks=True), run.scope, run.puts)
    return _finish(run, plan, [] if plan.changes else ["nothing of ours was found"])


def _finish(run: _Run, plan: changes.Plan, notes: Sequence[str]) -> int:
    dry = run.asked.request.dry_run
    if not dry and plan.changes:
        changes.apply(plan, run.memory, run.puts)
    shown = [
        render.Shown(one.client, one.what, str(one.path), one.how, one.before, one.after)
        for one in plan.changes
    ]
    run.asked.show(
        lambda: render.text(shown, notes, dry=dry),
        lambda: render.rows(shown, notes, run.scope, dry=dry),
    )
    return FOUND if plan.changes else NOTHING


def _left_out(names: Sequence[str], run: _Run, *, named: bool) -> list[str]:
    """Clients that a project has no configuration for. Raises UsageError when one was named."""
    without = [name for name in names if run.project and not CLIENTS[name].project]
    if without and named:
        raise UsageError(
            f"{CLIENTS[without[0]].title} has no configuration of a project", "leave --project out"
        )
    return [f"{name} has no configuration of a project: left out" for name in without]


def _launch(project: bool) -> tuple[Launch, str]:
    """How a client is to start us: by name in a file that is shared, else by the full path, for clients started from a
    desktop do not see the path of a shell.
    """
    found = shutil.which("trig")
    if project:
        return Launch(
            "trig"
        ), "" if found else "trig is not on the path of this shell, and the entry needs it there"
    beside = Path(sys.executable).with_name("trig.exe" if sys.platform == "win32" else "trig")
    if beside.exists():
        return Launch(str(beside)), ""
    return (Launch(found), "") if found else (Launch(sys.executable, ("-m", "trigpoint")), "")


def _ours(run: _Run, launch: Launch) -> list[str]:
    """The clients that something was put in for, by the record or by our name in their files."""
    known = set(changes.owners(run.puts, run.scope))
    return [name for name in CLIENTS if name in known or _names_us(run.targets([name], launch, hooks=True))]


def _names_us(wanted: Sequence[Target]) -> bool:
    return any(b"trigpoint" in (changes.bytes_of(one.path) or b"") for one in wanted)
