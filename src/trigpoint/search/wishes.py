"""What a question says of the files it wants: tests or none, a language, a kind of definition. Pure.

What is wished for in words makes a result better; what is not wanted is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trigpoint.search.phrases import EXTENSIONS

SHORT = 300
"""Characters of a question that may say in words which files it does not want; a report only mentions them."""

_WANTS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("test", re.compile(r"\b(?:unit ?tests?|(?:tests?|specs?) (?:for|of|that|cover\w*|checks?|files?|cases?)|which tests?|tested|specs)\b", re.I)),
    ("doc", re.compile(r"\b(?:readme|docs|documentation|documented|change ?log|install(?:ed|ation|ing)?|tutorial|user guide|license|contribut(?:e|ing))\b", re.I)),
    ("example", re.compile(r"\b(?:examples?|sample code|demos?)\b", re.I)),
    ("vendored", re.compile(r"\b(?:vendored|vendor|third.party)\b", re.I)),
    ("generated", re.compile(r"\bgenerated (?:code|files?)\b", re.I)),
)  # fmt: skip
"""Marks of files that otherwise rank lower, and how a question asks for them."""

_NOT = (
    r"(?:,? ?\(?\b(?:but )?(?:not|nothing|never) (?:in|from|under|inside|of)|\b(?:except|excluding|without|ignor(?:e|ing)|skip(?:ping)?|"
    r"leav(?:e|ing) out|outside|outside of|other than|no)(?: (?:in|for|from))?) (?:the |any |all |its )?"
)
_MARKS: Sequence[tuple[str, str]] = (
    ("test", "(?:unit )?tests?|specs?"),
    ("doc", "docs?|documentation|readmes?"),
    ("example", "examples?|demos?|samples?"),
    ("vendored", "vendored|vendor|third.party(?: libraries)?"),
    ("generated", "generated"),
    ("config", "configs?|configuration files"),
)
"""Marks of files, and what a question calls them that does not want them."""
_ANY = (
    rf"(?:{'|'.join(words for _, words in _MARKS)})\b(?: (?:files?|folders?|code|directory|directories)\b)?"
)
_REFUSAL = re.compile(rf"{_NOT}{_ANY}(?:(?:,|,? and|,? or|,? nor)(?: in| the| any)* {_ANY})*\)?", re.I)
_NOT_PATH = re.compile(
    rf"{_NOT}(?:folder |directory |file )?(?P<path>[\w.*-]+/[\w./*-]*|[\w-]+\.(?:{'|'.join(sorted(EXTENSIONS))})\b)",
    re.I,
)

_LANGUAGE_WORDS = {
    "golang": "go", "js": "javascript", "ts": "typescript", "c++": "cpp", "c#": "csharp", "csharp": "csharp", "py": "python", "shell": "bash",
    **{name: name for name in ("python", "javascript", "typescript", "java", "rust", "ruby", "php", "kotlin", "scala", "haskell", "elixir", "zig", "lua", "bash")},
    **{name: name for name in ("go", "c", "swift", "sql", "html", "css")},
}  # fmt: skip
_PLAIN_WORDS = frozenset({"go", "c", "swift", "py", "js", "ts", "shell", "lua", "bash", "html", "css", "sql"})
"""Names of languages that are words of their own: they count only in "in go" at an end, or before "code", "files" …"""
_LANGUAGE = re.compile(
    rf"(?<![\w./-])(?P<in>in )?(?:the )?(?P<name>{'|'.join(map(re.escape, sorted(_LANGUAGE_WORDS, key=len, reverse=True)))})"
    r"(?![\w+#/.-](?!\s|$))(?P<of> (?:code|files?|functions?|class(?:es)?|methods?|sources?|implementation|version|side|part|module|client|bindings?)\b)?(?P<end>\s*(?:$|[?,;]))?",
    re.I,
)
_KINDS = {
    "class": "class", "classes": "class", "function": "function", "functions": "function", "method": "method", "methods": "method",
    "struct": "struct", "structs": "struct", "interface": "interface", "interfaces": "interface", "enum": "enum", "trait": "trait",
    "macro": "macro", "constant": "constant", "constants": "constant",
}  # fmt: skip
_KIND = re.compile(
    rf"\b(?:which|what|the|a|an|find|show|list|all)(?: \w+)? (?P<kind>{'|'.join(_KINDS)})\b(?= (?:that|which|for|to|of|is|are|does|do|handles?|where|responsible|implementing|\w+s)\b)",
    re.I,
)


class Wishes(NamedTuple):
    """What a question wants to see, and what not."""

    wants: frozenset[str]  # marks of files
    refuses: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    away: tuple[str, ...] = ()  # paths that it does not want


def wished(text: str) -> tuple[str, Wishes]:
    """The text without what it does not want, and its wishes."""
    if len(text) > SHORT:
        return text, Wishes(_wants(text))
    away = tuple(match["path"].rstrip("/") for match in _NOT_PATH.finditer(text))
    kept = _NOT_PATH.sub(" ", text)
    against = " ".join(match[0] for match in _REFUSAL.finditer(kept))
    kept = _REFUSAL.sub(" ", kept)
    return kept, Wishes(
        wants=_wants(kept),
        refuses=frozenset(mark for mark, words in _MARKS if re.search(rf"\b(?:{words})\b", against, re.I)),
        languages=frozenset(_languages(kept)),
        kinds=frozenset(_KINDS[match["kind"].lower()] for match in _KIND.finditer(kept)),
        away=away,
    )


def _wants(text: str) -> frozenset[str]:
    return frozenset(mark for mark, asks in _WANTS if asks.search(text))


def _languages(text: str) -> Iterator[str]:
    """Languages that the question names in words."""
    for match in _LANGUAGE.finditer(text):
        word = match["name"].lower()
        if word not in _PLAIN_WORDS or match["of"] or (match["in"] and match["end"] is not None):
            yield _LANGUAGE_WORDS[word]
