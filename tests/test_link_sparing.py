"""A family of very many files is linked a part at a time, and has the edges of one that is held whole."""

from __future__ import annotations

from importlib.resources import files as resources

from test_link_incremental import VARIANTS
from trigpoint.indexing.link import link
from trigpoint.indexing.record import outline_of
from trigpoint.languages import detect
from trigpoint.model import Edge, Outline

SAMPLES = {
    f"{folder.name}/{file.name}": file.read_text("utf-8")
    for folder in resources("trigpoint.languages").iterdir()
    if folder.is_dir()
    for file in folder.iterdir()
    if file.name.startswith("sample") and not file.name.endswith(".outline")
}
TREE = {path: texts[-1] for path, texts in VARIANTS.items()} | SAMPLES


def test_files_that_are_let_go_and_read_again_make_no_difference() -> None:
    known: dict[str, tuple[str, frozenset[str], Outline]] = {}
    for path, text in TREE.items():
        known[path] = (detect(path, text), frozenset(), outline_of(text, detect(path, text), path))
    reads: list[str] = []

    def load(path: str) -> tuple[str, frozenset[str], Outline] | None:
        reads.append(path)
        return known.get(path)

    def find(name: str) -> list[tuple[str, int, str]]:
        return [
            (path, index, symbol.kind)
            for path, (_, _, outline) in known.items()
            for index, symbol in enumerate(outline.symbols)
            if symbol.name == name
        ]

    def linked(many: int) -> dict[str, list[Edge]]:
        reads.clear()
        languages = {path: one[0] for path, one in known.items()}
        return dict(link(languages, load, lambda path: TREE.get(path, ""), find=find, many=many))

    whole = linked(1000)
    once = len(reads)
    assert linked(1) == whole
    assert len(reads) > once  # some were read again
    assert sum(map(len, whole.values())) > 100
