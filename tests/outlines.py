"""An outline as text that a person can check against the sample beside it.

``python tests/outlines.py FILE...`` prints the outline of source files; ``--write`` writes it beside each as ``*.outline``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from trigpoint.indexing.outline import outline
from trigpoint.languages import detect
from trigpoint.model import MODULE, Binding, Import, Outline, Reference, Symbol


def render(one: Outline) -> str:
    """The outline in five parts: head, symbols, imports, references, bindings; one line an item, in source order."""
    parts = [
        _head(one),
        _part("symbols", (_symbol(symbol) for symbol in one.symbols)),
        _part("imports", (_import(item, one) for item in one.imports)),
        _part("references", (_reference(item, one) for item in sorted(one.references, key=_place))),
        _part("bindings", (_binding(item, one) for item in sorted(one.bindings, key=lambda item: item.line))),
    ]
    return "\n".join(part for part in parts if part)


def _head(one: Outline) -> str:
    lines = [f"package {one.package}"] if one.package else []
    lines += [f"exports {' '.join(one.exports)}"] if one.exports else []
    lines += ["has errors"] if one.errors else []
    return "".join(line + "\n" for line in lines)


def _part(title: str, lines: Iterable[str]) -> str:
    body = "".join(f"  {line.rstrip()}\n" for line in lines)
    return f"{title}\n{body}" if body else ""


def _symbol(one: Symbol) -> str:
    words = [one.kind, one.qualified, f"{one.start}-{one.end}@{one.name_line}"]
    words += [f"({', '.join(one.bases)})"] if one.bases else []
    words += [f"[{' '.join(one.modifiers)}]"] if one.modifiers else []
    words += [f"@{decorator}" for decorator in one.decorators]
    words += [f"receiver={one.receiver}"] if one.receiver else []
    words += [f"cx={one.complexity}"] if one.complexity else []
    words += [f'"{one.doc[:40]}"'] if one.doc else []
    words += [f"| {one.signature}"]
    return " ".join(words)


def _import(one: Import, outline: Outline) -> str:
    kind = "" if one.kind == "import" else f" {one.kind}"
    name = f" name {one.name}" if one.name else ""
    alias = f" as {one.alias}" if one.alias else ""
    return f"{one.line}{kind} {one.module}{name}{alias}{_inside(one.scope, outline)}"


def _reference(one: Reference, outline: Outline) -> str:
    receiver = f" of {one.receiver}" if one.receiver else ""
    return f"{one.line} {one.kind} {one.name}{receiver}{_inside(one.scope, outline)}"


def _binding(one: Binding, outline: Outline) -> str:
    annotation = f": {one.annotation}" if one.annotation else ""
    value = f" = {one.value}" if one.value else ""
    return f"{one.line} {one.kind} {one.name}{annotation}{value}{_inside(one.scope, outline)}"


def _inside(scope: int, outline: Outline) -> str:
    return f" in {outline.symbols[scope].qualified}" if scope != MODULE else ""


def _place(one: Reference) -> tuple[int, int]:
    return one.line, one.column


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
