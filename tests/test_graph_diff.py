"""impact --diff: changed lines to changed symbols, and from them to what they break."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases_runner import Trig
from graphs import CLOCK
from linking import tree
from planting import planted
from trigpoint.graph.changes import Side, touched
from trigpoint.model import MODULE, Symbol


def symbol(name: str, start: int, end: int) -> Symbol:
    return Symbol(name.rpartition(".")[2], name, "function", start, end, start, 0)


OLD = (symbol("a", 1, 3), symbol("B", 5, 12), symbol("B.c", 6, 8), symbol("B.d", 10, 12))


def changes(old: Side, new: Side) -> list[tuple[str, str]]:
    return [(one.name, one.how) for one in touched(old, new)]


def test_the_innermost_definition_is_the_changed_one() -> None:
    assert changes(Side(OLD, [7]), Side(OLD, [7])) == [("B.c", "modified")]
    assert changes(Side(OLD, [9]), Side(OLD, [])) == [("B", "modified")]
    assert changes(Side(OLD, [4]), Side(OLD, [4])) == [("", "modified")]


def test_what_stands_on_one_side_only_is_added_or_deleted() -> None:
    fewer = OLD[:3]
    assert changes(Side(OLD, [10, 11, 12]), Side(fewer, [])) == [("B.d", "deleted")]
    assert changes(Side(fewer, []), Side(OLD, [10, 11, 12])) == [("B.d", "added")]
    assert changes(Side((), [], there=False), Side(OLD, range(1, 4))) == [("a", "added")]
    assert changes(Side(OLD, range(1, 13)), Side((), [], there=False)) == [
        ("", "deleted"), ("a", "deleted"), ("B", "deleted"), ("B.c", "deleted"), ("B.d", "deleted"),
    ]  # fmt: skip


def test_namesakes_are_told_apart_by_their_number() -> None:
    twice = (symbol("a", 1, 3), symbol("a", 5, 7))
    (one,) = touched(Side(twice, [6]), Side(twice, [6]))
    assert (one.place, one.start) == (1, 5)
    assert touched(Side(twice, [4]), Side(twice, []))[0].place == MODULE


# through git


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trig]:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    root = planted(tmp_path / "works", tree(CLOCK))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    commit(root)
    yield Trig(root)


def git(root: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        cwd=root,
        check=True,
        capture_output=True,
    )


def commit(root: Path) -> None:
    git(root, "commit", "-q", "-am", "step")


def edit(root: Path, name: str, old: str, new: str) -> None:
    path = root / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def found(trig: Trig, *words: str) -> tuple[list[tuple[str, str]], dict[str, int]]:
    answer = trig.ask("impact", "--json", *words).json
    return [(one["symbol"], one["how"]) for one in answer.get("changes", ())], {
        row["symbol"]: row["hop"] for row in answer["results"]
    }


def test_the_working_tree_against_its_commit(trig: Trig) -> None:
    assert trig.ask("impact", "--diff").status == 1
    edit(trig.root, "clock.py", "    return left(n) + right(n)", "    return left(n)")
    assert found(trig, "--diff") == ([("top", "modified")], {"Face.show": 1, "<module>": 1, "test_face": 2})
    assert found(trig, "--diff", "--depth", "1")[1] == {"Face.show": 1, "<module>": 1}


def test_added_deleted_and_untracked(trig: Trig) -> None:
    edit(trig.root, "clock.py", "def right(n):\n    return even(n)\n", "def wrong(n):\n    return even(n)\n")
    (trig.root / "new.py").write_text("import face\n\n\ndef fresh():\n    return face.make()\n")
    ran = trig.ask("impact", "--diff")
    assert "clock.py:13:right: deleted function\n" in ran.out
    assert "clock.py:13:wrong: added function\n" in ran.out
    assert "new.py:4:fresh: added function\n" in ran.out
    assert "right is deleted, and a call of right leads nowhere now: clock.py:17" in ran.err
    assert ran.status == 0


def test_blank_lines_change_nothing(trig: Trig) -> None:
    edit(trig.root, "clock.py", "def left", "\n\n\ndef left")
    assert found(trig, "--diff") == ([], {})


def test_a_range_and_a_branch(trig: Trig) -> None:
    git(trig.root, "checkout", "-q", "-b", "work")
    edit(trig.root, "clock.py", "    return n\n", "    return n + 0\n")
    commit(trig.root)
    edit(trig.root, "face.py", "return Face(2)", "return Face(3)")
    commit(trig.root)
    assert found(trig, "--diff", "main")[0] == [("tick", "modified"), ("make", "modified")]
    assert found(trig, "--diff", "main..HEAD~1")[0] == [("tick", "modified")]
    assert found(trig, "--diff", "main...work")[0] == [("tick", "modified"), ("make", "modified")]
    assert "edges are those of the working tree" in trig.ask("impact", "--diff", "main..work").err


def test_a_renamed_file_keeps_its_symbols(trig: Trig) -> None:
    git(trig.root, "mv", "clock.py", "watch.py")
    edit(trig.root, "watch.py", "    return n\n", "    return n + 0\n")
    assert found(trig, "--diff")[0] == [("tick", "modified")]


def test_odd_names_come_back(trig: Trig) -> None:
    (trig.root / 'a "b"\n.py').write_text("def odd_one():\n    return 1\n")
    git(trig.root, "add", "-A")
    commit(trig.root)
    edit(trig.root, 'a "b"\n.py', "return 1", "return 2")
    assert found(trig, "--diff")[0] == [("odd_one", "modified")]


def test_what_is_no_revision_is_refused(trig: Trig, tmp_path: Path) -> None:
    for base in ("nowhere", "--output=x", "main..nowhere"):
        ran = trig.ask("impact", f"--diff={base}")
        assert ran.status == 2
        assert "is no revision here" in ran.err
    bare = Trig(planted(tmp_path / "bare", {"a.py": "def a():\n    pass\n"}))
    assert bare.ask("impact", "--diff").status == 2


def test_a_project_in_a_folder_of_a_repository(trig: Trig) -> None:
    planted(trig.root, {"sub/a.py": "def inner():\n    return 1\n"})
    git(trig.root, "add", "-A")
    commit(trig.root)
    edit(trig.root, "sub/a.py", "return 1", "return 2")
    edit(trig.root, "clock.py", "    return n\n", "    return n + 0\n")
    assert found(Trig(trig.root / "sub"), "--diff")[0] == [("inner", "modified")]
