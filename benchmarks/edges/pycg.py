"""Call edges on PyCG's micro-benchmark: 119 programs of a few lines with their call graphs, also of what needs value flow.

    git clone https://github.com/vitsalis/PyCG FOLDER
    python benchmarks/edges/pycg.py FOLDER/micro-benchmark/snippets

Its graphs name the constructor where ours name the class, credit class bodies to their module, and number lambdas.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from judge import LEAST, Tree, linked, outlines

from trigpoint.indexing.linking.resolver import Resolver
from trigpoint.languages.linking import Value, linking
from trigpoint.model import MODULE

Call = tuple[str, str]  # caller, callee


class Case:
    """One program."""

    def __init__(self, folder: Path) -> None:
        self.tree: Tree = outlines(folder, (".py",))
        graph = json.loads((folder / "callgraph.json").read_text("utf-8"))
        self.truth = {
            (caller, one) for caller, called in graph.items() for one in called if "<builtin>" not in one
        }
        self.lambdas = dict(self._lambdas())

    def said(self) -> set[Call]:
        """Our call edges, in PyCG's names."""
        project = Resolver(linking("python"), sorted(self.tree), self.tree.get, lambda path: "")
        found = set()
        for edge in linked(self.tree):
            if edge.kind != "calls" or edge.confidence < LEAST:
                continue
            target = (edge.target_path, edge.target)
            if self.tree[target[0]][2].symbols[target[1]].kind == "class":
                made = project.member(Value("definition", *target), "__init__")
                if made is None or made.symbol is None:
                    continue
                target = made.symbol
            found.add((self.name(edge.path, self.function(edge.path, edge.source)), self.name(*target)))
        return found

    def function(self, path: str, index: int) -> int:
        """The function that runs the body of a class: the one around it."""
        symbols = self.tree[path][2].symbols
        while index != MODULE and symbols[index].kind == "class":
            index = symbols[index].container
        return index

    def name(self, path: str, index: int) -> str:
        """A symbol as PyCG writes it."""
        if index == MODULE:
            return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        symbol = self.tree[path][2].symbols[index]
        return f"{self.name(path, symbol.container)}.{self.lambdas.get((path, index), symbol.name)}"

    def _lambdas(self) -> Iterator[tuple[tuple[str, int], str]]:
        for path, (_, _, outline) in self.tree.items():
            count = 0
            for index, symbol in enumerate(outline.symbols):
                if symbol.kind in ("function", "method") and not symbol.signature.startswith(
                    ("def ", "async ")
                ):
                    count += 1
                    yield (path, index), f"<lambda{count}>"


def main() -> None:
    """Print one row a category, then all."""
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for graph in sorted(Path(sys.argv[1]).rglob("callgraph.json")):
        case = Case(graph.parent)
        said = case.said()
        counts = (1, len(said & case.truth), len(said - case.truth), len(case.truth - said))
        for row in (rows[graph.parent.parent.name], rows["all"]):
            row[:] = [old + new for old, new in zip(row, counts, strict=True)]
        if "--wrong" in sys.argv and said - case.truth:
            print(graph.parent.name, "wrong:", said - case.truth)
        if "--missing" in sys.argv and case.truth - said:
            print(graph.parent.name, "missing:", case.truth - said)
    print("| category | programs | precision | recall |\n| --- | --- | --- | --- |")
    rows["all"] = rows.pop("all")
    for name, (programs, right, wrong, missing) in rows.items():
        print(
            f"| {name} | {programs} | {right / max(1, right + wrong):.3f} | {right / max(1, right + missing):.3f} |"
        )


if __name__ == "__main__":
    main()
