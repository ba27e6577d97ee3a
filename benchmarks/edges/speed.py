"""What linking and walking cost, in CPU seconds of one process: everything linked, one file changed, callers, impact, the map.

    trig index TREE --index-dir INDEX --set embedder=none
    python benchmarks/edges/speed.py TREE INDEX [--hubs N] [--rounds N]

TREE is made by benchmarks/speed/corpus.py, or any checkout. The changed files are the hubs: of each language the file that most
edges of others lead to. Nothing is written: the changes are made in memory.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import trigpoint
from trigpoint.graph.ask import Wish, ask
from trigpoint.graph.map import project_map, ranked
from trigpoint.indexing.link import Relinking
from trigpoint.indexing.record import outline_of
from trigpoint.languages.linking import family
from trigpoint.model import Outline
from trigpoint.ports import Said, Snapshot
from trigpoint.stores.local import LocalStore

COMMENTS = {"python": "#", "ruby": "#", "php": "#"}
FUNCTIONS = {
    "python": "def {name}(value):\n    return value\n",
    "go": "func {name}(value int) int {{\n\treturn value\n}}\n",
    "rust": "fn {name}(value: i32) -> i32 {{\n    value\n}}\n",
    "javascript": "function {name}(value) {{\n  return value;\n}}\n",
    "typescript": "function {name}(value: number) {{\n  return value;\n}}\n",
    "cpp": "int {name}(int value) {{ return value; }}\n",
    "c": "int {name}(int value) {{ return value; }}\n",
}


class Changed:
    """A state of the index in which one file has another text."""

    def __init__(self, snapshot: Snapshot, path: str, language: str, text: str) -> None:
        self._snapshot, self._path, self._language, self._text = snapshot, path, language, text
        self._outline = outline_of(text, language, path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._snapshot, name)

    def outline_of(self, path: str) -> Outline | None:
        """The new outline of that file, the stored one of others."""
        return self._outline if path == self._path else self._snapshot.outline_of(path)

    def text(self, path: str) -> str:
        """The new text of that file, the stored one of others."""
        return self._text if path == self._path else self._snapshot.text(path)

    def said(self, path: str) -> Said | None:
        """What that file says now."""
        outline = self._outline
        symbols = [(*one[:9], *one[11:]) for one in outline.symbols]
        told = outline.imports, outline.references, outline.bindings
        return Said(self._language, frozenset(), outline.package, outline.exports, symbols, *told)


def hubs(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Of each language the file that most edges of others lead to."""
    files = {row.path: row.language for row in snapshot.files()}
    arcs = [(source, target) for source, target, _, _ in snapshot.arcs(0.8)]
    homes = snapshot.homes({node for arc in arcs for node in arc})
    counts = Counter(homes[target] for source, target in arcs if homes[source] != homes[target])
    seen = set()
    for path, _ in counts.most_common():
        if files[path] not in seen and family(files[path]):
            seen.add(files[path])
            yield path, files[path]


def edits(text: str, language: str) -> dict[str, str]:
    """What a person does to a file; a file without a ``return`` has no result to change."""
    comment = COMMENTS.get(language, "//")
    made = {"comment": f"{comment} a line\n{text}"}
    if language in FUNCTIONS:
        made["function added"] = text + "\n\n" + FUNCTIONS[language].format(name="probe_of_speed")
    if "return self" in text or "return this" in text:
        made["result changed"] = text.replace("return self", "return other", 1).replace(
            "return this", "return other", 1
        )
    return made


def relinked(before: Any, after: Any, path: str) -> int:
    """How many files are linked again when one has changed."""
    return len(list(Relinking(before, after, {path}).edges()))


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds and the result."""
    began = time.process_time()
    found = run()
    return time.process_time() - began, found


def walks(snapshot: Snapshot, rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Milliseconds of callers and impact of names from all over the map."""
    known = project_map(snapshot).landmarks
    names = [one.symbol.symbol.qualified for one in known[:: max(1, len(known) // rounds)]]
    for relation in ("callers", "impact"):
        asked = partial(ask, relation, snapshot=snapshot, wish=Wish(limit=50))
        for name in names[:3]:
            asked(name)
        yield relation, [1000 * timed(partial(asked, name))[0] for name in names]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path)
    parser.add_argument("index", type=Path)
    parser.add_argument("--hubs", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=50)
    args = parser.parse_args()
    gc.disable()  # as indexing does while it links
    store = LocalStore(args.index)
    snapshot = store.snapshot()
    began = time.process_time()
    count = sum(len(one.edges) for one in Relinking(snapshot, snapshot, None).edges())
    whole = time.process_time() - began
    print(f"all of {snapshot.counts()['files']:,} files: {count:,} edges in {whole:.1f} s\n")
    print("| file changed | change | files linked again | CPU s |\n| --- | --- | ---: | ---: |")
    for path, language in list(hubs(snapshot))[: args.hubs]:
        plain = (args.tree / path).read_text("utf-8", "replace")
        before = Changed(snapshot, path, language, plain)
        for what, text in edits(plain, language).items():
            after = Changed(snapshot, path, language, text)
            spent, found = timed(partial(relinked, before, after, path))
            print(f"| {path} | {what} | {found:,} | {spent:.2f} |", flush=True)
    for relation, times in walks(snapshot, args.rounds):
        print(
            f"\n{relation}: p50 {statistics.median(times):.1f} ms, p95 {sorted(times)[int(len(times) * 0.95)]:.1f} ms"
        )
    cold = timed(lambda: ranked(snapshot))[0]
    with trigpoint.open(args.tree, index_dir=str(args.index)) as engine:
        engine.map(update=False)
    with trigpoint.open(args.tree, index_dir=str(args.index)) as engine:
        warm = timed(lambda: engine.map(update=False))[0]
    print(f"\nranks worked out: {cold:.2f} s; map with ranks that were kept: {warm:.2f} s")


if __name__ == "__main__":
    main()
