"""Digests of all functions of code that must not be trained on, one a line.

usage: leaks.py OUT ROOT...      a ROOT is a folder of sources, a git directory, or a folder of archives as fetch.py fills
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

import archives
import pairs


def of_folder(root: Path) -> Iterator[tuple[str, bytes]]:
    """Every source file below a folder; paths start at it."""
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in (".git", "node_modules")]
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink() and path.stat().st_size <= archives.MOST_BYTES:
                yield path.relative_to(root).as_posix(), path.read_bytes()


def of_git(directory: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of the newest commit of a git directory."""
    git = ["git", f"--git-dir={directory}"]
    heads = subprocess.run(
        [*git, "for-each-ref", "--format=%(objectname)", "--sort=-committerdate"],
        capture_output=True,
        text=True,
        check=True,
    )
    commit = (heads.stdout.split() or ["HEAD"])[0]
    with (
        subprocess.Popen([*git, "archive", "--format=tar", commit], stdout=subprocess.PIPE) as running,
        tarfile.open(fileobj=running.stdout, mode="r|") as archive,
    ):
        for member in archive:
            handle = (
                archive.extractfile(member)
                if member.isfile() and member.size <= archives.MOST_BYTES
                else None
            )
            if handle is not None:
                yield member.name, handle.read()


def of_archives(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of every archive."""
    for package in archives.packages(folder):
        parts = archives.debian_parts(package.path)[0] if package.registry == "debian" else [package.path]
        for part in parts:
            yield from archives.files(part)


_seen: set[bytes] = set()
"""Files that were read before: versions of one project share most of theirs."""


def digests(root: Path) -> set[str]:
    """The digests of one root; a root that cannot be read to its end gives what it has."""
    is_git = (root / "HEAD").exists() and (root / "objects").exists()
    is_archives = (
        any((root / name).is_dir() for name in ("pypi", "npm", "debian")) and not (root / ".git").exists()
    )
    files = of_git(root) if is_git else of_archives(root) if is_archives else of_folder(root)
    found: set[str] = set()
    try:
        for path, data in files:
            name = hashlib.sha256(data).digest()
            if name in _seen:
                continue
            _seen.add(name)
            with suppress(RecursionError, ValueError, IndexError):
                found.update(pairs.digests_of(path, data))
    except (tarfile.ReadError, OSError, subprocess.SubprocessError) as error:
        print(root, "read in part:", error, file=sys.stderr)
    return found


def main() -> None:
    """All digests of all roots, sorted; each root's are added to OUT as they come."""
    out, roots = Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]]
    found: set[str] = set()
    with ProcessPoolExecutor(2) as pool:
        waiting = {pool.submit(digests, root): root for root in roots}
        for done in as_completed(waiting):
            print(waiting[done].name, len(done.result()), file=sys.stderr, flush=True)
            found |= done.result()
            out.write_text("\n".join(sorted(found)) + "\n")
    print(len(found), "digests")


if __name__ == "__main__":
    main()
