from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from trigpoint.sources.directory import DirectorySource
from trigpoint.sources.gitignore import ignores, layer_of, without_ignored


def ignored(lines: str, path: str) -> bool:
    layer = layer_of(lines.split("\n"))
    return layer is not None and ignores((layer,), path)


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        ("*.log", "a/b.log", True),
        ("*.log", "a/b.logs", False),
        ("/*.log", "a/b.log", False),
        ("docs/*.js", "docs/gen.js", True),
        ("docs/*.js", "docs/api/gen.js", False),
        ("docs/*.js", "x/docs/gen.js", False),
        ("build/", "build", False),
        ("build/", "src/build/", True),
        ("**/tmp/", "a/b/tmp/", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**", "a/", False),
        ("a/**", "a/x", True),
        ("a**b", "axxb", True),
        ("?.py", "a.py", True),
        ("?/*", "a/", False),
        ("[!a].py", "b.py", True),
        ("[^a].py", "a.py", False),
        ("[]x]", "]", True),
        ("[b-a]", "b", True),
        ("[[:digit:]]*", "1st", True),
        ("[unclosed", "[unclosed", False),
        ("a/[^x]b", "a//b", False),
        ("*.py\n!keep.py", "keep.py", False),
        ("!keep.py\n*.py", "keep.py", True),
        ("\\!important", "!important", True),
        ("\\#hash", "#hash", True),
        ("# comment", "# comment", False),
        ("name   ", "name", True),
        ("name\\ ", "name ", True),
        ("star\\*", "starry", False),
        ("star\\*", "star*", True),
        ("crlf\r", "crlf", True),
        ("new*line", "new\nline", True),
        ("目录/", "src/目录/", True),
        ("", "anything", False),
        ("/", "anything", False),
    ],
)
def test_pattern(lines: str, path: str, expected: bool) -> None:
    assert ignored(lines, path) is expected


def test_nothing_below_an_ignored_folder_comes_back() -> None:
    rules = layer_of(["locked/", "!locked/keep.py"])
    assert rules
    assert without_ignored(["locked/keep.py", "b.py"], (rules,), (), lambda folder: ()) == ["b.py"]


def test_nested_files_are_relative_to_their_folder_and_win() -> None:
    lines = {"": ["/a.py", "*.txt"], "in/": ["/a.py", "!b.txt"]}
    paths = ["a.py", "b.txt", "in/a.py", "in/b.txt", "in/c.txt", "in/deep/a.py"]
    kept = without_ignored(paths, (), ("", "in/"), lambda folder: lines[folder])
    assert kept == ["in/b.txt", "in/deep/a.py"]


NAMES = ["a", "b", "ab", "x.py", "y.py", "x.txt", "build", ".conf", "a b"]
SEGMENTS = [
    "a",
    "b",
    "*",
    "a*",
    "*.py",
    "*.txt",
    "build",
    "?",
    "[ab]",
    "[!a]",
    "x.*",
    "**",
    "ab",
    ".conf",
    "*b",
    "[a-b]*",
    "\\a",
    "[[:alpha:]]",
    "[b-a]",
    "***",
    "[a-",
]


def random_line(chance: random.Random) -> str:
    line = "/".join(chance.choice(SEGMENTS) for _ in range(chance.choice([1, 1, 1, 2, 2, 3])))
    line = "/" * (chance.random() < 0.2) + line + "/" * (chance.random() < 0.25)
    return "!" * (chance.random() < 0.3) + line + "  " * (chance.random() < 0.05)


def grow(folder: Path, chance: random.Random, depth: int = 0) -> None:
    folder.mkdir()
    for name in chance.sample(NAMES, 4):
        if depth < 3 and chance.random() < 0.5:
            grow(folder / name, chance, depth + 1)
        else:
            (folder / name).write_text("x")
    if depth == 0 or chance.random() < 0.3:
        lines = [random_line(chance) for _ in range(chance.randint(1, 5))]
        (folder / ".gitignore").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", range(25))
def test_a_walk_lists_what_git_lists(seed: int, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    grow(plain, random.Random(seed))
    walked = [entry.path for entry in DirectorySource(plain).entries()]
    subprocess.run(["git", "init", "-q", plain], check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=plain, capture_output=True, check=True
    ).stdout
    assert walked == sorted(filter(None, os.fsdecode(listed).split("\0")))
    assert walked == [entry.path for entry in DirectorySource(plain).entries()]
