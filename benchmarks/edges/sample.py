"""A seeded sample of call edges of one language, to be judged by reading: is this the definition that this call means?

    python benchmarks/edges/sample.py LANGUAGE FOLDER [--without A,B] [--count 100] [--seed 1] > samples/LANGUAGE.tsv

Every edge with a confidence of .8 or more has the same chance. To standard error goes how many of the calls whose name
some definition of the folder has got an edge: a lower bound of recall, since many of them mean a library's namesake.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from trigpoint.indexing.link import link
from trigpoint.indexing.record import outline_of
from trigpoint.languages import detect
from trigpoint.languages.linking import family
from trigpoint.model import MODULE, Edge, Outline

LEAST = 0.8
CALLED = frozenset(
    {"function", "method", "constructor", "class", "struct", "interface", "enum", "record", "trait", "macro"}
)
Tree = dict[str, tuple[str, frozenset[str], Outline]]


def tree_of(root: Path, language: str, without: tuple[str, ...]) -> Tree:
    """Path -> language, marks and outline of the files of a language's family."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not path.is_file() or any(part in without or part == ".git" for part in name.split("/")):
            continue
        kind = detect(name, "" if path.suffix else path.read_text("utf-8", "replace")[:256])
        if family(kind) and family(kind) == family(language):
            text = path.read_text("utf-8", "replace")
            kind = detect(name, text[:4096])
            found[name] = (kind, frozenset(), outline_of(text, kind))
    return found


def edges_of(root: Path, tree: Tree) -> list[Edge]:
    """Sure call edges, in order."""

    def text(path: str) -> str:
        return (root / path).read_text("utf-8", "replace") if (root / path).is_file() else ""

    languages = {path: one[0] for path, one in tree.items()}
    return [edge for _, edges in link(languages, tree.get, text) for edge in edges if edge.kind == "calls"]


def share(tree: Tree, edges: list[Edge]) -> str:
    """How many calls with a name of the tree's own have an edge."""
    known = {one.name for _, _, outline in tree.values() for one in outline.symbols if one.kind in CALLED}
    sure = {(edge.path, edge.line, edge.column) for edge in edges if edge.confidence >= LEAST}
    calls = [
        (path, use.line, use.column)
        for path, (_, _, outline) in tree.items()
        for use in outline.references
        if use.kind in ("call", "new", "macro") and use.name in known
    ]
    return f"{sum(call in sure for call in calls)} of {len(calls)} calls with a known name have an edge"


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("language")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", default="")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tree = tree_of(args.folder, args.language, tuple(args.without.split(",")))
    began = time.process_time()
    edges = edges_of(args.folder, tree)
    print(
        f"{share(tree, edges)}; {len(tree)} files in {time.process_time() - began:.2f} s CPU", file=sys.stderr
    )
    sure = sorted(edge for edge in edges if edge.confidence >= LEAST and edge.target != MODULE)
    for edge in sorted(random.Random(args.seed).sample(sure, min(args.count, len(sure)))):
        target = tree[edge.target_path][2].symbols[edge.target]
        meant = f"{edge.target_path}:{target.name_line} {target.qualified}"
        print(f"{edge.path}:{edge.line}\t{meant}\t\t{edge.resolved_by}")


if __name__ == "__main__":
    main()
