"""The text of a file as its lines are counted in answers."""

from __future__ import annotations


def as_shown(path: str, text: str) -> str:
    """The text that is indexed, searched and read of a file: another than its own only for a notebook."""
    if not path.lower().endswith(".ipynb"):
        return text
    from trigpoint.indexing.formats.notebook import readable_notebook

    readable = readable_notebook(text)
    return text if readable is None else readable
