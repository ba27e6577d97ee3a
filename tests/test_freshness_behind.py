"""A change too large to be brought in before the answer: the former state answers, and the update goes on behind it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

import trigpoint
from cases_runner import Trig
from planting import planted

FEW = ("--set", "search.update_max_files=1")


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    root = planted(tmp_path / "app", {f"m{n}.py": f"def first{n}():\n    return {n}\n" for n in range(3)})
    made = Trig(root)
    assert made.spawn("index").status == 0
    for number in range(3):
        (root / f"m{number}.py").write_text(f"def second{number}():\n    return {number}\n")
    return made


def answer(trig: Trig, name: str, *words: str) -> Any:
    return json.loads(trig.spawn("search", name, "--json", *words).out)


def test_many_changes_are_brought_in_behind_the_answer(trig: Trig) -> None:
    found = answer(trig, "first1", *FEW)
    assert found["freshness"]["state"] == "stale"
    assert found["freshness"]["note"] == "3 files have changed; an update goes on in the background"
    assert found["results"][0]["path"] == "m1.py"
    ends = time.monotonic() + 60
    while answer(trig, "second1", *FEW)["freshness"]["state"] != "fresh" and time.monotonic() < ends:
        time.sleep(0.2)
    after = answer(trig, "second1", *FEW)
    assert (after["freshness"]["state"], after["freshness"]["stale"]) == ("fresh", 0)
    assert "second1" in json.dumps(after["results"][0])


def test_not_where_it_is_unwanted_or_nothing_may_change(trig: Trig) -> None:
    unwanted = answer(trig, "first1", *FEW, "--set", "search.background=false")
    assert unwanted["freshness"]["note"] == "3 files have changed; run `trig index`"
    assert answer(trig, "first1", *FEW, "--no-update")["freshness"]["state"] != "updated"
    again = answer(trig, "first1", *FEW, "--set", "search.background=false")
    assert again["freshness"]["stale"] == 3  # neither question has begun an update


def test_a_program_decides_for_itself(trig: Trig, tmp_path: Path) -> None:
    with trigpoint.open(trig.root, search_update_max_files=1) as engine:
        assert engine.search("first1").freshness.note == "3 files have changed; run `trig index`"


def test_an_update_that_goes_on_is_not_begun_again(trig: Trig) -> None:
    from trigpoint.stores.local.lock import LOCK, hold

    (lock,) = (trig.root.parent / "cache").rglob(LOCK)
    with hold(lock, 1.0):
        found = answer(trig, "first1", *FEW)
    assert found["freshness"]["note"] == "3 files have changed; an update is going on"
    unwanted = answer(trig, "first1", *FEW, "--set", "search.background=false")
    assert unwanted["freshness"]["stale"] == 3
