"""Ctrl-C keeps what is done, and says so truly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import trigpoint
from equality import differences, everything
from moments import hears_ctrl_c
from planting import planted
from trigpoint.engine import Engine
from trigpoint.model import Progress

HERE = Path(__file__).parent
SCRIPT = """
import sys
from odd_source import OddSource
from trigpoint.indexing.run import Options, update
from trigpoint.stores.local import LocalStore

def tell(event):
    if event.phase == {phase!r} and event.done == {after}:
        print("now", flush=True)
        sys.stdin.readline()  # until the Ctrl-C is sent

from pathlib import Path
store = LocalStore(Path(sys.argv[1]))
files = dict.fromkeys(["{name}_" + str(n) + ".py" for n in range({files})], "def f(): pass\\n")
report = update(OddSource(files), store, Options(workers=1, file_seconds=60), tell)
print(report.interrupted, report.files, store.snapshot().counts()["files"], report.note, sep="|", flush=True)
"""


def interrupted(folder: Path, name: str, phase: str, after: int, files: int) -> list[str]:
    """Run an index run in a process of its own, send it a Ctrl-C when it says so, and return its last words."""
    script = SCRIPT.format(name=name, phase=phase, after=after, files=files)
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_ctrl_c,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate("go on\n", timeout=120)
    assert process.returncode == 0, err
    return out.splitlines()[-1].split("|")


@pytest.mark.parametrize("files", [20, 80], ids=["here", "in workers"])
def test_what_is_done_is_kept_and_the_next_run_goes_on(files: int, tmp_path: Path) -> None:
    said, done, stored, note = interrupted(tmp_path / "index", "slow", "read", 3, files)
    assert said == "True"
    assert int(done) == 3
    assert (done, note) == (stored, "")


def test_an_interruption_before_the_first_file_is_not_an_empty_folder(tmp_path: Path) -> None:
    said, done, _, note = interrupted(tmp_path / "index", "hang", "read", 0, 80)
    assert (said, done) == ("True", "0")
    assert "interrupted" in note
    assert "holds no files" not in note


def test_settings_changed_back_after_an_interruption(tmp_path: Path) -> None:
    """Records of both settings are then in the index: none may be taken for what is wanted."""
    root, index, whole = (
        tmp_path / "tree",
        tmp_path / "index",
        "".join(f"def f{n}(): pass\n" for n in range(100)),
    )
    planted(root, {f"m{number}.py": whole for number in range(20)})

    def opened(tokens: int, index: Path = index) -> Engine:
        return trigpoint.open(root, index_dir=str(index), chunk_max_tokens=tokens, workers=1)

    def stop(event: Progress) -> None:
        if event.phase == "read" and event.done == 10:
            signal.raise_signal(signal.SIGINT)

    with opened(800) as engine:
        engine.index()
    with opened(100) as engine:
        assert engine.index(progress=stop).interrupted
    with opened(800) as engine, opened(800, tmp_path / "fresh") as fresh:
        engine.index()
        fresh.index()
    assert not differences(everything(index), everything(tmp_path / "fresh"))
