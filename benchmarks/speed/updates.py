"""What keeping an index fresh costs: CPU seconds of all processes, wall seconds, peak memory of the largest.

    updates.py TREE --work DIR [--trig 'trig'] [--share 0.1]

TREE is a git working tree (made by corpus.py --git). It is copied to DIR, and the copy is changed: nothing, one file, a
share of all files, there and back, and every file by switching to a branch and back, each twice. Each step runs `trig index` once.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from run import Used, run, table

GIT = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0"]
SETTLE_SECONDS = 0.1  # longer than the grain of the file system's clock: what is younger is hashed again


def git(tree: Path, *words: str) -> str:
    """Run git; returns what it printed."""
    return subprocess.run([*GIT, *words], cwd=tree, check=True, capture_output=True, text=True).stdout


def append(tree: Path, share: float, text: str) -> int:
    """Add a line to a share of the files; returns to how many."""
    chance = random.Random(7)
    names = [name for name in git(tree, "ls-files", "-z").split("\0") if name]
    some = names if share >= 1 else chance.sample(names, max(1, round(len(names) * share)))
    for name in some:
        with (tree / name).open("ab") as file:
            file.write(text.encode())
    return len(some)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="its tree/ and cache/ are emptied")
    parser.add_argument("--trig", default="trig")
    parser.add_argument("--share", type=float, default=0.1)
    args = parser.parse_args()
    tree, cache = args.work.resolve() / "tree", args.work.resolve() / "cache"
    for folder in (tree, cache):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(args.tree, tree, symlinks=True)
    rows: list[tuple[str, Used]] = []

    def step(name: str) -> None:
        time.sleep(SETTLE_SECONDS)
        line = [*shlex.split(args.trig), "index", str(tree)]
        rows.append((name, run(line, {**os.environ, "TRIGPOINT_CACHE_DIR": str(cache)}, tree)[0]))

    start = git(tree, "rev-parse", "--abbrev-ref", "HEAD").strip()
    git(tree, "checkout", "-q", ".")
    step("first index")
    step("the next, which writes down that nothing is young")
    step("unchanged")
    name = git(tree, "ls-files", "*.py").splitlines()[0]
    with (tree / name).open("a") as file:
        file.write("\n\ndef probe(value):\n    return value\n")
    step("one file changed")
    for again in ("", ", the second time"):
        step(f"{append(tree, args.share, chr(10)):,} files changed{again}")
        git(tree, "checkout", "-q", ".")
        step(f"and changed back{again}")
    git(tree, "switch", "-qc", "all-changed")
    append(tree, 1.0, "\n")
    git(tree, "commit", "-qam", "every file")
    step("branch switch, every file differs, never seen")
    for branch in (start, "all-changed", start):
        git(tree, "switch", "-q", branch)
        step(f"branch switch to {'what was' if branch != start else 'where it began, as'} seen before")
    cells = [[name, f"{used.cpu:.2f}", f"{used.wall:.2f}", f"{used.peak:.0f}"] for name, used in rows]
    print(table(["step", "CPU s", "wall s", "peak MB"], cells))


if __name__ == "__main__":
    main()
