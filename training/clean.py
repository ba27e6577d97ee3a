"""Mined pairs -> the pairs that may be trained on.

usage: clean.py LEAKS OUT PAIRS...     LEAKS as leaks.py writes it; copies across the inputs and held-out packages go too
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

import archives
from words import rows

MOST_SAME_DOC = 3
"""Pairs with one sentence: "Returns the name." says nothing of its code."""


def held_out() -> set[str]:
    """Packages that the product is measured on, as pairs name theirs."""
    found = set()
    for registry in ("pypi", "npm", "debian"):
        for line in (Path(__file__).parent / "packages" / f"held-out-{registry}.txt").read_text().split():
            found.add(":".join(archives.named(registry, line)[:2]))
    return found


def main() -> None:
    """Copy what is neither a leak, nor a copy, nor one more of a common sentence."""
    leaks, held = set(Path(sys.argv[1]).read_text().split()), held_out()
    seen: set[str] = set()
    docs: Counter[str] = Counter()
    count: Counter[str] = Counter()
    with open(sys.argv[2], "w") as out:
        for path in sys.argv[3:]:
            for row in rows(Path(path)):
                doc = " ".join(re.findall(r"[a-z]+", row["doc"].lower()))
                if row["package"] in held:
                    count["held out"] += 1
                elif row["digest"] in leaks:
                    count["leak"] += 1
                elif row["digest"] in seen:
                    count["copy"] += 1
                elif docs[doc] >= MOST_SAME_DOC:
                    count["common sentence"] += 1
                else:
                    seen.add(row["digest"])
                    docs[doc] += 1
                    count["kept"] += 1
                    count["kept " + row["language"]] += 1
                    out.write(json.dumps(row) + "\n")
    for name, number in count.most_common():
        print(f"{name}\t{number}")


if __name__ == "__main__":
    main()
