"""Which files of a folder are listed, with git and without."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from trigpoint.errors import SourceError
from trigpoint.model import Level
from trigpoint.sources.directory import DirectorySource


def write(root: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def repository(root: Path, *paths: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main", ".")
    write(root, *paths)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    return root


def listed(source: DirectorySource) -> list[str]:
    return [entry.path for entry in source.entries() if not entry.refused]


def refused(source: DirectorySource) -> dict[str, str]:
    return {entry.path: entry.refused.reason for entry in source.entries() if entry.refused}


@pytest.fixture(params=["git", "walk"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An empty folder that is listed one way or the other; the rules must be the same."""
    folder = tmp_path / "x"
    folder.mkdir()
    if request.param == "git":
        git(folder, "init", "-q", "-b", "main", ".")
    return folder


def test_negated_patterns(root: Path) -> None:
    write(
        root,
        "add/in/a.py",
        "add/out/b.py",
        ".set/keep.py",
        ".set/drop.py",
        "shut/no.py",
        "web/in/p.py",
        "web/tmp/q.py",
    )
    write(root, ".gitignore", text="add/*\n!add/in\n.set/*\n!.set/keep.py\nshut/\n!shut/no.py\n")
    write(root, "web/.gitignore", text="/*\n!/in\n")
    assert listed(DirectorySource(root)) == [".gitignore", ".set/keep.py", "add/in/a.py", "web/in/p.py"]


def test_anchored_and_nested_patterns(root: Path) -> None:
    write(
        root,
        "cov/c.js",
        "src/cov/c.js",
        "doc/g.js",
        "doc/api/g.js",
        "a/tmp/t.js",
        "lib/build/o.js",
        "lib/s/build/o.js",
        "b/build",
    )
    write(root, ".gitignore", text="/cov\ndoc/*.js\n**/tmp/\nbuild/\n.gitignore\n")
    write(root, "lib/.gitignore", text="!/build/\n")
    assert listed(DirectorySource(root)) == ["b/build", "doc/api/g.js", "lib/build/o.js", "src/cov/c.js"]


def test_other_tools_ignore_files_say_nothing(root: Path) -> None:
    write(root, "src/a.py")
    for name in (".prettierignore", ".dockerignore", ".eslintignore", ".npmignore", ".ignore"):
        write(root, name, text="*\nsrc/\n")
    assert "src/a.py" in listed(DirectorySource(root))


def test_own_ignore_file_comes_on_top(root: Path) -> None:
    write(root, "a.py", "gen/b.py", "gen/keep/c.py", "sub/d.py", "sub/e.py", "log.txt")
    write(root, ".gitignore", text=".trigignore\n.gitignore\nlog.txt\n")
    write(root, ".trigignore", text="gen/*\n!gen/keep/\n!log.txt\n")
    write(root, "sub/.trigignore", text="/d.py\n")
    source = DirectorySource(root)
    # a .trigignore in a sub-folder counts in git unless git ignores it; the one at the root always does
    assert [path for path in listed(source) if path != "sub/d.py"] == ["a.py", "gen/keep/c.py", "sub/e.py"]
    (root / ".gitignore").unlink()
    assert listed(source) == [
        ".trigignore",
        "a.py",
        "gen/keep/c.py",
        "log.txt",
        "sub/.trigignore",
        "sub/e.py",
    ]


def test_extra_ignore_lines_and_no_git(root: Path) -> None:
    write(root, "a.py", "b.py", "c/d.py")
    write(root, ".gitignore", text="a.py\n")
    assert listed(DirectorySource(root, extra_ignore=["c/", "*.md"])) == [".gitignore", "b.py"]
    assert listed(DirectorySource(root, honour_git=False)) == [".gitignore", "a.py", "b.py", "c/d.py"]


