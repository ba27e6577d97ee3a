"""What is not known of a definition because of its language: files of the long tail have an outline and no uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trigpoint.languages import registry
from trigpoint.languages.linking import family
from trigpoint.model import StoredSymbol
from trigpoint.ports import Snapshot


def unread(chosen: Sequence[StoredSymbol], snapshot: Snapshot) -> Iterator[str]:
    """A sentence for each language of the chosen ones in which no uses are read, or none are linked."""
    rows = (snapshot.file(path) for path in dict.fromkeys(one.path for one in chosen))
    for name in dict.fromkeys(row.language for row in rows if row is not None):
        language = registry().get(name)
        if language is None:
            continue
        if language.level == "outline":
            yield f"outline only: definitions of {language.title} are known, their uses are not"
        elif language.level == "full" and not family(name):
            yield f"uses in {language.title} are read, but not linked to definitions"
