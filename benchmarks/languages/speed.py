"""How many MB a CPU second are parsed and walked, by language, on the packages of corpora.toml.

speed.py WORK [--megabytes N]      WORK as of run.py, which fetches the packages
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from pathlib import Path

from fetch import corpora, files

from trigpoint.indexing import grammar
from trigpoint.indexing.outline import outline


def main() -> None:
    """Measure and print, one row a language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path)
    parser.add_argument("--megabytes", type=float, default=1.0)
    args = parser.parse_args()
    gc.disable()  # as the worker processes do
    print("| language | MB | parse, MB/s | parse and walk, MB/s |\n| --- | --- | --- | --- |")
    for corpus in corpora():
        place = args.work / corpus.language
        if not place.is_dir():
            continue
        sources: list[bytes] = []
        for path in random.Random(1).sample(found := files(place), len(found)):
            if sum(map(len, sources)) < args.megabytes * 1e6:
                sources.append(path.read_bytes())
        size = sum(map(len, sources)) / 1e6
        known = grammar.load(corpus.language)
        started = time.process_time()
        for source in sources:
            known.parser.parse(source)
        parsed = time.process_time()
        for source in sources:
            outline(source, corpus.language)
        done = time.process_time()
        print(
            f"| {corpus.language} | {size:.1f} | {size / (parsed - started):.1f} | {size / (done - parsed):.1f} |"
        )


if __name__ == "__main__":
    main()
