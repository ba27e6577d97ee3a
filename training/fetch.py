"""Fetch the packages of packages/*.txt by the ordinary clients: pip, npm and apt-get.

usage: fetch.py DATA [--held-out]      fills DATA/pypi, DATA/npm, DATA/debian; what is there already is not asked for again

Debian needs source entries ("deb-src") for the suites named in packages/debian.txt. A package that is no longer served is
named at the end: the model then differs by its pairs.
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
        "--no-build-isolation",
    ],
    "npm": ["npm", "pack", "--silent"],
    "debian": ["apt-get", "--quiet", "source", "--download-only"],
}
"""A registry and how its packages are downloaded into the current folder."""


def fetch(kind: str, names: list[str], folder: Path) -> list[str]:
    """Download packages; returns those that could not be had."""
    folder.mkdir(parents=True, exist_ok=True)
    missing: list[str] = []
    for start in range(0, len(names), TOGETHER):
        some = names[start : start + TOGETHER]
        if subprocess.run([*CLIENTS[kind], *some], cwd=folder, check=False).returncode:
            missing += [
                one
                for one in some
                if subprocess.run([*CLIENTS[kind], one], cwd=folder, check=False).returncode
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
