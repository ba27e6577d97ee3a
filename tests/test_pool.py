"""One bad file costs itself and nothing else: a time limit a file, and quarantine for what kills its process."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from odd_source import OddSource
from trigpoint.indexing.pool import SERIAL_FILES
from trigpoint.indexing.run import Options, update
from trigpoint.model import Level
from trigpoint.stores.memory import MemoryStore


@pytest.fixture(autouse=True)
def workers_find_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


def reasons(store: MemoryStore) -> dict[str, str]:
    """Those that are not indexed."""
    rows = store.snapshot().files()
    return {row.path: row.outcome.reason for row in rows if row.outcome.level is not Level.INDEXED}


def files(*odd: str, plain: int) -> dict[str, str]:
    return {f"plain_{number:03}.py": f"def f{number}(): pass\n" for number in range(plain)} | dict.fromkeys(
        odd, "x = 1\n"
    )


def test_in_workers_a_bad_file_costs_itself_only() -> None:
    store = MemoryStore()
    odd = files("hang.py", "kill_1.py", "kill_2.py", "m/raise.py", plain=SERIAL_FILES + 20)
    report = update(OddSource(odd), store, Options(workers=2, file_seconds=1.0))
    assert reasons(store) == {
        "hang.py": "time-limit",
        "kill_1.py": "crashed",
        "kill_2.py": "crashed",
        "m/raise.py": "crashed",
    }
    assert report.files == SERIAL_FILES + 24
    assert report.symbols == SERIAL_FILES + 20


def test_a_few_files_are_read_here_under_the_same_limit() -> None:
    store = MemoryStore()
    update(OddSource(files("hang.py", "raise.py", plain=3)), store, Options(file_seconds=0.3))
    assert reasons(store) == {"hang.py": "time-limit", "raise.py": "crashed"}
    assert store.snapshot().counts()["symbols"] == 3


def test_the_limit_holds_outside_the_main_thread() -> None:
    store = MemoryStore()
    options = Options(file_seconds=1.0)
    thread = threading.Thread(target=update, args=(OddSource(files("hang.py", plain=2)), store, options))
    thread.start()
    thread.join(60)
    assert reasons(store) == {"hang.py": "time-limit"}


def test_a_quarantined_file_is_not_tried_again_until_it_changes() -> None:
    store = MemoryStore()
    update(OddSource({"raise.py": "x = 1\n"}), store, Options())
    again = update(OddSource({"raise.py": "x = 1\n"}), store, Options())
    assert (again.added, again.modified) == (0, 0)
