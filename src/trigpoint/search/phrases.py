"""A question with its names taken out: what is asked for stands in the words around them.

``who calls parse_config`` becomes ``who calls §``, ``open src/app.py`` becomes ``open ¶``: a form written once fits every
name. Only what is written like a name counts as one (by its case, marks, dots, brackets, back-ticks or extension).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

NAME, FILE = "§", "¶"
"""What stands for a name and for a path."""


def vocabulary(words: str) -> frozenset[str]:
    """A set of words written with spaces between them, which a reader takes in at one look."""
    return frozenset(words.split())


EXTENSIONS = vocabulary(
    """
    py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts go java kt kts scala groovy rs c h cc cpp cxx hpp hh hxx cs rb erb rake
    gemspec php swift lua sh bash ex exs erl hs zig clj dart md rst txt json yaml yml toml ini cfg sql html css scss sass
    vue svelte proto xml gradle csproj sln cmake tf ps1 bat csv tsv graphql vim nix
    """
)
"""Suffixes that make a dotted word a file."""

FILE_NAMES = vocabulary(
    """
    Makefile GNUmakefile Dockerfile Containerfile Gemfile Rakefile Jenkinsfile Procfile Vagrantfile Justfile LICENSE README
    CHANGELOG CODEOWNERS go.mod go.sum Cargo.lock Gemfile.lock yarn.lock poetry.lock
    """
)
"""Files that are known by their whole name."""

_MAKERS = vocabulary(
    "javascript typescript github gitlab macos ios oauth graphql postgresql mysql mongodb websocket websockets youtube"
)
"""Words with a capital inside that name no code."""

_TOKEN = re.compile(
    r"`(?P<tick>[^`\n]{1,120})`"
    r"|(?P<path>(?<![\w:/.])(?:~|\.{0,2})/?(?:[\w@.+*?\[\]{}-]+[/\\])+[\w@.+*?\[\]{}-]*(?::\d+)?|(?<!\S)[\w.?\[\]-]*\*[\w.*?\[\]-]*(?!\S))"
    r"|(?P<name>[A-Za-z_$@][\w$]*(?:(?:\.|::|->|\#|\\)[~A-Za-z_$][\w$]*)*(?:[!?](?=\s+\w))?(?:\(\)|:\d+(?!\S))?)"
)
_CASED = re.compile(r"[a-z0-9][A-Z]|\w_\w|^_+\w|\w_$|[A-Z]{2,}[a-z]{2}|\$\w|^@\w")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*)\Z")


class Phrase(NamedTuple):
    """A question with marks in place of its names and paths, lower case, in single spaces; and what the marks stand for."""

    text: str
    written: tuple[str, ...]  # in the order of the marks of both kinds

    def behind(self, place: int) -> str:
        """What the mark at this place of the text stands for."""
        return self.written[sum(self.text.count(mark, 0, place) for mark in (NAME, FILE))]


@lru_cache(maxsize=16)
def phrase(text: str) -> Phrase:
    """A question with its names taken out."""
    written: list[str] = []
    out: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text):
        mark, name = _mark(match, text)
        if mark:
            out += [text[at : match.start()].casefold(), mark]
            written.append(name)
            at = match.end()
    out.append(text[at:].casefold())
    return Phrase(" ".join("".join(out).replace("’", "'").split()).rstrip("?.! "), tuple(written))


def _mark(match: re.Match[str], text: str) -> tuple[str, str]:
    """Which mark a word gets, and the word without what stands around it; ("", "") for plain words."""
    if tick := match["tick"]:
        return (FILE if is_file(tick) else NAME), tick.strip()
    if path := match["path"]:
        return (FILE, re.sub(r":\d+$", "", path)) if _is_path(path) else ("", "")
    word = match["name"]
    plain = re.sub(r":\d+$", "", word)
    if is_file(plain):
        return FILE, plain
    return (NAME, word) if _is_name(word, text[: match.start()]) else ("", "")


def is_file(word: str) -> bool:
    """Whether a word is a file by its suffix, or one that is known by its whole name."""
    base = word.replace("\\", "/").rpartition("/")[2]
    return word in FILE_NAMES or ("." in base and base.rpartition(".")[2] in EXTENSIONS and "(" not in base)


def _is_path(word: str) -> bool:
    """A slash alone is no path: read/write, client/server."""
    return is_file(word) or any((word[0] in "./~*", word[-1] in "/\\*", word.count("/") > 1, "*" in word))


def _is_name(word: str, before: str) -> bool:
    if word.endswith("()") or re.search(r"[\w$](?:\.|::|->|#|\\)[~\w$]", word):
        return not re.fullmatch(r"(?:i\.e|e\.g|vs\.\w+|node\.js|\w\.\w)", word, re.I)
    if word.casefold() in _MAKERS or not word.isascii():
        return False
    if _CASED.search(word):
        return True
    return word[0].isupper() and len(word) > 2 and not word.isupper() and not _SENTENCE_START.search(before)
