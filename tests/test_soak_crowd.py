"""Eight writers and eight readers on one index: a reader is never shown an error, a writer queues or says who writes.

In `make check` for some seconds; `make soak` sets SOAK_SECONDS.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import trigpoint
from equality import differences, everything
from planting import planted
from soak_trees import PATHS, text_for

SECONDS = float(os.environ.get("SOAK_SECONDS", "3"))
WRITERS = READERS = 8

WRITER = """
import random, sys, time
import trigpoint
from pathlib import Path
root, index, number, until = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
chance, done, refused = random.Random(number), 0, 0
while time.time() < until:
    file = Path(root) / f"w{number}_{chance.randrange(3)}.py"
    if chance.random() < 0.2:
        file.unlink(missing_ok=True)
    else:
        file.write_text(f"def make_{number}():\\n    return {chance.random()}\\n")
    try:
        with trigpoint.open(root, index_dir=index, workers=1) as engine:
            engine.index()
        done += 1
    except trigpoint.StoreLockedError as error:
        assert "is writing the index" in str(error), error
        refused += 1
print(done, refused)
"""
READER = """
import sys, time
import trigpoint
root, index, until = sys.argv[1], sys.argv[2], float(sys.argv[4])
done = fresh = 0
while time.time() < until:
    with trigpoint.open(root, index_dir=index) as engine:
        for update in (False, True):
            pack = engine.search("make", update=update)
            assert pack.hits, "nothing found"
            assert engine.outline("core.py")
            done += 1
        fresh += engine.status().state == "ready"
print(done, fresh)
"""


def test_writers_queue_and_readers_read(tmp_path: Path) -> None:
    root = planted(tmp_path / "tree", {path: text_for(path, number) for number, path in enumerate(PATHS)})
    planted(root, {"core.py": text_for("core.py", 0)})
    index = tmp_path / "index"
    with trigpoint.open(root, index_dir=str(index), workers=1) as engine:
        engine.index()
    until = str(time.time() + SECONDS + 1)
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(root), str(index), str(number), until],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for code, many in ((WRITER, WRITERS), (READER, READERS))
        for number in range(many)
    ]
    told = [process.communicate(timeout=SECONDS + 120) for process in crowd]
    assert [err for _, err in told if err] == []
    assert {process.returncode for process in crowd} == {0}
    counts = [tuple(map(int, out.split())) for out, _ in told]
    updates, reads = sum(one for one, _ in counts[:WRITERS]), sum(one for one, _ in counts[WRITERS:])
    refused = sum(one for _, one in counts[:WRITERS])
    print(
        f"crowd: {WRITERS} writers made {updates} updates ({refused} told to wait), {READERS} readers {reads} searches, no error"
    )
    assert updates >= WRITERS and reads >= READERS
    with trigpoint.open(root, index_dir=str(index), workers=1) as engine:
        engine.index()
        assert engine.doctor() == ()
    with trigpoint.open(root, index_dir=str(tmp_path / "fresh"), workers=1) as engine:
        engine.index()
    found = differences(everything(index), everything(tmp_path / "fresh"))
    assert not found, found
