"""Call edges against an oracle: what was said and is so, what was said and is not, what was not said.

A site is a call as written; the oracle's answer to it is the definition that its token names. A target is right when it is
that definition, or its namesake: twins (overloads, if/else branches) in one file with one qualified name count as one. Sites whose
definition lies outside the project are judged too: any edge there is wrong. Sites that the oracle leaves open, or that name a
local or a variable, are not judged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scip import Oracle, Place

from trigpoint.indexing.link import link
from trigpoint.indexing.record import outline_of
from trigpoint.languages import detect
from trigpoint.model import Edge, Outline, Reference

LEAST = 0.8
"""Edges below this are candidates, and are said to be."""

CALLS = frozenset({"call", "new"})
CALLED = frozenset({"function", "method", "constructor", "class", "struct", "interface"})

_CONSTRUCTOR = "`<constructor>`()."
"""What ``new Class()`` names in TypeScript; here it is the class."""

Tree = Mapping[str, tuple[str, frozenset[str], Outline]]
Target = tuple[str, str]  # path, qualified name


@dataclass
class Verdict:
    """Counts, and examples of what is wrong and what is missing."""

    counts: Counter[str] = field(default_factory=Counter)
    ways: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Of the judged edges, the share that is right."""
        return self.counts["right"] / max(1, self.counts["right"] + self.counts["wrong"])

    @property
    def precision_where_names_agree(self) -> float:
        """The same without sites where the oracle names a definition of another name: its own slips, audited by hand."""
        wrong = self.counts["wrong"] - self.counts["wrong, the oracle names another name"]
        return self.counts["right"] / max(1, self.counts["right"] + wrong)

    @property
    def recall(self) -> float:
        """Of the sites whose definition lies in the project, the share with the right edge."""
        return self.counts["found"] / max(1, self.counts["inside"])


def outlines(root: Path, suffixes: tuple[str, ...], without: tuple[str, ...] = ()) -> Tree:
    """Every source file below a folder, outlined."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if (
            path.suffix in suffixes
            and path.is_file()
            and not any(f"/{part}/" in f"/{name}" for part in without)
        ):
            text = path.read_text("utf-8", "replace")
            language = detect(name, text)
            found[name] = (language, frozenset(), outline_of(text, language))
    return found


def linked(tree: Tree, root: Path | None = None) -> list[Edge]:
    """All edges of a tree, whose configuration files lie below a folder."""

    def text(path: str) -> str:
        file = root / path if root is not None else None
        return file.read_text("utf-8", "replace") if file is not None and file.is_file() else ""

    languages = {path: one[0] for path, one in tree.items()}
    return [edge for _, edges in link(languages, tree.get, text) for edge in edges]


def judge(tree: Tree, edges: list[Edge], oracle: Oracle) -> Verdict:
    """Compare the call edges of a tree with an oracle."""
    verdict = Verdict()
    said: dict[Place, list[Edge]] = defaultdict(list)
    for edge in edges:
        if edge.kind == "calls" and edge.confidence >= LEAST:
            said[Place(edge.path, edge.line, edge.column)].append(edge)
    known = {
        Place(path, symbol.name_line, symbol.name_column): (path, symbol.qualified)
        for path, (_, _, outline) in tree.items()
        for symbol in outline.symbols
        if symbol.kind in CALLED
    }
    for path, (_, _, outline) in tree.items():
        for use in outline.references:
            if use.kind in CALLS and use.name != "()":  # the oracle names the inner call at that place
                place = Place(path, use.line, use.column)
                judge_site(
                    verdict, place, use, _truth(place, oracle, known), _targets(said.get(place, []), tree)
                )
    return verdict


def _targets(edges: list[Edge], tree: Tree) -> dict[Target, str]:
    return {
        (edge.target_path, tree[edge.target_path][2].symbols[edge.target].qualified): edge.resolved_by
        for edge in edges
    }


def _truth(place: Place, oracle: Oracle, known: Mapping[Place, Target]) -> set[Target] | None:
    """Definitions in the project; empty for outside; None when the site is not judged."""
    symbols = [symbol.removesuffix(_CONSTRUCTOR) for symbol in oracle.named.get(place, [])]
    found = {known[at] for symbol in symbols for at in oracle.defined.get(symbol, ()) if at in known}
    if found:
        return found
    is_open = not symbols or any(symbol.startswith("local") or symbol in oracle.defined for symbol in symbols)
    return None if is_open else set()


def judge_site(
    verdict: Verdict, place: Place, use: Reference, truth: set[Target] | None, said: dict[Target, str]
) -> None:
    """Count one site: what the oracle says of it (None: nothing), and what the edges do, with how they were found."""
    counts = verdict.counts
    if truth is None:
        counts["not judged"] += 1
        return
    counts["inside" if truth else "outside"] += 1
    counts["found"] += bool(truth & said.keys())
    at = f"{place.path}:{place.line} {use.receiver + '.' if use.receiver else ''}{use.name}"
    for target, way in said.items():
        right = target in truth
        counts["right" if right else "wrong"] += 1
        verdict.ways[way]["right" if right else "wrong"] += 1
        if not right:
            other = bool(truth) and all(name.rpartition(".")[2] != use.name for _, name in truth)
            counts["wrong, the oracle names another name"] += other
            verdict.wrong.append(f"{at} -> {target} ({way}), the oracle: {sorted(truth) or 'outside'}")
    if truth and not truth & said.keys():
        verdict.missing.append(f"{at} -> {sorted(truth)}")
