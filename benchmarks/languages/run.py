"""Which share of the definitions that another program sees does our outline have?

    run.py WORK [--mirror DIR] [--only LANGUAGE,...] [--dir LANGUAGE=FOLDER] [--show N]

One real package a language (corpora.toml), universal-ctags 5.9 as the other program. A definition counts as found when
our outline has its name on its line. Variables inside functions are left out. Misses are printed in groups; explained.py
says of each group whose mistake it is.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from explained import MISTAKES, explain
from fetch import Corpus, corpora, fetch, files
from oracle import Tag, ctags, keywords

from trigpoint.indexing import grammar
from trigpoint.indexing.outline import outline
from trigpoint.model import Outline, Symbol

CLAUSES = {"haskell", "elixir"}
"""Languages where the clauses of a function are one symbol: each later clause lies inside it."""

LOCAL = "inside a function"
_FUNCTION = re.compile(
    r"function|method|arrow|lambda|closure|func_literal|constructor|[gs]etter|accessor|compound_statement|do_block|callable|initializer$"
)
VARIABLES = {"variable", "constant", "field", "member", "property", "local", "enumerator", "type"}
"""Kinds of tags that are locals when they stand inside a function."""


class Miss(NamedTuple):
    """A definition of the oracle that our outline does not have."""

    path: Path
    tag: Tag
    line: str
    group: str


class Result(NamedTuple):
    """One language: how many definitions there are by the oracle, and those we lack."""

    language: str
    lines: int
    definitions: int
    ours: int
    misses: list[Miss]

    @property
    def raw(self) -> float:
        """Share of all tags."""
        return 1 - len(self.misses) / max(self.definitions, 1)

    @property
    def fair(self) -> float:
        """Share of the tags that are no mistake of the oracle."""
        wrong = sum(miss.group in MISTAKES for miss in self.misses)
        return 1 - (len(self.misses) - wrong) / max(self.definitions - wrong, 1)


def compare(language: str, oracle: str, paths: Sequence[Path]) -> Result:
    """Compare our outline of each file with the oracle's tags."""
    tags = keywords(language, paths) if oracle == "keywords" else ctags(oracle, paths)
    lines = definitions = ours = 0
    misses: list[Miss] = []
    for path in paths:
        source = path.read_bytes()
        found = outline(source, language)
        lines += source.count(b"\n")
        ours += len(found.symbols)
        missed = list(_missed(found, tags.get(path, []), language in CLAUSES))
        lacking = list(_grouped(path, source, language, found, missed))
        local = sum(miss.group == LOCAL for miss in lacking)
        definitions += len(tags.get(path, [])) - local
        misses += [miss for miss in lacking if miss.group != LOCAL]
    return Result(language, lines, definitions, ours, misses)


def _missed(found: Outline, tags: Sequence[Tag], clauses: bool) -> Iterator[Tag]:
    have = {(part, one.name_line) for one in found.symbols for part in _names(one)}
    spans: dict[str, list[tuple[int, int]]] = {}
    for one in found.symbols if clauses else ():
        spans.setdefault(_plain(one.name), []).append((one.start, one.end))
    for tag in tags:
        name = _plain(tag.name)
        later = any(start <= tag.line <= end for start, end in spans.get(name, ()))
        if not later and not {(name, tag.line), (name.rpartition(".")[2], tag.line)} & have:
            yield tag


def _names(one: Symbol) -> Iterator[str]:
    """The name, also with what qualifies it, and the parts of a name with several: the oracle may write any."""
    yield _plain(one.name)
    parts = _plain(one.qualified).split(".")
    yield from (".".join(parts[at:]) for at in range(len(parts)))
    if one.kind in ("namespace", "module", "package", "impl"):
        yield from parts
    yield from _plain(one.name).split(".")


def _plain(name: str) -> str:
    """A name without what one program writes around it and another does not."""
    if name.startswith("operator"):
        return name.replace(" ", "")
    return name.strip("`\"'#[]?!= ").replace("::", ".").replace(":", ".").replace("\\", ".").replace(" ", "")


