"""An outline as text that a person can check against the sample beside it.

``python tests/outlines.py FILE...`` prints the outline of source files; ``--write`` writes it beside each as ``*.outline``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from trigpoint.indexing.outline import outline
from trigpoint.languages import detect
from trigpoint.render.outline import render


def of_file(path: Path) -> str:
    """The rendered outline of a source file, in the language its name tells."""
    source = path.read_bytes()
    return render(outline(source, detect(path.name, source[:4096].decode("utf-8", "replace"))))


def expected(sample: Path) -> Path:
    """Where the expected outline of a sample lies: ``sample.py`` has ``sample.outline``."""
    return sample.with_suffix(".outline")


def _main(arguments: list[str]) -> Iterator[str]:
    for name in arguments:
        if not name.startswith("--"):
            text = of_file(Path(name))
            yield text
            if "--write" in arguments:
                expected(Path(name)).write_text(text, "utf-8")


if __name__ == "__main__":
    sys.stdout.writelines(_main(sys.argv[1:]))
