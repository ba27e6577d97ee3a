"""Build the mixed tree that speed is measured on, from pinned PyPI and npm packages.

    corpus.py DIR [--downloads FOLDER] [--git]

The same 10,000 files whoever builds it: corpus.toml says which, and its digest is checked at the end.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

LIST = Path(__file__).with_name("corpus.toml")
LARGEST_FILE = 500_000
LONGEST_MEAN_LINE = 250  # bytes; above this a file is minified or data


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned package and the part of it that is taken; `origin` is sdist, wheel or npm."""

    origin: str
    name: str
    version: str
    suffixes: tuple[str, ...]
    folders: tuple[str, ...]
    files: int

    @property
    def folder(self) -> str:
        """Where its files go inside the tree."""
        return self.name.removeprefix("@").replace("/", "-")

    def takes(self, path: str, size: int) -> bool:
        """Whether a file is one of those wanted, as far as its name and size tell."""
        if (
            size > LARGEST_FILE
            or ".min." in path
            or path.endswith(".d.ts")
            or not path.endswith(self.suffixes)
        ):
            return False
        return not self.folders or any(path == one or path.startswith(one + "/") for one in self.folders)


def packages(listed: dict[str, Any]) -> list[Package]:
    """The rows of corpus.toml."""
    return [
        Package(
            row["from"],
            row["name"],
            row["version"],
            tuple(row["suffixes"]),
            tuple(row.get("folders", ())),
            row["files"],
        )
        for row in listed["package"]
    ]


def download(package: Package, store: Path) -> Path:
    """The package's archive, fetched with pip or npm unless it is in the store already."""
    place = store / f"{package.folder}-{package.version}"
    if not place.is_dir() or not any(place.iterdir()):
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(_client(package, place), cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"cannot download {package.name} {package.version}:\n{done.stderr[-2000:]}")
    return next(place.iterdir())


def _client(package: Package, place: Path) -> list[str]:
    if package.origin == "npm":
        return ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(place)]
    if package.origin == "sdist":
        return [*pip, "--no-binary", package.name, f"{package.name}=={package.version}"]
    wheel = ["--only-binary", ":all:", "--platform", "manylinux_2_17_x86_64"]
    return [*pip, *wheel, f"{package.name}=={package.version}"]


def contents(archive: Path, package: Package) -> Iterator[tuple[str, bytes]]:
    """Path and text of the wanted files, in path order, without the top folder of source archives."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as packed:
            for info in sorted(packed.infolist(), key=lambda one: one.filename):
                if package.takes(info.filename, info.file_size):
                    yield info.filename, packed.read(info)
        return
    texts = {}  # read in the archive's order: going back in a .gz means unpacking it again
    with tarfile.open(archive) as tape:
        for member in tape:
            path = member.name.partition("/")[2]
            taken = tape.extractfile(member) if member.isfile() and package.takes(path, member.size) else None
            if taken is not None:
                texts[path] = taken.read()
    yield from sorted(texts.items())


def is_readable(text: bytes) -> bool:
    """Whether a file is text with lines of the length people write."""
    return b"\0" not in text and len(text) <= LONGEST_MEAN_LINE * (text.count(b"\n") + 1)


def chosen(listed: dict[str, Any], store: Path) -> Iterator[tuple[str, bytes]]:
    """The tree's files in the order of the list, exactly as many as it asks for."""
    wanted = listed["files"]
    for package in packages(listed):
        left = min(package.files, wanted)
        for path, text in contents(download(package, store), package):
            if left == 0:
                break
            if is_readable(text) and ".." not in PurePosixPath(path).parts:
                left -= 1
                wanted -= 1
                yield f"{package.folder}/{path}", text
    if wanted:
        raise SystemExit(f"the packages hold {wanted} files too few")


def build(listed: dict[str, Any], dest: Path, store: Path) -> str:
    """Write the tree; its digest over paths and texts."""
    digest, sizes, counts = hashlib.sha256(), 0, Counter[str]()
    for path, text in chosen(listed, store):
        place = dest / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
        digest.update(f"{path}\0{len(text)}\0".encode() + text)
        sizes += len(text)
        counts[place.suffix] += 1
    kinds = ", ".join(f"{count} {suffix}" for suffix, count in counts.most_common())
    print(f"{counts.total()} files, {sizes / 1e6:.1f} MB: {kinds}")
    return digest.hexdigest()


def commit(tree: Path) -> None:
    """Make the tree a git repository with one commit."""
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    for step in (["init", "-q"], ["add", "-A", "-f"], [*who, "commit", "-q", "-m", "The mixed tree"]):
        subprocess.run(["git", *step], cwd=tree, check=True)


def main() -> None:
    """Build, then compare with the digest on record."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dest", type=Path, help="where the tree goes; must not exist")
    parser.add_argument("--downloads", type=Path, help="keep archives here (default: beside DIR)")
    parser.add_argument("--git", action="store_true", help="make the tree a git repository, as most are")
    args = parser.parse_args()
    if args.dest.exists():
        parser.error(f"{args.dest} exists")
    store = (args.downloads or args.dest.with_name(args.dest.name + "-downloads")).resolve()
    listed = tomllib.loads(LIST.read_text())
    digest = build(listed, args.dest, store)
    print(f"digest {digest}")
    if args.git:
        commit(args.dest)
    if listed["digest"] and digest != listed["digest"]:
        sys.exit("this is not the tree on record: the digest differs from corpus.toml")


if __name__ == "__main__":
    main()
