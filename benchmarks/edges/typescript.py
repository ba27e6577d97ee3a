"""TypeScript packages from npm, and what scip-typescript says of them."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

INDEXER = "@sourcegraph/scip-typescript@0.4.0"
ORACLE = "oracle.json"
"""The configuration that only the indexer reads: released packages have none that fits their sources alone."""
OPTIONS = {
    "target": "es2022",
    "lib": ["es2022", "dom"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "strict": True,
    "noEmit": True,
    "skipLibCheck": True,
    "types": [],
}


def sources(work: Path, name: str, project: dict[str, Any]) -> Path:
    """The sources and the package.json of a released package, fetched and unpacked once."""
    folder = work / "src" / name
    if not folder.exists():
        packed = ["npm", "pack", f"{name}@{project['version']}", "--silent", "--pack-destination", str(work)]
        subprocess.run(packed, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(work / f"{name}-{project['version']}.tgz") as archive:
            for member in archive.getmembers():
                member.name = member.name.partition("/")[2]
                if member.isfile() and (member.name == "package.json" or member.name.startswith("src/")):
                    archive.extract(member, folder, filter="data")
        options = OPTIONS | {"paths": project["paths"]}
        (folder / ORACLE).write_text(json.dumps({"compilerOptions": options, "include": ["src/**/*.ts"]}))
    return folder


def oracle(work: Path, name: str, folder: Path) -> Path:
    """The index that scip-typescript makes of a package, made once."""
    found = work / f"{name}.scip"
    if not found.exists():
        tool = work / "node_modules" / ".bin" / "scip-typescript"
        if not tool.exists():
            subprocess.run(["npm", "install", "--silent", "--prefix", str(work), INDEXER], check=True)
        command = [str(tool), "index", "--output", str(found), ORACLE]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return found
