"""Get the packages of corpora.toml: with pip, npm, apt-get or git, each once, into a folder of one's own.

Git repositories are taken from a folder of bare ones, `MIRROR/OWNER+NAME/repo`, where there is one, else cloned.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("corpora.toml")
LARGEST = 1_000_000
"""Bytes; a longer file is searched as text only, so it has no outline to compare."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """One row of corpora.toml."""

    language: str
    origin: str
    name: str
    version: str
    suffixes: tuple[str, ...]
    folders: tuple[str, ...]
    oracle: str

    def takes(self, path: str) -> bool:
        """Whether a file belongs to it."""
        stem = path.rpartition("/")[2]
        named = any(stem.endswith(one) if one else "." not in stem for one in self.suffixes)
        if not named or stem.endswith((".d.ts", ".min.js")):
            return False
        return not self.folders or path.startswith(tuple(f"{one}/" for one in self.folders))


def corpora() -> list[Corpus]:
    """The rows of corpora.toml."""
    return [
        Corpus(
            language,
            row["from"],
            row["name"],
            row["version"],
            tuple(row["suffixes"]),
            tuple(row.get("folders", ())),
            row["oracle"],
        )
        for language, row in tomllib.loads(LIST.read_text()).items()
    ]


def fetch(corpus: Corpus, work: Path, mirror: Path | None) -> Path:
    """The folder that holds the files of a corpus; written when it is not there yet."""
    place = work / corpus.language
    if not place.is_dir():
        unfinished = work / f"{corpus.language}.part"
        for path, text in _ORIGINS[corpus.origin](corpus, work / "downloads", mirror):
            if corpus.takes(path) and len(text) <= LARGEST and ".." not in path.split("/"):
                file = unfinished / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text)
        unfinished.rename(place)
    return place


def files(place: Path) -> list[Path]:
    """All files of a fetched corpus, or of any other folder, in order."""
    return sorted(path for path in place.rglob("*") if path.is_file() and not path.is_symlink())


def _run(command: list[str], cwd: Path) -> bytes:
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def _download(command: list[str], store: Path) -> Path:
    if not store.is_dir() or not any(store.iterdir()):
        store.mkdir(parents=True, exist_ok=True)
        _run(command, store)
    return next(store.iterdir())


def _from_pip(corpus: Corpus, downloads: Path, _: Path | None) -> Iterator[tuple[str, bytes]]:
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", "."]
    which = {
        "sdist": ["--no-binary", corpus.name],
        "wheel": ["--only-binary", ":all:"],
    }
    wanted = f"{corpus.name}=={corpus.version}"
    archive = _download([*pip, *which[corpus.origin], wanted], downloads / f"{corpus.name}-{corpus.version}")
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as packed:
            for name in packed.namelist():
                yield name, packed.read(name)
    else:
        yield from _unpacked(archive.read_bytes())


def _from_npm(corpus: Corpus, downloads: Path, _: Path | None) -> Iterator[tuple[str, bytes]]:
    command = ["npm", "pack", "--silent", f"{corpus.name}@{corpus.version}"]
    yield from _unpacked(_download(command, downloads / f"{corpus.name}-{corpus.version}").read_bytes())


def _from_debian(corpus: Corpus, downloads: Path, _: Path | None) -> Iterator[tuple[str, bytes]]:
    store = downloads / corpus.name
    archive = _download(["apt-get", "download", f"{corpus.name}={corpus.version}"], store)
    yield from _unpacked(_run(["dpkg-deb", "--fsys-tarfile", archive.name], store))


def _from_git(corpus: Corpus, downloads: Path, mirror: Path | None) -> Iterator[tuple[str, bytes]]:
    bare = mirror / corpus.name.replace("/", "+") / "repo" if mirror else downloads / "none"
    if not bare.is_dir():
        bare = (downloads / corpus.name.replace("/", "+")).resolve()
        if not bare.is_dir():
            downloads.mkdir(parents=True, exist_ok=True)
            url = f"https://github.com/{corpus.name}"
            _run(["git", "clone", "--quiet", "--bare", "--filter=blob:none", url, str(bare)], downloads)
    archive = _run(["git", "archive", "--format=tar", "--prefix=top/", corpus.version, *corpus.folders], bare)
    yield from _unpacked(archive)


def _unpacked(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tape:
        for member in tape:
            taken = tape.extractfile(member) if member.isfile() else None
            if taken is not None:
                _, _, path = member.name.partition("/")  # of Debian "./"
                yield path, taken.read()


_ORIGINS: dict[str, Callable[[Corpus, Path, Path | None], Iterator[tuple[str, bytes]]]] = {
    "sdist": _from_pip,
    "wheel": _from_pip,
    "npm": _from_npm,
    "debian": _from_debian,
    "git": _from_git,
}
