"""An outline as text that a person can check against the source: what stands beside the sample of each language."""

from __future__ import annotations

from collections.abc import Iterable

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
