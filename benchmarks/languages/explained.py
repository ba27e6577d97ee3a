"""Why a definition of the oracle is not in our outline: the first row that fits names the group."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from oracle import Tag


class Why(NamedTuple):
    """One explanation. Empty patterns fit everything."""

    group: str
    languages: str = ""
    kind: str = ""
    name: str = ""
    line: str = ""


IN_TEXT = "in a comment or a string"
ELSEWHERE = "the name is not on that line"
IMPORTED = "an import, not a definition"
OTHER = "not explained"

_WORDS = (
    r"^(?:extends|is|const|as|void|if|in|of|do|switch|symbol|infer|any|declare|this|unknown|never|get|set|return|keyof|typeof|"
    r"readonly|string|number|boolean|object|undefined|null|new|unique|asserts|override|catch|default|for|else|case|_)$"
)
TABLE: tuple[Why, ...] = (
    Why("a word of the language taken for a name", "typescript javascript", name=_WORDS),
    Why(
        "a word of the language taken for a name",
        "haskell",
        name=r"^(?:class|pattern|infix[lr]?|instance|where|deriving|data|type|newtype|import)$",
    ),
    Why(
        "a word of the language taken for a name",
        "rust ruby go java csharp",
        name=r"^(?:str|self|int64|Deprecated|T\w*|RUBY_ENGINE|Symbol|L)$",
    ),
    Why("an object literal taken for a class", "javascript", kind="^class$"),
    Why(
        "a word inside a type or signature",
        "typescript",
        kind="constant|variable|property",
        name=r"^[A-Z]\w*$",
    ),
    Why("a name that is no name: _", "go kotlin", name="^_$"),
    Why("an embedded type: a base in our outline", "go", kind="anonMember|member"),
    Why("a parameter of a lambda taken for a method", "kotlin", kind="^method$", line=r"\{|->|^\w+,"),
    Why(
        "the variable of a loop taken for a method",
        "kotlin",
        kind="^method$",
        line=r"^(?:\}?\s*)?for\b|\bfor \(",
    ),
    Why("a key that is computed and has no name", "lua javascript", name=r"[\[\]]"),
    Why("a pattern synonym or an item of a list", "haskell", line=r"^pattern\b|^,|,"),
    Why("a name that is listed, not defined", "typescript", line=r"^\w+,?$"),
    Why("an argument or a call taken for a function", "lua", line=r"\w\s*[\])]?\s*=(?!\s*function\b)"),
    Why("an array or an argument taken for a function", "bash", name=r"=$|^--$|^[^\w]+$"),
    Why("a name made by unquote", "elixir", name="^unquote$"),
    Why("part of the name", "elixir", name="^(?:ur|pat)$"),
    Why("a template splice taken for a function", "haskell", line=r"^\$?\(?(?:derive|make)\w+"),
    Why("a part of a type in a record or signature", "haskell", name=r"^[\[(]?[A-Z]|[\s(\[]"),
    Why("what an enum constant is made with", "java", kind="enumConstant"),
    Why("the value of a default", "java", kind="field", name=r"\.class$|^L$"),
    Why("an implementation, which has no name of its own", "rust", kind="implementation"),
    Why("a local of a script or a template", "php", kind="variable"),
    Why("an attribute taken for a name", "c", name="^CURL_ALIGN8$"),
    Why("an exception that is thrown, taken for a method", "csharp", line=r"^throw "),
    Why("one of several heads in the branches of a conditional", "c", kind="function"),
    Why("a word of the language taken for a name", "bash csharp", name="^(?:declare|base)$"),
    Why("a local type of a function", "scala", kind="type"),
    Why("the file has syntax that the grammar gives up on", "cpp", kind="", line=""),
)
MISTAKES = {IN_TEXT, ELSEWHERE, IMPORTED, *(one.group for one in TABLE)} - {
    "the file has syntax that the grammar gives up on",
    "one of several heads in the branches of a conditional",
    "a pattern synonym or an item of a list",
    "a local type of a function",
}
"""Groups that are mistakes of the oracle: nothing is defined there, nothing that has a name, or the name is another."""

_TEXT = re.compile(
    r"comment|string|heredoc|quoted_content|sigil|charlist|regex|template_literal|haddock|jsx_text"
)


def explain(language: str, tag: Tag, line: str, kinds: Sequence[str], imported: bool) -> str:
    """The group of a miss. ``kinds`` are the node kinds around its name, from inside out."""
    if _bare(tag.name) not in _bare(line):
        return ELSEWHERE
    if any(_TEXT.search(kind) and "interpolation" not in kind for kind in kinds[:2]):
        return IN_TEXT
    if imported:
        return IMPORTED
    for why in TABLE:
        fits = not why.languages or language in why.languages.split()
        if fits and all(
            not form or re.search(form, value)
            for form, value in ((why.kind, tag.kind), (why.name, tag.name), (why.line, line))
        ):
            return why.group
    return OTHER


def _bare(text: str) -> str:
    return re.sub(r"[\s`\"]", "", text)