def _grouped(
    path: Path, source: bytes, language: str, found: Outline, missed: Sequence[Tag]
) -> Iterator[Miss]:
    if not missed:
        return
    rows = source.split(b"\n")
    known = grammar.load(language)
    root = known.parser.parse(known.prepare(source) if known.prepare else source).root_node
    for tag in missed:
        row = rows[tag.line - 1] if tag.line <= len(rows) else b""
        column = row.find(tag.name.encode())
        node = root.descendant_for_point_range(
            (tag.line - 1, max(column, 0)), (tag.line - 1, max(column, 0) + 1)
        )
        kinds = []
        while node is not None:
            kinds.append(node.type)
            node = node.parent
        imported = any(one.line == tag.line for one in found.imports)
        line = row.decode("utf-8", "replace").strip()
        local = tag.kind in VARIABLES and any(_FUNCTION.search(kind) for kind in kinds[1:])
        yield Miss(path, tag, line, LOCAL if local else explain(language, tag, line, kinds, imported))


def report(result: Result, root: Path, show: int) -> None:
    """Print the misses by group, with a few of each."""
    print(f"\n## {result.language}: {len(result.misses)} misses")
    groups = Counter((miss.group, miss.tag.kind) for miss in result.misses)
    for (group, kind), count in groups.most_common():
        print(f"- {count} {kind}: {group}{' (its mistake)' if group in MISTAKES else ''}")
        these = [one for one in result.misses if (one.group, one.tag.kind) == (group, kind)]
        for miss in random.Random(1).sample(these, min(show, len(these))):
            print(
                f"      {miss.path.relative_to(root)}:{miss.tag.line} {miss.tag.name!r} | {miss.line[:100]}"
            )


def groups(result: Result) -> Iterator[str]:
    """One line for each group of misses."""
    for group, count in Counter(miss.group for miss in result.misses).most_common():
        kind = "its mistake" if group in MISTAKES else "ours"
        yield f"| {result.language} | {count} | {kind} | {group} |"


def row(corpus: Corpus, result: Result) -> str:
    """One line of the table."""
    version = corpus.version[:10] if corpus.origin == "git" else corpus.version
    wrong = sum(miss.group in MISTAKES for miss in result.misses)
    return (
        f"| {corpus.language} | {corpus.name} {version} | {result.lines:,} | {result.definitions:,} | {result.ours:,} "
        f"| {len(result.misses)} | {wrong} | {result.raw:.2%} | {result.fair:.2%} |"
    )


HEAD = (
    "| language | package | lines | definitions | ours | missed | its mistakes | found | without its mistakes |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)
MISSED = "| language | missed | whose | why |\n| --- | --- | --- | --- |"


def main() -> None:
    """Fetch, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path, help="where packages are kept")
    parser.add_argument("--mirror", type=Path, help="bare git repositories, OWNER+NAME/repo")
    parser.add_argument("--only", default="", help="languages, separated by commas")
    parser.add_argument("--dir", action="append", default=[], help="LANGUAGE=FOLDER instead of the package")
    parser.add_argument("--show", type=int, default=0, help="examples of each group of misses")
    args = parser.parse_args()
    wanted = set(args.only.split(",")) - {""}
    own = dict(one.split("=", 1) for one in args.dir)
    rows: list[str] = []
    missed: list[str] = []
    for corpus in corpora():
        if wanted and corpus.language not in wanted:
            continue
        root = Path(own[corpus.language]) if corpus.language in own else fetch(corpus, args.work, args.mirror)
        paths = [path for path in files(root) if corpus.language not in own or corpus.takes(path.name)]
        result = compare(corpus.language, corpus.oracle, paths)
        report(result, root, args.show)
        rows.append(row(corpus, result))
        missed += groups(result)
    print("\n" + "\n".join([HEAD, *rows, "", MISSED, *missed]))


if __name__ == "__main__":
    main()
