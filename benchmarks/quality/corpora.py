"""Questions with known answers, and the source trees they are asked of.

Two kinds of data are read:

- a folder in the manner of semble's benchmark: `repos.json` and `annotations/NAME.json`;
- a JSON Lines file of bug reports, one an issue, with the files and functions its real fix touched.

Trees come from git directories (`MIRROR/owner+name/repo`) or from releases on PyPI and npm, and are written
once under a work folder.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OLD_PYTHONS = ("39", "38", "37", "36")
OLD_PLATFORMS = ("manylinux1_x86_64", "manylinux2010_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64")


@dataclass(frozen=True, slots=True)
class Target:
    """A place a good answer shows: a file, or lines of it (one-based, inclusive), or a named function."""

    path: str
    start: int | None = None
    end: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question: `primary` targets must be found, `secondary` ones earn NDCG too."""

    id: str
    text: str
    category: str
    primary: tuple[Target, ...]
    secondary: tuple[Target, ...] = ()
    functions: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """One source tree and the questions asked of it; `repository` is what the bootstrap resamples."""

    repository: str
    key: str
    language: str
    root: Path
    questions: tuple[Question, ...]


class Missing(Exception):
    """A tree that cannot be had here; the message says why."""


def semble_corpora(data: Path, mirror: Path | None, work: Path, only: set[str]) -> Iterator[Corpus]:
    """The repositories of a semble-style folder, laid out at `work/NAME`; stderr names what is missing."""
    for repo in json.loads((data / "repos.json").read_text()):
        name = repo["name"]
        if only and name not in only:
            continue
        folder = repo.get("benchmark_root") or ""
        root = work / name / folder
        try:
            if not (root.is_dir() and any(root.iterdir())):
                export_tree(git_dir(mirror, repo["url"]), repo["revision"], folder, work / name)
        except Missing as why:
            print(f"left out: {name}: {why}", file=sys.stderr)
            continue
        rows = json.loads((data / "annotations" / f"{name}.json").read_text())
        asked = tuple(_semble_question(name, number, row) for number, row in enumerate(rows))
        yield Corpus(name, name, repo["language"], root, asked)


def _semble_question(repository: str, number: int, row: dict[str, Any]) -> Question:
    def targets(key: str) -> tuple[Target, ...]:
        return tuple(_target(one) for one in row.get(key, []))

    return Question(
        f"{repository}:{number}", row["query"], row["category"], targets("relevant"), targets("secondary")
    )


def _target(label: str | dict[str, Any]) -> Target:
    if isinstance(label, str):
        return Target(label)
    return Target(label["path"], label.get("start_line"), label.get("end_line"))


def localisation_corpora(data: Path, mirror: Path | None, work: Path, only: set[str]) -> Iterator[Corpus]:
    """The trees of a bug-report file, laid out at `work/corpora/NAME@VERSION`, questions grouped by tree.

    A question whose gold file is not in the tree (it was added later) is left out.
    """
    grouped: dict[str, list[dict[str, Any]]] = {}
    for line in data.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("tier", "core") == "core" and (not only or row["corpus"]["name"].lower() in only):
            grouped.setdefault(_key(row["corpus"]), []).append(row)
    for key, rows in grouped.items():
        origin = rows[0]["corpus"]
        try:
            root = lay_out(origin, mirror, work / "corpora")
        except Missing as why:
            print(f"left out: {key}: {why}", file=sys.stderr)
            continue
        asked = tuple(_report(row) for row in rows if all((root / f).is_file() for f in row["gold_files"]))
        if len(asked) < len(rows):
            print(
                f"{key}: {len(rows) - len(asked)} of {len(rows)} left out, gold file not in tree",
                file=sys.stderr,
            )
        if asked:
            yield Corpus(origin["name"], key, rows[0]["language"], root, asked)


def _report(row: dict[str, Any]) -> Question:
    functions = tuple(
        Target(f["file"], f["start"], f["end"], f["name"]) for f in row.get("gold_functions") or []
    )
    files = tuple(Target(path) for path in row["gold_files"])
    return Question(row["id"], row["query"], row.get("mention") or "-", files, (), functions)


def _key(origin: dict[str, Any]) -> str:
    version = origin.get("commit") or origin["version"]
    return f"{origin['name'].replace('/', '+')}@{version[:12]}"


def lay_out(origin: dict[str, Any], mirror: Path | None, base: Path) -> Path:
    """The folder of one tree, written if not there yet; `alt` serves when the first has no route."""
    why = Missing("no route")
    options = [(origin, base / _key(origin))]
    if origin.get("alt"):
        options.append((origin["alt"], base / f"{_key(origin)}.alt"))
    for option, dest in options:
        done = dest.with_name(dest.name + ".ok")
        if done.is_file():
            return dest
        shutil.rmtree(dest, ignore_errors=True)
        try:
            _write_tree(option, mirror, dest)
        except Missing as problem:
            why = problem
            continue
        done.touch()
        return dest
    raise why


