"""Protocol buffers, GraphQL, Terraform and style sheets: blocks in braces that a header line names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE, Import, Outline
from trigpoint.text.lines import line_starts, position

_STRINGS = r'"(?:[^"\\\n]|\\.)*+"?'
_SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
_HASH = r"\#[^\n]*"


@dataclass(frozen=True, slots=True)
class Blocks:
    """How a language writes its blocks. ``header`` has the groups kind and name; ``skip`` is what braces do not count in.

    ``kinds`` turns the word of the header into a kind; ``leaf`` finds members inside a block, ``uses`` names it uses.
    """

    skip: re.Pattern[str]
    header: re.Pattern[str]
    kinds: Mapping[str, str] = field(default_factory=dict)
    leaf: re.Pattern[str] | None = None
    leaf_kind: str = "field"
    imports: re.Pattern[str] | None = None
    uses: re.Pattern[str] | None = None


PROTOBUF = Blocks(
    skip=re.compile(rf"{_STRINGS}|'(?:[^'\\\n]|\\.)*+'?|{_SLASHES}", re.DOTALL),
    header=re.compile(
        r"^[ \t]*(?:export[ \t]+|local[ \t]+)?(?P<kind>message|enum|service|extend|rpc)\s+(?P<name>[\w.]+)",
        re.MULTILINE,
    ),
    kinds={"rpc": "method"},
    imports=re.compile(r'^[ \t]*import\s+(?:(?:public|weak)\s+)?"([^"\n]+)"', re.MULTILINE),
    uses=re.compile(r"\b(?:rpc\s+\w+\s*\(\s*(?:stream\s+)?|returns\s*\(\s*(?:stream\s+)?)([\w.]+)"),
)
GRAPHQL = Blocks(
    skip=re.compile(rf'""".*?(?:"""|\Z)|{_STRINGS}|{_HASH}', re.DOTALL),
    header=re.compile(
        r"^[ \t]*(?:extend\s+)?(?P<kind>type|interface|input|enum|union|scalar|directive|query|mutation|subscription|fragment)"
        r"\s+@?(?P<name>\w+)|^[ \t]*(?:extend[ \t]+)?(?P<bare>schema)\b",
        re.MULTILINE,
    ),
    leaf=re.compile(r"^[ \t]*(\w+)[ \t]*(?:\([^()]*\)[ \t]*)?:", re.MULTILINE),
    uses=re.compile(r"\b(?:implements|on)\s+&?\s*(\w+)"),
)
TERRAFORM = Blocks(
    skip=re.compile(
        rf"<<[-~]?[ \t]*(?P<tag>\w+)[^\n]*\n.*?(?:^[ \t]*(?P=tag)\b|\Z)|{_HASH}|{_SLASHES}|{_STRINGS}",
        re.DOTALL | re.MULTILINE,
    ),
    header=re.compile(
        r"^(?P<kind>resource|data|variable|output|module|provider|locals|terraform|moved|import|check|run|ephemeral|[a-z_]+)"
        r'[ \t]*(?P<name>(?:"[^"\n]*"[ \t]*|[\w-]+[ \t]+)*)(?=\{)',
        re.MULTILINE,
    ),
    imports=re.compile(r'^[ \t]+source\s*=\s*"([^"\n]+)"', re.MULTILINE),
)
STYLES = Blocks(
    skip=re.compile(rf"{_STRINGS}|'(?:[^'\\\n]|\\.)*+'?|/\*.*?(?:\*/|\Z)|(?<![:\w])//[^\n]*", re.DOTALL),
    header=re.compile(
        r"(?:^|(?<=[{};]))[ \t]*(?P<name>(?:[.#@&:%*\[]|[A-Za-z-])[^{};]{0,400}?)\s*(?=\{)", re.MULTILINE
    ),
    imports=re.compile(r"@(?:import|use|forward)\s+(?:url\()?[\"']([^\"'\n]+)[\"']"),
)


def outline_protobuf(text: str) -> Outline:
    """Messages, enums, services and their rpcs, nested as they are; imports; the types that rpcs take and give."""
    return _outline(text, PROTOBUF)


def outline_graphql(text: str) -> Outline:
    """Types of every kind with their fields, operations, fragments."""
    return _outline(text, GRAPHQL)


def outline_terraform(text: str) -> Outline:
    """Blocks by their address: ``aws_instance.web``, ``var.region``, ``module.network``."""
    return _outline(text, TERRAFORM)


def outline_styles(text: str) -> Outline:
    """Rules by selector, nested ones inside."""
    return _outline(text, STYLES)


def _outline(text: str, blocks: Blocks) -> Outline:
    entries = Entries(text)
    starts = line_starts(text)
    bare = blocks.skip.sub(_blank, text)
    named = blocks.skip.sub(lambda found: found[0] if _quoted(found[0]) else _blank(found), text)
    for found in blocks.imports.finditer(text) if blocks.imports else ():
        if bare[found.start() : found.end()].strip():
            entries.imports.append(
                Import(found[1], "", "", position(starts, found.start(1))[0], kind="include")
            )
    walk = _Blocks(entries, blocks, starts)
    walk.run(named, bare)
    return entries.outline()


class _Blocks:
    """Matches headers with their braces in one sweep."""

    def __init__(self, entries: Entries, blocks: Blocks, starts: list[int]) -> None:
        self._entries = entries
        self._blocks = blocks
        self._starts = starts

    def run(self, named: str, bare: str) -> None:
        """Add every block. ``named`` is the text without comments, ``bare`` also without strings."""
        ends = _ends(bare)
        around: list[tuple[int, int]] = []  # offset of the end, index
        for found in self._blocks.header.finditer(named):
            at = found.start() + len(found[0]) - len(found[0].lstrip())
            if self._entries.full:
                break
            if at >= len(bare) or bare[at].isspace():
                continue
            while around and around[-1][0] <= at:
                around.pop()
            opened, end = self._body(bare, found.end(), ends)
            kind, name = _named(found, self._blocks.kinds)
            first = self._line(at)
            above = self._above(first) if not named[self._starts[first - 1] : at].strip() else first
            lines = (above, self._line(end))
            index = self._entries.add(
                name, kind, lines, around[-1][1] if around else MODULE, at=self._line(at)
            )
            self._uses(bare[at : opened if opened >= 0 else end], at, index)
            if opened >= 0 and index != MODULE:
                around.append((end, index))
                self._leaves(bare, opened, end, index)

    def _body(self, bare: str, at: int, ends: Mapping[int, int]) -> tuple[int, int]:
        """Offsets of the opening and closing brace of the block whose header ends at ``at``; (-1, end) without a body."""
        stop = re.compile(r"[{};]|\n[ \t]*\n|\n(?=[A-Za-z])").search(bare, at)
        if stop is None or stop[0] != "{":
            return -1, stop.start() if stop else len(bare) - 1
        return stop.start(), ends.get(stop.start(), len(bare) - 1)

    def _uses(self, header: str, at: int, index: int) -> None:
        for found in self._blocks.uses.finditer(header) if self._blocks.uses else ():
            name = found[1].rpartition(".")[2]
            if name:
                self._entries.refer(name, self._line(at + found.start(1)), index, "type")

    def _leaves(self, bare: str, start: int, end: int, index: int) -> None:
        counted, depth = start, 0
        for leaf in self._blocks.leaf.finditer(bare, start + 1, end) if self._blocks.leaf else ():
            depth += bare.count("(", counted, leaf.start()) - bare.count(")", counted, leaf.start())
            counted = leaf.start()
            if depth == 0 and not self._entries.full:
                line = self._line(leaf.start(1))
                self._entries.add(leaf[1], self._blocks.leaf_kind, (line, line), index)

    def _above(self, line: int) -> int:
        """The first line of the comment right above."""
        rows = self._entries.rows
        while line > 1 and rows[line - 2].lstrip().startswith(("#", "//", "/*", "*", '"""')):
            line -= 1
        return line

    def _line(self, offset: int) -> int:
        return position(self._starts, offset)[0]


def _named(found: re.Match[str], kinds: Mapping[str, str]) -> tuple[str, str]:
    """Kind and name that a header gives."""
    groups = found.groupdict()
    word = groups.get("kind") or groups.get("bare") or "rule"
    name = groups.get("name") or word
    labels = " ".join((name.replace('"', " ") if groups.get("kind") else name).split())
    if word in ("resource", "data", "variable", "output", "module", "provider", "check", "ephemeral"):
        prefix = {"variable": "var.", "data": "data.", "module": "module.", "output": "output."}.get(word, "")
        return word, prefix + labels.replace(" ", ".")
    return kinds.get(word, word), labels[:120]


def _ends(bare: str) -> dict[int, int]:
    """For each opening brace the offset of the brace that closes it."""
    ends, around = {}, []
    for found in re.finditer(r"[{}]", bare):
        if found[0] == "{":
            around.append(found.start())
        elif around:
            ends[around.pop()] = found.start()
    return ends


def _quoted(token: str) -> bool:
    return token[0] in "\"'" and not token.startswith('"""')


def _blank(found: re.Match[str]) -> str:
    """The match as spaces; its lines stay."""
    return re.sub(r"[^\n]", " ", found[0])
