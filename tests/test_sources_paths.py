"""Paths that a client gives, and what git's own files say."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from trigpoint.errors import NotFoundError, OutsideRootError
from trigpoint.sources.directory import DirectorySource


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path in (
        "x/src/shown.py",
        "x/.env",
        "x/back\\slash.py",
        "x-private/secret.py",
        "x.outside/secret.py",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("shown\n")
    root = tmp_path / "x"
    (root / "src/link").symlink_to(tmp_path / "x.outside")
    (root / "src/link.py").symlink_to(tmp_path / "x.outside/secret.py")
    (root / "src/alias.py").symlink_to("shown.py")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("token\n")
    return root


@pytest.mark.parametrize(
    "given",
    [
        "src/shown.py",
        "./src/shown.py",
        "src/./shown.py",
        "src//shown.py",
        "src/../src/shown.py",
        "src\\shown.py",
        ".\\src\\shown.py",
        "src/alias.py",
    ],
)
def test_inside(root: Path, given: str) -> None:
    assert DirectorySource(root).resolve(given) == (root / "src/shown.py").resolve()


def test_inside_by_absolute_path_and_by_odd_name(root: Path) -> None:
    source = DirectorySource(root)
    assert source.resolve(f"{source.name}/src/shown.py") == Path(source.name, "src/shown.py")
    assert source.resolve("back\\slash.py").name == "back\\slash.py"


@pytest.mark.parametrize(
    "given",
    [
        "../x.outside/secret.py",
        "src/../../x.outside/secret.py",
        "../x-private/secret.py",
        "..\\x.outside\\secret.py",
        "src\\..\\..\\x.outside\\secret.py",
        "/etc/passwd",
        "src/link/secret.py",
        "src/link/missing.py",
        "src/link.py",
        "src/shown.py\0.txt",
        "\\\\server\\share\\f",
        "C:\\boot.ini",
        "C:/boot.ini",
        "..",
    ],
)
def test_outside(root: Path, given: str) -> None:
    with pytest.raises(OutsideRootError) as caught:
        DirectorySource(root).resolve(given)
    assert str(root.parent) not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    "given",
    [
        "",
        ".",
        "src",
        "src/",
        "con",
        "~/.ssh/config",
        "file:///etc/passwd",
        "%2e%2e/x.outside/secret.py",
        "a" * 5000,
        "src/shown.py/x",
        ".git/config",
        ".env",
    ],
)
def test_no_file_of_the_tree(root: Path, given: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        DirectorySource(root).resolve(given)
    assert str(root.parent) not in caught.value.message + caught.value.hint


def test_a_sibling_given_absolutely_is_outside(root: Path) -> None:
    with pytest.raises(OutsideRootError):
        DirectorySource(root).resolve(f"{root}-private/secret.py")


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    return subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_head(tmp_path: Path) -> None:
    root = tmp_path / "x"
    (root / "sub").mkdir(parents=True)
    source = DirectorySource(root / "sub")
    assert source.head() == ("", "")
    git(root, "init", "-q", "-b", "topic/one", ".")
    assert source.head() == ("", "topic/one")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    commit = git(root, "rev-parse", "HEAD")
    assert source.head() == (commit, "topic/one")
    git(root, "pack-refs", "--all")
    assert source.head() == (commit, "topic/one")
    git(root, "worktree", "add", "-q", "wt", "-b", "other")
    assert DirectorySource(root / "wt").head() == (commit, "other")
    git(root, "checkout", "-q", "--detach")
    assert source.head() == (commit, "")


@pytest.mark.parametrize(
    "content", ["", "junk", "ref: ../../etc/passwd", "ref: refs/heads/../../../secret", "ref: "]
)
def test_a_damaged_head_says_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text(content)
    assert DirectorySource(tmp_path).head() == ("", "")
