"""Precision and recall of call edges, against the indexers of the languages' type checkers.

    python benchmarks/edges/run.py WORK [NAME...] [--wrong] [--missing]

WORK is a folder for downloads and oracles; what is there already is not fetched again. Needs pip, npm and node for fetching.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import typescript
from judge import Verdict, judge, linked, outlines
from scip import read

HERE = Path(__file__).parent
INDEXER = "@sourcegraph/scip-python@0.6.6"
SUFFIXES = {"python": (".py",), "typescript": (".ts", ".tsx")}


def sources(work: Path, name: str, project: dict[str, Any]) -> Path:
    """The folder of a released package, fetched and unpacked once."""
    if project["language"] == "typescript":
        return typescript.sources(work, name, project)
    folder = work / "src" / name
    if not folder.exists():
        wheels = work / "wheels"
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(wheels)]
        subprocess.run([*command, f"{name}=={project['version']}"], check=True)
        (wheel,) = wheels.glob(f"{name}-{project['version']}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


def oracle(work: Path, name: str, folder: Path, language: str) -> Path:
    """The index that the language's indexer makes of a package, made once."""
    if language == "typescript":
        return typescript.oracle(work, name, folder)
    found = work / f"{name}.scip"
    if not found.exists():
        tool = work / "node_modules" / ".bin" / "scip-python"
        if not tool.exists():
            subprocess.run(["npm", "install", "--silent", "--prefix", str(work), INDEXER], check=True)
        command = [
            str(tool),
            "index",
            "--project-name",
            name,
            "--project-version",
            "1",
            "--output",
            str(found),
        ]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return found


def main() -> None:
    """Print one row a project."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--wrong", action="store_true", help="list the edges that the oracle contradicts")
    parser.add_argument("--missing", action="store_true", help="list the sites without their edge")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    projects = tomllib.loads((HERE / "projects.toml").read_text("utf-8"))
    print("| project | files | judged calls | precision | where names agree | recall | link CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, project in projects.items():
        if not args.names or name in args.names:
            folder = sources(work, name, project)
            tree = outlines(folder, SUFFIXES[project["language"]], tuple(project.get("without", ())))
            began = time.process_time()
            edges = linked(tree, folder)
            spent = time.process_time() - began
            verdict = judge(tree, edges, read(oracle(work, name, folder, project["language"])))
            _row(f"{name} {project['version']}", len(tree), verdict, spent)
            for line in (verdict.wrong if args.wrong else []) + (verdict.missing if args.missing else []):
                print(f"    {line}")


def _row(name: str, files: int, verdict: Verdict, spent: float) -> None:
    judged = verdict.counts["inside"] + verdict.counts["outside"]
    print(
        f"| {name} | {files} | {judged:,} | {verdict.precision:.3f} | "
        f"{verdict.precision_where_names_agree:.3f} | {verdict.recall:.3f} | {spent:.2f} |"
    )


if __name__ == "__main__":
    main()
