"""The index while it is being written: killed, by two at once, and searched beside a writer."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from cases_deeds import contents, index_of, tell_apart
from cases_runner import Trig
from planting import planted
from trigpoint.stores.local import open_local

UNITS = {
    f"m{d}/f{n}.py": f'def unit_{d}_{n}(x):\n    """Adds {n} to bed {d}."""\n    return x + {n}\n'
    for d in range(6)
    for n in range(30)
}


def test_killed_at_any_moment_it_goes_on_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    trig = Trig(planted(tmp_path / "garden", UNITS))
    for seconds in (0.25, 0.6, 1.0):
        running = subprocess.Popen(trig.line("index"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(seconds)
        running.send_signal(signal.SIGKILL)
        _, err = running.communicate(timeout=60)
        assert b"Traceback" not in err
        asked = trig.ask("search", "--no-update", literal=("adds to bed",))
        assert asked.status in (0, 1) or "is not indexed" in asked.err
    assert trig.ask("index").status == 0
    clean = Trig(trig.root)
    clean.always = ("--index-dir", str(tmp_path / "clean"))
    assert clean.ask("index").status == 0
    tell_apart(contents(index_of(trig)), contents(tmp_path / "clean"))


def test_two_writers_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    trig = Trig(planted(tmp_path / "garden", UNITS))
    runs = [
        subprocess.Popen(trig.line("index", "--full"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for run in runs:
        _, err = run.communicate(timeout=120)
        assert (run.returncode, err) == (0, b"")
    assert trig.ask("status", "--json").json["symbols"] == len(UNITS)
    assert trig.ask("doctor").status == 0


def test_a_search_does_not_wait_for_a_long_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    trig = Trig(planted(tmp_path / "garden", {"bed.py": "def dig():\n    return 1\n"}))
    assert trig.ask("index").status == 0
    planted(trig.root, {"new.py": "def plant():\n    return 1\n"})
    with open_local(index_of(trig)).writer():
        began = time.monotonic()
        ran = trig.ask("search", literal=("dig",))
        assert time.monotonic() - began < 20
    assert ran.out == "bed.py:1:def dig():\n"
    assert "index stale: 1 files have changed, and another process" in ran.err
    assert trig.ask("search", literal=("plant",)).out == "new.py:1:def plant():\n"
