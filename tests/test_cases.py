"""Every shared hard input, played through the front door. Skipped where the cases are not beside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import cases_provider
import cases_runner as runner
import cases_says_asked
import cases_says_mcp
import cases_says_walks
import cases_says_watch
from cases_deeds import DEEDS
from cases_says import INSTEAD, SAYS

ALL = runner.cases()

assert cases_says_asked.says and cases_says_mcp.says and cases_says_walks.says and cases_says_watch.says, (
    "imported for what it puts in the tables"
)

if not ALL:
    pytest.skip(f"no shared cases in {runner.CASES}", allow_module_level=True)

WAITING = [(case, step, issue) for case in ALL for step, issue in case.waiting()]


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[runner.Trig]:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    trig = runner.Trig(tmp_path / "x")  # the name that the queries of security-traversal use
    yield trig
    if trig.watching is not None:
        assert trig.watching.stop() == 0
    subprocess.run(["chmod", "-R", "u+rwX", str(tmp_path)], check=False, stderr=subprocess.DEVNULL)


SET_UP = frozenset({"index", "update", "shell"})
"""Steps that ask nothing: a case of these alone waits as a whole."""

PLAYED = [case for case in ALL if any(step.action not in SET_UP for step in case.playable())]


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.id)
def test_case(case: runner.Case, trig: runner.Trig) -> None:
    needs = " ".join(case.raw.get("needs", ()))
    if "git" in needs and not shutil.which("git"):
        pytest.skip("this case needs git")
    if "unprivileged" in needs and os.geteuid() == 0:
        trig.through = without_the_rights_of_root()
    case.build(trig.root)
    problems = [
        f"step {step.number} {step.action}: {words}"
        for step in case.playable()
        for words in played(case, step, trig)
    ]
    assert not problems, "\n" + "\n".join(problems)


def without_the_rights_of_root() -> tuple[str, ...]:
    """A command under which file permissions bind root like any user."""
    command = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    if not shutil.which("setpriv") or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("this case needs an unprivileged user, and there is no setpriv")
    return command


def played(case: runner.Case, step: runner.Step, trig: runner.Trig) -> Iterator[str]:
    """Play one step and say what is wrong with it."""
    key = (case.id, step.number)
    if step.action in ("do", "compare") and key not in DEEDS:
        yield "nobody has written how to do this"
        return
    play = DEEDS.get(key, runner.ACTIONS[step.action])
    with cases_provider.provided(trig, step):
        yield from judged(key, step, trig, play(trig, step))


def judged(
    key: tuple[str, int], step: runner.Step, trig: runner.Trig, answer: runner.Answer
) -> Iterator[str]:
    """What is wrong with the answer to a step."""
    yield from runner.failures(step, answer) if key not in INSTEAD else ()
    yield from runner.missed(trig, step, answer) if key not in INSTEAD else ()
    yield from runner.unwanted(step, answer)
    yield from runner.files(trig, step)
    yield from INSTEAD.get(key, SAYS.get(key, lambda trig, answer: iter(())))(trig, answer)


def test_every_demand_in_words_is_checked_by_hand() -> None:
    demanding = {(case.id, step.number) for case in ALL for step in case.playable() if step.raw.get("says")}
    written = {*SAYS, *INSTEAD, *DEEDS}
    assert demanding <= written, sorted(demanding - written)


@pytest.mark.parametrize(
    ("step", "issue"),
    [pytest.param(step, issue, id=f"{case.id}-{step.number}-{step.action}") for case, step, issue in WAITING],
)
def test_step_that_waits(step: runner.Step, issue: str) -> None:
    pytest.skip(f"needs a later issue: {issue}")
