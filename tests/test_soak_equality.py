"""However a tree came to be what it is, its updated index equals one made anew: rows, edges, words and vectors.

In `make check` a few walks; `make soak` sets SOAK_STEPS and walks on.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import trigpoint
from equality import differences, everything
from soak_trees import BRANCHES, ENCODINGS, FOLDERS, IGNORES, PATHS, git, text_for
from trigpoint.engine import Engine

STEPS = int(os.environ.get("SOAK_STEPS", "90"))
A_WALK = 50 if STEPS > 1000 else 15
DONE = {"steps": 0, "compared": 0, "reused": 0}

TOKENS = (800, 100)

paths, numbers = st.sampled_from(PATHS), st.integers(0, 5)


class Walk(RuleBasedStateMachine):
    """A tree under git and its index, which is brought up to date after most steps and compared with a fresh one."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="trigpoint-walk-"))
        self.root, self.index = self.folder / "tree", self.folder / "index"
        self.root.mkdir()
        self.waiting = True
        self.tokens = TOKENS[0]
        self.engine: Engine | None = None

    def teardown(self) -> None:
        if self.engine is not None:
            self.engine.close()
        shutil.rmtree(self.folder)

    # the tree

    @initialize(
        lexical=st.sampled_from(["tantivy", "tantivy", "fts5"]),
        under_git=st.booleans(),
        some=st.lists(st.tuples(paths, numbers), max_size=12),
    )
    def begin(self, lexical: str, under_git: bool, some: list[tuple[str, int]]) -> None:
        self.lexical, self.under_git = lexical, under_git
        if under_git:
            git(self.root, "init", "-q", "-b", "main")
        for path, number in some:
            self.write(path, number)
        self.engine = self.opened(self.index)

    def opened(self, index: Path) -> Engine:
        return trigpoint.open(
            self.root, index_dir=str(index), lexical=self.lexical, workers=1, chunk_max_tokens=self.tokens
        )

    def at(self, path: str) -> Path | None:
        """Where a file may be written: None when a link or a file stands in the way."""
        place = self.root / path
        for above in [*place.relative_to(self.root).parents][:-1]:
            if (self.root / above).is_symlink() or (self.root / above).is_file():
                return None
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
        return place

    def write(self, path: str, number: int) -> None:
        if (place := self.at(path)) is not None:
            place.write_text(text_for(path, number))

    @rule(path=paths, number=numbers)
    def put(self, path: str, number: int) -> None:
        self.write(path, number)

    @rule(path=paths, number=numbers)
    def edit_in_place(self, path: str, number: int) -> None:
        place = self.root / path
        if place.is_file():
            old = place.read_bytes()
            place.write_bytes(old[::-1] if number == 0 else old + text_for(path, number).encode())

    @rule(path=paths)
    def same_size_same_moment(self, path: str) -> None:
        place = self.root / path
        if place.is_file() and not place.is_symlink():
            status = place.stat()
            place.write_bytes(place.read_bytes().replace(b"make", b"ekam"))
            os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))

    @rule(path=paths, other=paths)
    def move(self, path: str, other: str) -> None:
        if (
            (self.root / path).is_file()
            and path != other
            and (place := self.at(other)) is not None
            and (self.root / path).exists()
        ):
            (self.root / path).rename(place)

    @rule(folder=st.sampled_from(FOLDERS[1:]), name=st.sampled_from(["moved", "pkg", "lib"]))
    def rename_folder(self, folder: str, name: str) -> None:
        if (self.root / folder).is_dir() and not (self.root / name).exists():
            (self.root / folder).rename(self.root / name)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        if (self.root / path).is_file():
            (self.root / path).unlink()

    @rule(path=paths, mode=st.sampled_from([0o000, 0o644, 0o755]))
    def chmod(self, path: str, mode: int) -> None:
        if (self.root / path).is_file() and not (self.root / path).is_symlink():
            (self.root / path).chmod(mode)

    @rule(
        name=st.sampled_from([".gitignore", ".trigignore", "pkg/.gitignore"]), lines=st.sampled_from(IGNORES)
    )
    def ignore(self, name: str, lines: str) -> None:
        if (place := self.at(name)) is not None:
            place.write_text(lines)

    @rule(path=paths, number=numbers, encoding=st.sampled_from(ENCODINGS))
    def encode(self, path: str, number: int, encoding: str) -> None:
        if (place := self.at(path)) is not None:
            place.write_bytes((text_for(path, number) + "\n# größer\n").encode(encoding))

    @rule(path=paths, to=st.sampled_from(["core.py", "pkg/core.py", "../outside", "pkg", "nowhere"]))
    def link(self, path: str, to: str) -> None:
        if (place := self.at(path)) is not None:
            place.symlink_to(self.root / to)

    @rule(path=paths)
    def fifo(self, path: str) -> None:
        if (place := self.at(path)) is not None:
            os.mkfifo(place)

    @rule(path=paths, data=st.sampled_from([b"", b"\0\1\2", b"\xff\xfe", b"x = 1", b"a" * 5000]))
    def odd_bytes(self, path: str, data: bytes) -> None:
        if (place := self.at(path)) is not None:
            place.write_bytes(data)

    @precondition(lambda self: self.under_git)
    @rule(name=st.sampled_from(BRANCHES))
    def switch_branch(self, name: str) -> None:
        for pipe in [one for one in self.root.rglob("*") if one.is_fifo()]:
            pipe.unlink()
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "step", "--allow-empty")
        git(self.root, "switch", "-q", name) or git(self.root, "switch", "-qc", name)

    @precondition(lambda self: self.under_git)
    @rule(words=st.sampled_from([("stash",), ("stash", "pop"), ("checkout", "-q", "--", ".")]))
    def undo(self, words: tuple[str, ...]) -> None:
        git(self.root, *words)

    @rule()
    def there_and_back(self) -> None:
        """Everything is changed, indexed so, and changed back."""
        assert self.engine is not None
        files = [one for one in self.root.rglob("*.*") if one.is_file() and not one.is_symlink()]
        was = {
            one: one.read_bytes() for one in files if one.stat().st_mode & 0o200 and ".git" not in one.parts
        }
        for one, data in was.items():
            one.write_bytes(data + b"\n")
        self.engine.index()
        for one, data in was.items():
            one.write_bytes(data)

    # the index

    @rule(tokens=st.sampled_from(TOKENS))
    def another_setting(self, tokens: int) -> None:
        self.tokens = tokens
        self.another_process()

    @rule()
    def another_process(self) -> None:
        """What an engine remembers must make no difference."""
        assert self.engine is not None
        self.engine.close()
        self.engine = self.opened(self.index)

    @rule()
    def not_yet(self) -> None:
        """Several changes at once."""
        self.waiting = True

    @invariant()
    def updated_equals_fresh(self) -> None:
        DONE["steps"] += 1
        waiting, self.waiting = self.waiting, False
        if waiting or self.engine is None:
            return
        DONE["reused"] += self.engine.index().reused
        fresh = self.folder / "fresh"
        with self.opened(fresh) as other:
            other.index()
        found = differences(everything(self.index, self.lexical), everything(fresh, self.lexical))
        shutil.rmtree(fresh)
        note(found)
        DONE["compared"] += 1
        assert not found, found
        assert self.engine.doctor() == ()


TestWalk = Walk.TestCase
TestWalk.settings = settings(
    max_examples=2 + STEPS // A_WALK,  # the first is the simplest: nothing happens
    stateful_step_count=A_WALK,
    deadline=None,
    derandomize="SOAK_STEPS" not in os.environ,
    database=None,
    phases=(Phase.generate, Phase.shrink),  # explaining a failure traces every line, and takes gigabytes
    suppress_health_check=list(HealthCheck),
)


def test_the_walk_compared() -> None:
    """The walk above has looked, and `make soak` prints how often."""
    if not DONE["steps"]:
        pytest.skip("the walk above was not chosen")
    told = f"{DONE['steps']} steps, {DONE['compared']} comparisons, {DONE['reused']} records reused"
    print(f"equality: {told}, no difference")
    assert DONE["compared"] >= STEPS // 4
    assert DONE["reused"] >= STEPS // 30  # one in nine steps where chance rules
