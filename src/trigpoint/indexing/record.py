"""One file becomes its record: outline, then chunks. Pure, and all that a worker process does between read and encode."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.indexing.chunk import ChunkLimits, chunk
from trigpoint.indexing.formats import SIGNS
from trigpoint.indexing.outline import outline
from trigpoint.languages import installed, registry
from trigpoint.model import MODULE, FileRecord, Level, Outcome, Outline, SourceFile, Stat
from trigpoint.text.lines import count_lines

OUTLINE_BYTES = 1_000_000
"""Longer texts are searched as text only: no real source file is longer, and generated ones take seconds."""


def make_record(file: SourceFile, limits: ChunkLimits, stat: Stat | None = None) -> FileRecord:
    """All that one file alone tells. Never raises for odd content: what cannot be outlined is kept as text."""
    shown = _readable(file)
    found, outcome = _outlined(shown)
    chunks = chunk(shown, found, limits) if shown.outcome.level is not Level.SKIPPED else ()
    return FileRecord(
        path=file.path,
        language=file.language,
        digest=file.digest,
        size=file.size,
        lines=count_lines(shown.text),
        encoding=file.encoding,
        outcome=outcome,
        marks=file.marks,
        outline=found,
        chunks=chunks,
        text=shown.text,
        stat=stat,
    )


def _readable(file: SourceFile) -> SourceFile:
    """The file with the text that is searched: another than its own only for a notebook."""
    if file.language != "ipynb":
        return file
    from trigpoint.indexing.formats.table import readable

    return readable(file)


def _outlined(file: SourceFile) -> tuple[Outline, Outcome]:
    if not file.text or file.outcome.level is not Level.INDEXED:
        return Outline(), file.outcome
    if len(file.text) > OUTLINE_BYTES:
        return Outline(), Outcome(
            Level.PARTIAL, "too-long", f"over {OUTLINE_BYTES:,} characters: searched as text only"
        )
    try:
        return outline_of(file.text, file.language, file.path), file.outcome
    except Exception as error:  # a fault in what we know of one language must not cost the file
        cause = f"{type(error).__name__}: {error}"
        return Outline(), Outcome(Level.PARTIAL, "not-outlined", f"searched as text only: {cause[:200]}")


def outline_of(text: str, language: str, path: str = "") -> Outline:
    """The outline of a text by the means its language has: a grammar, a format, or none. Build files go by their name."""
    known = registry().get(language)
    if known is None:
        return Outline()
    if known.grammar and known.level in ("full", "outline") and installed(known):
        found = outline(text.encode("utf-8", "surrogatepass"), language)
        if not any(sign in text for sign in SIGNS):
            return found
        from trigpoint.indexing.formats.tagged import marked_strings  # 5 ms

        return _with_inside(
            found, [outline_of(one.text, one.language) for one in marked_strings(text, language)]
        )
    from trigpoint.indexing.formats.manifests import manifest  # 30 ms that one file of code does not need
    from trigpoint.indexing.formats.table import FORMATS, embedded

    if (build := manifest(path, language)) is not None:
        return build(text)
    if language in FORMATS:
        host = FORMATS[language](text)
        inside = [outline_of(part.text, part.language) for part in embedded(text, language)]
        return _with_inside(host, inside)
    return Outline()


def _with_inside(host: Outline, inside: Sequence[Outline]) -> Outline:
    return hosted(joined([host, *inside]), len(host.symbols)) if inside else host


def joined(parts: Sequence[Outline]) -> Outline:
    """Several outlines of one text as one, the indexes of symbols moved along."""
    out = parts[0]
    for part in parts[1:]:
        moved = shifted(part, len(out.symbols))
        out = Outline(
            out.symbols + moved.symbols,
            out.imports + moved.imports,
            out.references + moved.references,
            out.bindings + moved.bindings,
            out.package or part.package,
            out.exports + part.exports,
            tuple(sorted({*out.splits, *part.splits})),
            out.errors + part.errors,
        )
    return out


def hosted(whole: Outline, hosts: int) -> Outline:
    """What stands at the top level of embedded code belongs to the host's symbol (a cell, say) that holds its line."""
    spans = [(one.start, one.end, index) for index, one in enumerate(whole.symbols[:hosts])]

    def holder(line: int) -> int:
        inner = [(start, index) for start, end, index in spans if start <= line <= end]
        return max(inner)[1] if inner else MODULE

    return whole._replace(
        references=tuple(
            one._replace(scope=holder(one.line)) if one.scope == MODULE else one for one in whole.references
        ),
    )


def shifted(part: Outline, by: int) -> Outline:
    """The same outline with every index of a symbol raised by ``by``."""

    def at(index: int) -> int:
        return index + by if index != MODULE else MODULE

    return part._replace(
        symbols=tuple(one._replace(container=at(one.container)) for one in part.symbols),
        imports=tuple(one._replace(scope=at(one.scope)) for one in part.imports),
        references=tuple(one._replace(scope=at(one.scope)) for one in part.references),
        bindings=tuple(one._replace(scope=at(one.scope)) for one in part.bindings),
    )
