"""Who else says what a file defines: universal-ctags, or for languages it does not read, the words that open definitions."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple


class Tag(NamedTuple):
    """A definition as the oracle has it."""

    name: str
    line: int
    kind: str
    around: str  # the kind of what it says it stands in; "" when nothing


NO_DEFINITIONS = {
    "*": {"package", "packageName", "header", "unknown", "heredoc", "script", "module import", "library"},
    "PHP": {"alias"},  # use A\B as C
    "Python": {"namespace"},  # import a as b
}
"""Kinds of ctags that are no definitions: imports, files that are read, here-documents, packages that are named."""


def ctags(language: str, paths: Iterable[Path]) -> Mapping[Path, list[Tag]]:
    """The tags of each file, without parameters and locals, which ctags leaves out by itself."""
    found: dict[Path, list[Tag]] = {}
    skipped = NO_DEFINITIONS["*"] | NO_DEFINITIONS.get(language, set())
    command = [
        *("ctags", "--output-format=json", "--fields=+nKZ", f"--language-force={language}"),
        *("--sort=no", "-f", "-", "-L", "-"),
    ]
    listed = "\n".join(map(str, paths)).encode()
    done = subprocess.run(command, input=listed, capture_output=True, check=True)
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        one = json.loads(line)
        if one.get("_type") == "tag" and one["kind"] not in skipped and not _is_anonymous(one["name"]):
            tag = Tag(one["name"], one["line"], one["kind"], one.get("scopeKind", ""))
            found.setdefault(Path(one["path"]), []).append(tag)
    return found


def _is_anonymous(name: str) -> bool:
    return name.startswith(("__anon", "Anonymous", "anonymous", "<lambda>")) or not name.strip()


_NAME = r"(?P<name>`[^`]+`|@\"[^\"]+\"|\w+)"
_SWIFT = (
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|internal|fileprivate|open|package|static|class|final|override|mutating|"
    r"nonmutating|convenience|required|lazy|weak|indirect|nonisolated|prefix|postfix|infix|(?:private|public)\(set\))\s+)*"
    rf"(?P<kind>func|class|struct|enum|protocol|actor|typealias|associatedtype)\s+{_NAME}"
)
_SCALA = (
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|protected)(?:\[\w+\])?\s+|(?:final|sealed|abstract|implicit|override|lazy|case|"
    r"inline|open|transparent|opaque)\s+)*(?P<kind>class|trait|object|def|type|enum)\s+(?P<name>`[^`]+`|[\w$]+(?:(?<=_)[^\w\s(\[:]+)?)"
)
_ZIG = (
    r"^\s*(?:(?:pub|export|inline|noinline|extern(?:\s+\"\w+\")?)\s+)*(?:(?P<kind>fn)\s+"
    rf"{_NAME}|(?<=pub )(?:const|var)\s+(?P<other>\w+))"
)
WORDS = {"swift": _SWIFT, "scala": _SCALA, "zig": _ZIG}
"""For each language without a ctags parser the form of a line that opens a definition; variables are left out."""

_TEXT = re.compile(r'""".*?"""|/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.S)
_ZIG_TEXT = re.compile(r'//[^\n]*|\\\\[^\n]*|(?<!@)"(?:[^"\\\n]|\\.)*"')


def keywords(language: str, paths: Iterable[Path]) -> Mapping[Path, list[Tag]]:
    """What the words at the start of each line say, comments and strings left out."""
    opens = re.compile(WORDS[language])
    text = _ZIG_TEXT if language == "zig" else _TEXT
    found: dict[Path, list[Tag]] = {}
    for path in paths:
        bare = text.sub(
            lambda one: re.sub(r"[^\n]", " ", one[0]), path.read_bytes().decode("utf-8", "replace")
        )
        for number, line in enumerate(bare.split("\n"), 1):
            if match := opens.match(line):
                name = match.groupdict().get("other") or match["name"]
                tag = Tag(name.strip('`@"'), number, match["kind"] or "constant", "")
                found.setdefault(path, []).append(tag)
    return found
