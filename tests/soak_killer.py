"""A process whose children index a tree and are killed in the middle of it, at the n-th call that has an effect.

Nothing of the product knows of it: the interpreter itself tells of each call that a file of the store or of the flow
makes into C (SQLite, tantivy, the operating system), before and after. Fed with lines ``point root index lexical``;
answers each with ``calls seen, how the child ended``. A point of 0 never comes.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any

WATCHED = ("/stores/local/", "/indexing/run.py", "/indexing/link.py")
_NAMES = """
    execute executemany executescript commit close backup rollback add_document delete_documents_by_query writer
    wait_merging_threads replace unlink remove rename mkdir rmdir write truncate ftruncate flock touch link utime
    scandir open tobytes
"""
EFFECTS = frozenset(_NAMES.split())


class Point:
    """Counts effects and ends the process at one of them."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.seen = 0
        self.watching: dict[str, bool] = {}

    def __call__(self, frame: FrameType, event: str, told: Any) -> None:
        if event not in ("c_call", "c_return") or getattr(told, "__name__", "") not in EFFECTS:
            return
        file = frame.f_code.co_filename
        if file not in self.watching:
            self.watching[file] = (
                any(part in file for part in WATCHED) or "/numpy/" in file or file.endswith("pathlib.py")
            )
        if self.watching[file]:
            self.seen += 1
            if self.seen == self.at:
                os.kill(os.getpid(), signal.SIGKILL)


def child(words: list[str], out: int) -> None:
    import trigpoint

    at, root, index, lexical = words
    point = Point(int(at))
    engine = trigpoint.open(root, index_dir=index, lexical=lexical, workers=1)
    sys.setprofile(point)
    engine.index()
    engine.close()
    sys.setprofile(None)
    os.write(out, str(point.seen).encode())


def main() -> None:
    import numpy
    import tantivy

    assert numpy and tantivy
    for line in sys.stdin:
        reading, writing = os.pipe()
        number = os.fork()
        if not number:
            code = 1
            try:
                os.close(reading)
                child(line.split("\t")[:4], writing)
                code = 0
            finally:
                sys.stderr.flush()
                os._exit(code)
        os.close(writing)
        seen = os.read(reading, 20).decode()
        os.close(reading)
        _, status = os.waitpid(number, 0)
        print(seen or 0, os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
