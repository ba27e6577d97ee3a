"""Steps of the shared cases that are told in words: kill the indexer, let two of them run, take the right to write.

Each deed plays its step and says what is wrong in AssertionErrors; its answer has what the general checks look at.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from cases_runner import Answer, Case, Ran, Step, Trig
from moments import hears_ctrl_c, until_it_writes

Deed = Callable[[Trig, Step], Answer]

DEEDS: dict[tuple[str, int], Deed] = {}
"""How to do a step, by case and number."""


def deed(case: str, *steps: int) -> Callable[[Deed], Deed]:
    """Put a deed in its table."""

    def put(done: Deed) -> Deed:
        DEEDS.update({(case, step): done for step in steps})
        return done

    return put


def contents(folder: Path) -> list[tuple[object, ...]]:
    """All that an index holds, without its numbers: equal for equal trees."""
    from trigpoint.stores.local import open_local

    snapshot = open_local(folder).snapshot()
    try:
        rows = list(snapshot.files())
        found: list[tuple[object, ...]] = [
            ("file", row.path, row.language, row.digest, row.lines, row.outcome, tuple(sorted(row.marks)))
            for row in rows
        ]
        for row in rows:
            found += [("symbol", row.path, stored.symbol) for stored in snapshot.symbols_of(row.path)]
            found += [("chunk", row.path, stored.chunk) for stored in snapshot.chunks_of(row.path)]
        found += [("edge", *edge) for edge in snapshot.edges()]
        return sorted(found, key=repr)
    finally:
        snapshot.close()


def index_of(trig: Trig) -> Path:
    """The folder of the index of a project."""
    return Path(trig.ask("status", "--json").json["index"])


@lru_cache(maxsize=1)
def clean_units(tree: Path) -> list[tuple[object, ...]]:
    """What a clean index of the tree of durable-kill holds; durable-two-writers has the same tree."""
    return clean(tree)


def clean(tree: Path) -> list[tuple[object, ...]]:
    """What a clean index of this tree holds."""
    folder = tree.with_name("clean-index")
    ran = Trig(tree).ask("index", "--index-dir", str(folder))
    assert ran.status == 0, ran
    return contents(folder)


def tell_apart(one: list[tuple[object, ...]], other: list[tuple[object, ...]]) -> None:
    """Say how two indexes differ, in a few lines."""
    left, right = set(map(repr, one)), set(map(repr, other))
    assert len(left) == len(one), f"{len(one) - len(left)} duplicates"
    assert one == other, (
        f"only here: {sorted(left - right)[:5]}, only in a clean index: {sorted(right - left)[:5]}"
    )


# killed at any moment


@deed("durable-kill", 1)
def kill_the_indexer(trig: Trig, step: Step) -> Answer:
    """One index is killed again and again: a kill in the middle of a resumed run makes no difference."""
    for seconds, how in (
        (0.2, signal.SIGKILL),
        (1.0, signal.SIGKILL),
        (1.0, signal.SIGINT),
        (2.0, signal.SIGKILL),
    ):
        running = subprocess.Popen(
            trig.line("index"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=hears_ctrl_c,
        )
        time.sleep(seconds)
        if how == signal.SIGINT:  # before that, nobody is there who would say something
            until_it_writes(running, trig.root.parent)
        over = running.poll() is not None
        running.send_signal(how)
        _, err = running.communicate(timeout=60)
        over = over or running.returncode == 0  # it ended while we looked
        assert over or running.returncode in (-how, 130), (how, running.returncode, err)
        assert b"Traceback" not in err, err.decode()
        after_a_kill(trig, over=over)
    return Answer()


def after_a_kill(trig: Trig, *, over: bool) -> None:
    """The index says that it is not whole, and answers from what is there or says that nothing is."""
    status = trig.ask("status", "--json")
    assert over or status.json["state"] in ("absent", "stale"), status
    found = trig.ask("search", "--json", "--no-update", literal=("adds to the table",))
    assert found.status in (0, 1) or (found.status == 2 and "is not indexed" in found.err), found


@deed("durable-kill", 2)
@deed("durable-kill", 3)
def done_already(trig: Trig, step: Step) -> Answer:
    """Asked after each kill."""
    return Answer()


@deed("durable-kill", 4)
def finish(trig: Trig, step: Step) -> Answer:
    ran = trig.ask("index", "--json")
    assert ran.status == 0 and ran.json["symbols"] == 2000, ran
    assert trig.ask("status", "--json").json["state"] == "ready"
    return Answer([ran], [[]])


@deed("durable-kill", 6)
@deed("durable-two-writers", 4)
def equal_to_a_clean_one(trig: Trig, step: Step) -> Answer:
    tell_apart(contents(index_of(trig)), clean_units(trig.root))
    return Answer()


@deed("stale-inbound-edges", 10)
def equal_to_a_clean_one_of_its_own(trig: Trig, step: Step) -> Answer:
    tell_apart(contents(index_of(trig)), clean(trig.root))
    return Answer()


# two at once


@deed("durable-two-writers", 1)
def two_runs_and_searches(trig: Trig, step: Step) -> Answer:
    """The first index is made by two at once; then two more rebuild it while it is searched."""
    for full in ((), ("--full",)):
        runs = [
            subprocess.Popen(trig.line("index", *full), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(2)
        ]
        slow: list[float] = []
        while any(run.poll() is None for run in runs) and len(slow) < 10:
            slow.append(searched(trig, made=bool(full)))
        for run in runs:
            _, err = run.communicate(timeout=120)
            assert run.returncode == 0, err.decode()
            assert b"Traceback" not in err and b"is locked" not in err, err.decode()
    return Answer()


def searched(trig: Trig, *, made: bool) -> float:
    """CPU seconds of one search beside a run: it answers, or says that nothing is indexed yet."""
    began = time.process_time()
    ran = trig.ask("search", "--no-update", literal=("adds to the table",))
    used = time.process_time() - began
    assert ran.status == 0 or not made, ran
    assert ran.status in (0, 1, 2) and "Traceback" not in ran.err and "locked" not in ran.err, ran
    assert used < 1.0, f"a search took {used:.1f} s of CPU"
    return used


@deed("durable-two-writers", 2)
def both_have_ended_well(trig: Trig, step: Step) -> Answer:
    found = trig.ask("status", "--json").json
    assert (found["state"], found["symbols"]) == ("ready", 2000), found
    assert trig.ask("doctor").status == 0
    return Answer()


@deed("durable-two-writers", 3)
def it_is_searched(trig: Trig, step: Step) -> Answer:
    searched(trig, made=True)
    return Answer()


# without the right to write


@deed("durable-read-only", 2)
def take_the_right_to_write(trig: Trig, step: Step) -> Answer:
    subprocess.run(["chmod", "-R", "a-w", str(trig.root), str(index_of(trig))], check=True)
    return Answer()


@deed("durable-read-only", 4)
def status_of_a_read_only_index(trig: Trig, step: Step) -> Answer:
    ran = trig.ask("status", "--json")
    assert (ran.json["files"], ran.json["symbols"]) == (1, 1), ran
    assert "cannot be written" in ran.json["note"], ran
    return Answer([ran], [[]])


@deed("durable-read-only", 5)
def update_without_the_right(trig: Trig, step: Step) -> Answer:
    """Nothing is lost, and searches go on from what is there."""
    before = listing(trig)
    subprocess.run(["chmod", "u+w", str(trig.root / "berth.py")], check=True)
    (trig.root / "berth.py").write_text("def berth(n):\n    return n\n\n\ndef quay():\n    return 2\n")
    ran = trig.ask("index")
    assert ran.status == 2 and "cannot be written" in ran.err, ran
    assert listing(trig) == before
    found = trig.ask("search", literal=("berth",))
    assert found.status == 0 and found.out.startswith("berth.py:1:def berth"), found
    assert "stale" in found.err, found
    return Answer()


def listing(trig: Trig) -> list[str]:
    return sorted(str(path) for path in index_of(trig).rglob("*"))


@deed("durable-read-only", 6)
def index_elsewhere(trig: Trig, step: Step) -> Answer:
    """A fresh copy that is read-only from the start; the next step asks there."""
    subprocess.run(["chmod", "-R", "u+w", str(trig.root)], check=True)
    shutil.rmtree(trig.root)
    Case.of("durable-read-only").build(trig.root)
    subprocess.run(["chmod", "-R", "a-w", str(trig.root)], check=True)
    folder = trig.root.with_name("elsewhere")
    trig.always = ("--index-dir", str(folder))
    ran: Ran = trig.ask("index", "--json")
    assert ran.status == 0 and folder.is_dir(), ran
    return Answer([ran], [[]])
