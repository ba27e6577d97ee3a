"""Dockerfiles by stage."""

from __future__ import annotations

import re

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE, Import, Outline

_FROM = re.compile(r"\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
_COPY = re.compile(r"--(?:from=|mount=\S{0,300}?from=)([\w.\-/:]+)")
_ARG = re.compile(r"\s*(ARG|ENV)\s+([A-Za-z_]\w*)", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?\s*[\"']?([A-Za-z_]\w*)[\"']?")
_INSTRUCTION = re.compile(r"\s*[A-Za-z]+\s")


def outline_dockerfile(text: str) -> Outline:
    """Stages named by AS (else by their image), their ARG and ENV names; images are imports, --from is a use."""
    entries = Entries(text)
    stage, until, continued = MODULE, "", False
    for number, row in enumerate(entries.rows, 1):
        line = row.rstrip()
        if until:
            until = "" if line.strip() == until else until
            continue
        if not continued and _INSTRUCTION.match(line):
            stage = _instruction(entries, number, line, stage)
        for name in _COPY.findall(line):
            entries.refer(name, number, stage)
        if line.lstrip().startswith("#"):
            continue  # a comment inside a continued instruction does not end it
        heredoc = _HEREDOC.search(line)
        until = heredoc[1] if heredoc else ""
        continued = line.endswith(("\\", "`"))
    return entries.outline()


def _instruction(entries: Entries, number: int, line: str, stage: int) -> int:
    """Take one instruction; the stage that is open after it."""
    found = _FROM.match(line)
    if found:
        entries.change(stage, end=number - 1)
        image, alias = found[1], found[2] or ""
        names = {symbol.name for symbol in entries.symbols if symbol.kind == "stage"}
        if image in names:
            entries.refer(image, number)
        else:
            entries.imports.append(Import(image, "", alias, number))
        return entries.add(alias or image, "stage", (number, len(entries.rows)))
    entries.splits.add(number)
    if variable := _ARG.match(line):
        entries.add(variable[2], "variable", (number, number), stage)
    return stage
