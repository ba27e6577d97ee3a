"""Pairs -> the words that get a vector: "word<TAB>count", most useful first.

usage: vocabulary.py SIZE OUT PAIRS      single letters, digits and pairs of letters are always in, as pieces of unknown words
"""

from __future__ import annotations

import string
import sys
from collections import Counter
from pathlib import Path

from words import rows

from trigpoint.text.identifiers import split, words_in

EVERY = 2
"""One pair in so many is counted."""
LONGEST = 24
MOST_PACKAGES = 30
"""A word that this many packages use is no more useful for being in more."""


def main() -> None:
    """Count words by occurrence and by package."""
    size, out, path = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    total: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    last, seen = "", set[str]()
    for number, row in enumerate(rows(path)):
        if number % EVERY:
            continue
        found = Counter(part for word in words_in(row["body"]) for part in split(word))
        for word in words_in(row["more"]):
            for part in split(word):
                found[part] += 3
        if row["package"] != last:
            last, seen = row["package"], set()
        total.update(found)
        new = [word for word in found if word not in seen]
        packages.update(new)
        seen.update(new)
    letters = string.ascii_lowercase
    kept = dict.fromkeys([*letters, *string.digits, *(a + b for a in letters for b in letters)])
    for word, _ in sorted(
        total.items(), key=lambda one: (-one[1] * min(packages[one[0]], MOST_PACKAGES), one[0])
    ):
        if (
            packages[word] < 2
            or len(word) > LONGEST
            or (word.isdigit() and len(word) > 4)
            or not word.isascii()
        ):
            continue
        kept[word] = None
        if len(kept) >= size:
            break
    out.write_text("".join(f"{word}\t{total[word] + 1}\n" for word in kept))
    print(
        len(total),
        "words,",
        len(kept),
        "kept, share of the running text",
        round(sum(total[one] for one in kept) / sum(total.values()), 4),
    )


if __name__ == "__main__":
    main()
