"""An update that goes on behind an answer: a process of its own, which outlives the command that started it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

START = (
    "import os, sys; os.fork() and os._exit(0); os.nice(10); sys.path.insert(0, sys.argv.pop(1)); "
    "from trigpoint.surfaces.cli import main; main()"
)
"""What is run: it hands over to a child that nobody waits for, which runs `trig index` and gives way to whatever else
the machine does.
"""
PACKAGE_FOLDER = str(Path(__file__).parents[2])


def update_behind(root: Path, index: Path, given: Mapping[str, Any]) -> bool:
    """Start the update of an index and leave it alone; ``given`` are settings by key. Whether it could be started: not
    where the index cannot be written. One that finds another at work waits for it, and then has nothing to do.
    """
    if not os.access(index, os.W_OK):
        return False
    words = [word for key, value in given.items() for word in ("--set", f"{key}={value}")]
    done = subprocess.run(
        [sys.executable, "-P", "-c", START, PACKAGE_FOLDER, "index", str(root), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=False,
    )
    return done.returncode == 0
