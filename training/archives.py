"""Packages as they come from their registries: what is in an archive, one file at a time."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MOST_BYTES = 600_000
"""A source file that is longer is generated or data."""
MOST_ARCHIVE_BYTES = 80_000_000
"""Read of one archive at most, unpacked: ten packages of this size are a fifth of all pairs as it is."""


class Package(NamedTuple):
    """One archive: where it came from, and under which name."""

    registry: str  # pypi, npm, debian
    name: str
    version: str
    path: Path

    @property
    def key(self) -> str:
        """How pairs name their package."""
        return f"{self.registry}:{self.name}"


def named(registry: str, line: str) -> tuple[str, str, str]:
    """Registry, name and version of a line of packages/*.txt, as ``packages`` tells those of its archive."""
    name, version = re.split(r"==|=|(?<=.)@", line, maxsplit=1)
    if registry == "debian":
        version = version.partition(":")[2] or version  # file names bear no epoch
    return registry, name.removeprefix("@").replace("/", "-"), version


def packages(folder: Path) -> Iterator[Package]:
    """Every package below ``folder``, which holds one folder a registry, sorted by registry and name."""
    for path in sorted(folder.glob("pypi/*")):
        if path.suffix == ".whl":
            name, version = path.name.split("-")[:2]
            yield Package("pypi", name.lower().replace("_", "-").replace(".", "-"), version, path)
        elif path.name.endswith(".tar.gz"):
            name, _, version = path.name.removesuffix(".tar.gz").rpartition("-")
            yield Package("pypi", name.lower().replace("_", "-").replace(".", "-"), version, path)
    for path in sorted(folder.glob("npm/*.tgz")):
        name, version = re.split(r"-(?=\d+\.\d)", path.name.removesuffix(".tgz"), maxsplit=1)
        yield Package("npm", name, version, path)
    for path in sorted(folder.glob("debian/*.dsc")):
        name, _, version = path.stem.partition("_")
        yield Package("debian", name, version, path)


def files(path: Path) -> Iterator[tuple[str, bytes]]:
    """(path inside, content) of each regular file of an archive that is not too long, in its order."""
    read = 0
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir() and info.file_size <= MOST_BYTES:
                    yield info.filename, archive.read(info)
        return
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.isfile() or member.size > MOST_BYTES:
                continue
            handle = archive.extractfile(member)
            if handle is None:
                continue
            data = handle.read()
            read += len(data)
            yield member.name.split("/", 1)[-1], data
            if read > MOST_ARCHIVE_BYTES:
                return


def debian_parts(dsc: Path) -> tuple[list[Path], Path | None]:
    """The upstream archives of a Debian source package that are here, and the archive of its debian/ folder."""
    names: list[str] = []
    listed = False
    for line in dsc.read_text(errors="replace").splitlines():
        if line.startswith("Files:"):
            listed = True
        elif listed and line.startswith(" "):
            names.append(line.split()[2])
        elif listed:
            break
    here = [dsc.parent / name for name in names if (dsc.parent / name).exists()]
    upstream = [one for one in here if ".orig" in one.name and not one.name.endswith(".asc")]
    packaging = next((one for one in here if ".debian.tar" in one.name), None)
    return upstream, packaging
