"""Fetch the packages of packages/*.txt by the ordinary clients: pip, npm and apt-get.

usage: fetch.py DATA [--held-out]      fills DATA/pypi, DATA/npm, DATA/debian; what is there already is not asked for again

Debian's sources come from the archive that this machine's apt gets its packages from, by lists of our own in DATA/apt: no
source entries are needed, nor rights. A package that is no longer served is named at the end: the model then differs by
its pairs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import archives

HERE = Path(__file__).parent / "packages"
TOGETHER = 20
"""Packages asked for in one call; when it fails they are asked for one by one."""

CLIENTS = {
    "pypi": [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"],
    "pypi-sources": [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--no-binary",
        ":all:",
    ],
    "npm": ["npm", "pack", "--silent"],
    "debian": ["apt-get", "--quiet", "--quiet", "source", "--download-only"],
}
"""A registry and how its packages are downloaded into the current folder."""

SUITES = ("bookworm", "trixie")
"""The releases of Debian that the versions in packages/debian.txt are from."""


def debian_archive() -> str:
    """Where apt gets Debian's packages from here."""
    words = ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian"]
    found = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()
    if not found:
        raise SystemExit("apt knows no Debian archive here: run `apt-get update`, or fetch on a Debian")
    return found[0]


def own_lists(folder: Path) -> list[str]:
    """Options for apt-get: lists of the sources of SUITES, kept in ``folder`` beside those of the machine."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    entries = folder / "sources.list"
    archive = debian_archive()
    entries.write_text("".join(f"deb-src {archive} {suite} main\n" for suite in SUITES))
    settings = {
        "Dir::Etc::sourcelist": entries,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",  # the folder need not be open to another user
    }
    options = [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]
    subprocess.run(["apt-get", "--quiet", "--quiet", "update", *options], check=True)
    return options


def fetch(kind: str, names: list[str], folder: Path) -> list[str]:
    """Download packages; returns those that could not be had."""
    client = CLIENTS[kind]
    if kind == "debian" and names:
        client = [*client, *own_lists(folder.resolve().parent / "apt")]
    folder.mkdir(parents=True, exist_ok=True)
    missing: list[str] = []
    for start in range(0, len(names), TOGETHER):
        some = names[start : start + TOGETHER]
        if subprocess.run([*client, *some], cwd=folder, check=False).returncode:
            missing += [
                one for one in some if subprocess.run([*client, one], cwd=folder, check=False).returncode
            ]
    return missing


def main() -> None:
    """All lists, or those of the held-out packages."""
    data, held = Path(sys.argv[1]), "--held-out" in sys.argv
    for kind in CLIENTS:
        path = HERE / (f"held-out-{kind}.txt" if held else f"{kind}.txt")
        if path.exists():
            names = [line for line in path.read_text().split() if not line.startswith("#")]
            registry = kind.split("-")[0]
            here = {(one.registry, one.name, one.version) for one in archives.packages(data)}
            new = [one for one in names if archives.named(registry, one) not in here]
            missing = fetch(kind, new, data / registry)
            print(
                f"{kind}: {len(names) - len(missing)} of {len(names)}, {len(new) - len(missing)} new; "
                f"missing: {' '.join(missing) or 'none'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