def _write_tree(origin: dict[str, Any], mirror: Path | None, dest: Path) -> None:
    if origin["kind"] == "fetch":
        export_tree(git_dir(mirror, origin["name"]), origin["commit"], "", dest)
        return
    into = dest / origin.get("prefix", "")
    with tempfile.TemporaryDirectory() as scratch:
        if origin["kind"] == "pypi":
            unpack(_from_pypi(origin, Path(scratch)), into)
        elif origin["kind"] == "npm":
            unpack(npm_pack(f"{origin['name']}@{origin['version']}", Path(scratch)), into)
        else:
            raise Missing(f"unknown kind {origin['kind']}")


def _from_pypi(origin: dict[str, Any], scratch: Path) -> Path:
    """A release's archive: the source one, else a wheel, else a wheel for an old Python."""
    wheel = ("--only-binary", ":all:")
    platforms = [word for name in OLD_PLATFORMS for word in ("--platform", name)]
    ways: list[tuple[str, ...]] = [] if origin.get("form") == "wheel" else [("--no-binary", ":all:")]
    ways += [wheel, *((*wheel, "--python-version", old, *platforms) for old in OLD_PYTHONS)]
    for way in ways:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *way, "-d", str(scratch)]
        subprocess.run([*pip, f"{origin['name']}=={origin['version']}"], capture_output=True, check=False)
        for found in scratch.iterdir():
            return found
    raise Missing(f"pip cannot download {origin['name']}=={origin['version']}")


def npm_pack(spec: str, scratch: Path) -> Path:
    """The archive of one npm package, `name@version`."""
    subprocess.run(["npm", "pack", "--silent", spec], cwd=scratch, capture_output=True, check=False)
    for found in scratch.glob("*.tgz"):
        return found
    raise Missing(f"npm cannot pack {spec}")


def unpack(archive: Path, dest: Path) -> None:
    """Write an archive's plain files under `dest`, without the one top folder of source archives."""
    with tempfile.TemporaryDirectory(dir=_made(dest.parent)) as scratch:
        if archive.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(scratch)
        else:
            with tarfile.open(archive) as tape:
                tape.extractall(scratch, filter=_plain_files)
        top = Path(scratch)
        inside = list(top.iterdir())
        if archive.suffix != ".whl" and len(inside) == 1 and inside[0].is_dir():
            top = inside[0]
        shutil.copytree(top, dest, dirs_exist_ok=True)


def _plain_files(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
    return tarfile.data_filter(member, path) if member.isfile() else None


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def git_dir(mirror: Path | None, url: str) -> Path:
    """The git directory of `url` (or `owner/name`) under the mirror folder."""
    owner, name = url.removesuffix(".git").split("/")[-2:]
    for inner in ("repo", "repo/.git", ""):
        found = (mirror or Path()) / f"{owner}+{name}" / inner
        if (found / "HEAD").is_file():
            return found
    raise Missing(f"no git directory for {owner}/{name} in the mirror")


def export_tree(git: Path, revision: str, folder: str, dest: Path) -> None:
    """Write one revision's plain files (in `folder`, if given) under `dest`; missing objects are left out."""
    base = ["git", "--git-dir", str(git)]
    tree = [*base, "ls-tree", "-rz", "--full-tree", revision, "--", *([folder] if folder else [])]
    listed = subprocess.run(tree, capture_output=True, check=False)
    if listed.returncode:
        raise Missing(f"revision {revision[:12]} is not in the git directory")
    wanted = []
    for entry in listed.stdout.split(b"\0")[:-1]:
        meta, _, path = entry.partition(b"\t")
        mode, kind, digest = meta.split()
        if kind == b"blob" and mode != b"120000":
            wanted.append((digest, path))
    with tempfile.TemporaryFile() as digests:
        digests.write(b"".join(digest + b"\n" for digest, _ in wanted))
        digests.seek(0)
        with subprocess.Popen(
            [*base, "cat-file", "--batch"], stdin=digests, stdout=subprocess.PIPE
        ) as objects:
            assert objects.stdout is not None
            for _, path in wanted:
                head = objects.stdout.readline().split()
                if head[-1] == b"missing":
                    continue
                body = objects.stdout.read(int(head[2]) + 1)[:-1]
                place = dest / path.decode("utf-8", "surrogateescape")
                _made(place.parent)
                place.write_bytes(body)