def test_odd_names(root: Path) -> None:
    names = [
        "目录/子 目录/文件.py",
        "it's/quo\"te.py",
        "br[ack]et/[id].py",
        "dash/-rf.py",
        "--help.py",
        "back\\slash.py",
    ]
    names += [
        "perc%41ent.py",
        "hash#tag.py",
        "emoji🎈.py",
        "star*?.py",
        "new\nline.py",
        "tab\there.py",
        "$HOME.py",
    ]
    write(root, *names)
    with open(os.fsencode(root) + b"/latin\xe9.py", "wb") as file:
        file.write(b"x = 1\n")
    source = DirectorySource(root)
    assert listed(source) == sorted([*names, "latin\udce9.py"])
    for entry in source.entries():
        assert source.read(entry).outcome.level is Level.INDEXED


def test_links_are_explained_and_never_followed(root: Path) -> None:
    write(root, "app/inside.py", "app/deep/beside.py")
    write(root.parent, "outside/secret.py")
    links = {
        "app/alias.py": "inside.py",
        "app/deep/up": "..",
        "app/me": ".",
        "app/self": "self",
        "app/lost.py": "nowhere",
    }
    links |= {"app/out": "../../outside", "app/stolen.py": str(root.parent / "outside/secret.py")}
    for path, target in links.items():
        (root / path).symlink_to(target)
    source = DirectorySource(root)
    assert listed(source) == ["app/deep/beside.py", "app/inside.py"]
    assert refused(source) == dict.fromkeys(links, "symlink")
    details = {entry.path: entry.refused.detail for entry in source.entries() if entry.refused}
    assert details["app/alias.py"] == "a link to app/inside.py, which is listed under its own path"
    assert details["app/stolen.py"] == details["app/out"] == "a link that points outside the project"
    assert details["app/lost.py"] == "a link that points to nothing"
    assert "back to itself" in details["app/self"]


def test_pipes_and_sockets_are_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "run/real.py", "run/folder.py/within.py")
    monkeypatch.chdir(root / "run")
    os.mkfifo("pipe.py")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("sock.py")
        source = DirectorySource(root)
        assert listed(source) == ["run/folder.py/within.py", "run/real.py"]
        # git keeps silent about what it cannot track
        assert set(refused(source).values()) <= {"special-file"}


def test_a_pipe_in_the_place_of_a_listed_file(root: Path) -> None:
    write(root, "a.py", "b.py")
    source = DirectorySource(root)
    first, second = source.entries()
    (root / "a.py").unlink()
    os.mkfifo(root / "a.py")
    (root / "b.py").unlink()
    (root / "b.py").symlink_to("/etc/hostname")
    assert source.read(first).outcome.reason == "special-file"
    assert source.read(second).outcome.reason == "symlink"


def test_deep_nesting(root: Path) -> None:
    deep = "/".join(["d"] * 300)
    write(root, f"{deep}/a.py")
    assert listed(DirectorySource(root)) == [f"{deep}/a.py"]


