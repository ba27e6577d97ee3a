import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from planting import planted
from trigpoint.model import Progress
from trigpoint.surfaces.progress import Bar, line


def test_a_phase_with_an_end_has_a_bar_a_rate_and_the_time_left() -> None:
    shown = line(Progress("read", 500, 2_000, "src/a.py"), 2.0)
    assert shown == "read     #####............... 500/2,000 250/s, 0:06 left  src/a.py"


def test_a_phase_without_an_end_counts() -> None:
    assert line(Progress("list", 1_234, 0), 1.0) == "list     1,234"


def test_a_line_never_wraps_and_never_acts_on_the_terminal() -> None:
    shown = line(Progress("read", 3, 2, "x\x1b[2J" * 50), 0.0)
    assert len(shown) == 79
    assert "\x1b" not in shown


def test_the_bar_wipes_what_it_drew() -> None:
    stream = io.StringIO()
    bar = Bar(stream)
    bar.close()
    assert stream.getvalue() == ""
    bar(Progress("read", 2, 2))
    bar.close()
    assert stream.getvalue().startswith("\r\x1b[2Kread")
    assert stream.getvalue().endswith("\r\x1b[2K")


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind there")
def test_a_person_is_told_that_nothing_was_found_and_a_pipe_is_not(tmp_path: Path) -> None:
    import pty

    root = planted(tmp_path / "app", {"a.py": "def f(): ...\n"})
    argv = [
        sys.executable,
        "-m",
        "trigpoint",
        "symbol",
        "nowhere",
        str(root),
        "--index-dir",
        str(tmp_path / "i"),
    ]
    terminal, theirs = pty.openpty()
    seen = subprocess.run(argv, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    os.close(theirs)
    os.close(terminal)
    assert (seen.returncode, seen.stderr.split("\n")[-2]) == (1, "trig: nothing found")
    piped = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (piped.returncode, piped.stdout + piped.stderr) == (1, "")
