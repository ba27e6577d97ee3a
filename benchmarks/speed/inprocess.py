"""Time searches inside one Python process; run by an interpreter that has the system installed.

    inprocess.py trig TREE QUERIES.toml ROUNDS
    inprocess.py semble TREE QUERIES.toml ROUNDS [--model DIR]

Prints one JSON object: milliseconds of wall time per search, and of CPU time on average.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

Search = Callable[[str], object]


def opened(system: str, tree: Path, model: str | None) -> Search:
    """A function that answers one question about the tree; its index is there already."""
    if system == "trig":
        import trigpoint  # only one of the two is installed here

        engine = trigpoint.open(tree)
        engine.search("bring the index up to date")
        return partial(engine.search, update=False)
    from semble import SembleIndex

    index = SembleIndex.from_path(tree, model_path=model)
    return lambda query: index.search(query, top_k=10)


def timed(search: Search, queries: Sequence[str], rounds: int) -> dict[str, float]:
    """Each query once unmeasured, then `rounds` times."""
    for query in queries:
        search(query)
    walls, cpu = [], time.process_time()
    for _ in range(rounds):
        for query in queries:
            start = time.perf_counter()
            search(query)
            walls.append(1000 * (time.perf_counter() - start))
    used = 1000 * (time.process_time() - cpu) / len(walls)
    cuts = statistics.quantiles(walls, n=20, method="inclusive")
    return {"p50": statistics.median(walls), "p95": cuts[18], "cpu": used}


def main() -> None:
    """Open, search, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("system", choices=["trig", "semble"])
    parser.add_argument("tree", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--model")
    args = parser.parse_args()
    queries = tomllib.loads(args.queries.read_text())
    start = time.perf_counter()
    search = opened(args.system, args.tree, args.model)
    search(queries["short"][0])
    first = 1000 * (time.perf_counter() - start)
    short, report = (
        timed(search, queries["short"], args.rounds),
        timed(search, [queries["report"]], 4 * args.rounds),
    )
    print(json.dumps({"first": first, "short": short, "report": report}))


if __name__ == "__main__":
    main()