def test_too_long_paths_do_not_stop_the_listing(root: Path) -> None:
    write(root, "a.py")
    here = os.open(root, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("n" * 200, dir_fd=here)
        inner = os.open("n" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("b.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    assert "a.py" in listed(DirectorySource(root))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_and_folders_are_in_the_ledger(root: Path) -> None:
    write(root, "a.py", "locked.py", "shut/in.py")
    (root / "locked.py").chmod(0)
    (root / "shut").chmod(0)
    try:
        source = DirectorySource(root)
        entries = {entry.path: entry for entry in source.entries()}
        assert listed(source) == ["a.py", "locked.py"]
        assert refused(source) == {"shut": "unreadable"}
        assert source.read(entries["locked.py"]).outcome.reason == "unreadable"
    finally:
        (root / "shut").chmod(0o755)


def test_size_limit(root: Path) -> None:
    write(root, "big.py", text="x = 1\n" * 20)
    write(root, "small.py")
    source = DirectorySource(root, max_bytes=100)
    assert (listed(source), refused(source)) == (["small.py"], {"big.py": "too-large"})
    entry = next(entry for entry in source.entries() if entry.path == "small.py")
    write(root, "small.py", text="x = 1\n" * 20)
    assert source.read(entry).outcome.reason == "too-large"


def test_the_root_may_have_any_name(tmp_path: Path) -> None:
    for name in ("tests", "node_modules", "vendor", "__pycache__"):
        write(tmp_path, f"{name}/a.py")
        assert listed(DirectorySource(tmp_path / name)) == ["a.py"]


def test_version_control_folders_are_never_listed(root: Path) -> None:
    write(root, "a.py", ".hg/b.py", "c/.svn/d.py", ".trigpoint/e.py")
    assert listed(DirectorySource(root)) == ["a.py"]


def test_no_folder(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    for path in ("a.py", "missing"):
        with pytest.raises(SourceError) as caught:
            DirectorySource(tmp_path / path).entries()
        assert caught.value.hint


# git only


def test_git_tracked_files_count_although_ignored_and_deleted_ones_do_not(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "kept.log", "gone.py", "a.py")
    write(root, ".gitignore", text="*.log\n")
    write(root, "new.log", "new.py")
    (root / "gone.py").unlink()
    assert listed(DirectorySource(root)) == [".gitignore", "a.py", "kept.log", "new.py"]


def test_git_sub_folder_with_rules_from_above(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "pkg/a.py", "other/b.py")
    write(root, ".gitignore", text="gen/\n")
    write(root, "pkg/gen/c.py", "pkg/d.py")
    assert listed(DirectorySource(root / "pkg")) == ["a.py", "d.py"]


def test_git_ignored_folder_asked_for_by_name(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "a.py")
    write(root, ".gitignore", text="build/\n")
    write(root, "build/b.py")
    source = DirectorySource(root / "build")
    assert listed(source) == ["b.py"]
    assert "ignores it" in source.notes[0]


def test_git_conflicts_and_folders_in_the_place_of_files(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "both.py", "was-file")
    git(root, "checkout", "-q", "-b", "other")
    write(root, "both.py", text="other\n")
    git(root, "commit", "-qam", "two")
    git(root, "checkout", "-q", "main")
    write(root, "both.py", text="main\n")
    git(root, "commit", "-qam", "three")
    assert subprocess.run(["git", "merge", "other"], cwd=root, capture_output=True).returncode
    (root / "was-file").unlink()
    write(root, "was-file/now.py")
    source = DirectorySource(root)
    assert (listed(source), refused(source)) == (["both.py", "was-file/now.py"], {})


def test_git_files_behind_a_linked_folder_are_not_read(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "pkg/a.py", "b.py")
    write(tmp_path, "outside/a.py")
    (root / "pkg/a.py").unlink()
    (root / "pkg").rmdir()
    (root / "pkg").symlink_to("../outside")
    source = DirectorySource(root)
    assert (listed(source), refused(source)) == (["b.py"], {"pkg": "symlink"})


def test_git_submodules_are_listed_and_explained(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", "i.py")
    root = repository(tmp_path / "x", "a.py")
    git(root, "submodule", "--quiet", "add", str(inner), "mods/inner")
    source = DirectorySource(root)
    assert (listed(source), refused(source)) == ([".gitmodules", "a.py"], {"mods/inner": "submodule"})
    assert listed(DirectorySource(root / "mods/inner")) == ["i.py"]


def test_git_worktree_inside_is_no_second_copy(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "src/anchor.py")
    write(root, ".gitignore", text=".agents/\n")
    git(root, "worktree", "add", "-q", ".agents/task", "-b", "task")
    git(root, "worktree", "add", "-q", "wt2", "-b", "task-2")
    repository(root / "clone", "own.py")
    source = DirectorySource(root)
    assert listed(source) == [".gitignore", "src/anchor.py"]
    assert refused(source) == {"wt2": "worktree", "clone": "nested-repository"}
    assert listed(DirectorySource(root / "wt2")) == ["src/anchor.py"]
    assert listed(DirectorySource(root / ".agents/task")) == ["src/anchor.py"]


def test_git_of_a_hook_is_not_taken_for_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(tmp_path / "other", "o.py")
    root = repository(tmp_path / "x", "a.py")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert listed(DirectorySource(root)) == ["a.py"]


def test_git_monitor_named_by_a_repository_is_not_run(tmp_path: Path) -> None:
    root = repository(tmp_path / "x", "a.py")
    git(root, "config", "core.fsmonitor", f"touch {tmp_path}/owned; false")
    assert listed(DirectorySource(root)) == ["a.py"]
    assert not (tmp_path / "owned").exists()


# where git gives no list


@pytest.mark.parametrize("damage", ["missing", "empty", "junk"])
def test_without_a_usable_git_the_same_files_are_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    root = repository(tmp_path / "x", "pkg/a.py")
    write(root, ".gitignore", text="gen/\n/pkg/b.py\n")
    write(root, "gen/c.py", "pkg/gen/c.py", "pkg/b.py", "pkg/local.py")
    write(root, ".git/info/exclude", text="local.py\n")
    git(root, "worktree", "add", "-q", "pkg/wt", "-b", "task")
    expected = listed(DirectorySource(root / "pkg"))
    if damage == "missing":
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        (root / ".git/HEAD").write_text("" if damage == "empty" else "junk\n")
    source = DirectorySource(root / "pkg")
    assert listed(source) == expected == ["a.py"]
    assert refused(source) == {"wt": "worktree"}
    assert "walked instead" in source.notes[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to give a folder away")
def test_a_repository_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    root = repository(tmp_path / "x", "a.py")
    for path in (root, root / ".git"):
        os.chown(path, 12345, 12345)
    source = DirectorySource(root)
    assert listed(source) == ["a.py"]
    assert "another user owns it" in source.notes[0]


def test_a_plain_folder_with_several_repositories(tmp_path: Path) -> None:
    root = tmp_path / "x"
    write(root, "loose.py", "plain/a.py", "skipped/b.py")
    for name in ("north", "south"):
        write(root, f"{name}/pkg/gen/made.py", f"{name}/pkg/src/own.py", f"{name}/log.py", f"{name}/priv.py")
        write(root, f"{name}/pkg/.gitignore", text="gen/\n.gitignore\n")
        write(root, f"{name}/.gitignore", text="/log.py\n.gitignore\n")
        git(root / name, "init", "-q", ".")
    write(root, ".trigignore", text="skipped/\n/south/priv.py\n")
    source = DirectorySource(root)
    expected = [
        ".trigignore",
        "loose.py",
        "north/pkg/src/own.py",
        "north/priv.py",
        "plain/a.py",
        "south/pkg/src/own.py",
    ]
    assert (listed(source), source.notes) == (expected, ())


def test_worktrees_side_by_side_in_a_plain_folder(tmp_path: Path) -> None:
    root = tmp_path / "x"
    main = repository(root / "main", "a.py")
    git(main, "worktree", "add", "-q", "../fix", "-b", "fix")
    source = DirectorySource(root)
    assert (listed(source), refused(source)) == (["main/a.py"], {"fix": "worktree"})
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(main), str(bare))
    for name in ("one", "two"):
        git(bare, "worktree", "add", "-q", str(tmp_path / "y" / name), "-b", name)
    source = DirectorySource(tmp_path / "y")
    assert len(listed(source)) == 1
    assert list(refused(source).values()) == ["worktree"]


def test_installed_packages_and_caches_outside_git(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.py",
        "node_modules/x/i.js",
        "env/pyvenv.cfg",
        "env/lib/y.py",
        "p/__pycache__/z.py",
        "venv/own.py",
    )
    write(tmp_path, "target/CACHEDIR.TAG", "target/o.rs", "dist/kept.js", "build/kept.py", "target2/kept.rs")
    source = DirectorySource(tmp_path)
    assert listed(source) == ["a.py", "build/kept.py", "dist/kept.js", "target2/kept.rs", "venv/own.py"]
    assert refused(source) == {"node_modules": "dependencies", "env": "dependencies"}
