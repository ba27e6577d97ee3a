"""Generic rules: what the name of a node kind says of it, and where a node of that kind has its name.

Grammars are written by people who name alike what is alike: ``function_definition``, ``class_declaration``, a field or a
child that is an identifier. What a grammar does otherwise its rows in language.toml say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trigpoint.languages.syntax import Definition, Node, text

_DEFINES = re.compile(
    r"(?:^|_)(?:definition|declaration|decl|def|defn|binding|statement|specification|spec|item|construct|clause|block)$"
)
_KINDS: tuple[tuple[str, str], ...] = (
    (r"(?:^|_)(?:constructor|init)(?:_|$)", "constructor"),
    (r"(?:^|_)methods?(?:_|$)", "method"),
    (r"(?:^|_)(?:fun|func|function|procedure|subroutine|subprogram|defun|sub|proc|task)(?:_|$)", "function"),
    (r"(?:^|_)macro(?:_|$)", "macro"),
    (r"(?:^|_)(?:class|contract|actor|entity)(?:_|$)", "class"),
    (r"(?:^|_)(?:interface|protocol|trait|mixin)(?:_|$)", "interface"),
    (r"(?:^|_)(?:struct|structure|record|derived_type|union)(?:_|$)", "struct"),
    (r"(?:^|_)(?:enum|enumeration)(?:_|$)", "enum"),
    (r"(?:^|_)(?:module|package|namespace|library|program|unit|architecture)(?:_|$)", "module"),
    (r"(?:^|_)(?:extension|implementation|impl)(?:_|$)", "extension"),
    (r"(?:^|_)(?:type|alias|subtype|typedef|newtype)(?:_|$)", "type"),
    (r"(?:^|_)(?:constant|const)(?:_|$)", "constant"),
    (r"(?:^|_)(?:signal|event|error|exception|modifier|resource|output)(?:_|$)", "member"),
    (r"(?:^|_)(?:property|field)(?:_|$)", "field"),
    (r"(?:^|_)(?:variable|var|value|let|parameter_declaration)(?:_|$)", "variable"),
)
"""What a word in the name of a kind says, the most particular first."""
_WEAK = re.compile(r"_(?:statement|item|clause|block|body|construct|spec)$")
"""Endings of definitions and of much else: only these kinds are believed there."""
_STRONG = frozenset({"function", "method", "class", "interface", "struct", "enum", "module", "macro"})
_NEVER = re.compile(
    r"(?:^|_)(?:end|anonymous|lambda|call|import|forward|parameter|parameters|argument|arguments|return|enum_item|using|expression"
    r"|assignment|attribute|attributes|modifiers?_list|list|header|heading|use|include|require|with|initializer|catch|finally|try"
    r"|body|local|let_statement|for|if|switch|pattern|qualified|type_body|class_body|enum_body|declaration_list|const_statement|guard)(?:_|$)"
)
_COMMENT = re.compile(r"(?:^|_)comments?(?:_|$)")
_BRANCH = re.compile(
    r"^(?:if|elseif|elsif|elif|else_if|for|foreach|while|until|case|when|catch|except|do_while|do_loop|rescue|conditional|ternary)"
    r"(?:_simple)?(?:_statement|_expression|_clause|_item|_block|_construct)$"
)
_NAME = re.compile(r"(?:identifier|name|symbol|word|constructor|atom|variable|simple_name|declarator)$")
_NO_NAME = re.compile(r"modifier|annotation|attribute|comment|type$|keyword|visibility|documentation|storage")
DEEPEST, WIDEST = 4, 8
"""How far below a node its name is looked for, and among how many children of each."""
LONGEST = 200
_FIELDS = ("name", "declarator", "function_name", "headline", "text", "pattern")
_PLAIN = re.compile(rb"[^\s(){}\[\],;=]+\Z")
_TYPES = frozenset({"class", "interface", "struct", "extension", "enum"})
_HOLDERS = _TYPES | {"", "module"}
"""Where a variable is no local."""


def derived(kinds: Iterable[str], tables: Mapping[str, Any]) -> tuple[Mapping[str, Any], Generic]:
    """The tables of a language from the names of its node kinds, and the hooks that go with them."""
    told: dict[str, str] = {}
    comments, branches = [], []
    for kind in kinds:
        if _COMMENT.search(kind):
            comments.append(kind)
        elif _BRANCH.match(kind):
            branches.append(kind)
        elif found := _kind(kind):
            told[kind] = found
    told = {kind: one for kind, one in told.items() if kind not in tables.get("ignore", ())}
    told.update(tables.get("defines", {}))
    forms = [*tables.get("lisp", ()), *tables.get("assigned", {})]
    made = {
        **tables,
        "define_hook": sorted({*(kind for kind, one in told.items() if one), *forms}),
        "comment": comments,
        "decision": {"kinds": branches},
    }
    return made, Generic(told, tables)


def _kind(kind: str) -> str:
    if not _DEFINES.search(kind) and kind not in ("function", "subroutine"):
        return ""
    if _NEVER.search(kind):
        return ""
    found = next((one for pattern, one in _KINDS if re.search(pattern, kind)), "")
    return found if found in _STRONG or not _WEAK.search(kind) else ""


class Generic:
    """Hooks for one grammar."""

    def __init__(self, told: Mapping[str, str], tables: Mapping[str, Any]) -> None:
        self._told = told
        self._lisp = frozenset(tables.get("lisp", ()))
        self._assigned: Mapping[str, str] = tables.get("assigned", {})
        self._names = frozenset(tables.get("names", ()))

    def definition(self, node: Node, src: bytes, inside: str) -> Iterator[Definition]:
        """What a node defines by its kind; a variable only where it is no local."""
        kind = node.type
        if kind in self._lisp:
            yield from _form(node, src)
            return
        if kind in self._assigned:
            yield from self._assignment(node, src, inside)
            return
        found = self._told[kind]
        if found == "variable" and inside not in _HOLDERS:
            return
        if found == "function" and inside in _TYPES:
            found = "method"
        name = self._name(node, 0, found)
        if name is None:
            return
        written = text(name, src, LONGEST).strip().strip("\"'`{}:= ")
        if written and "\n" not in written and len(written) < LONGEST:
            after = node.next_named_sibling if kind.endswith("signature") else None
            last = after if after is not None and after.type.endswith("body") else None
            yield Definition(written, found, name, node.child_by_field_name("body") or last, end_node=last)

    def _assignment(self, node: Node, src: bytes, inside: str) -> Iterator[Definition]:
        """``name <- function(…) …``: a function when its value is one, else a variable of the file."""
        if node.named_child_count < 2:
            return
        name, value = node.named_child(0), node.named_child(node.named_child_count - 1)
        function = value.type in self._assigned[node.type].split()
        simple = name.child_count == 0 or name.type in self._names or "identifier" in name.type
        if simple and (function or not inside) and name.end_byte - name.start_byte < LONGEST:
            if (
                not function
                and b"=" not in src[name.end_byte : value.start_byte]
                and b"<-" not in src[name.end_byte : value.start_byte]
            ):
                return
            yield Definition(text(name, src), "function" if function else "variable", name, scope=function)

    def _name(self, node: Node, depth: int, of: str) -> Node | None:
        """The node that names a definition of kind ``of``: its field, else the first identifier; a definition inside has its own."""
        for field in _FIELDS:
            found = node.child_by_field_name(field)
            if found is not None:
                return self._whole(found, depth, of)
        if not node.child_count:
            return node if depth == 0 else None
        children = node.named_children[:WIDEST]
        for child in children:
            if child.type in self._names or (_NAME.search(child.type) and not _NO_NAME.search(child.type)):
                return self._whole(child, depth, of)
        for child in children if depth < DEEPEST else ():
            if child.child_count and not _NO_NAME.search(child.type) and self._leads_on(child.type, of):
                inner = self._name(child, depth + 1, of)
                if inner is not None:
                    return inner
        return None

    def _leads_on(self, kind: str, of: str) -> bool:
        told = self._told.get(kind)
        return not kind.endswith(("body", "block")) and (
            not told or told == of or {told, of} == {"function", "method"}
        )

    def _whole(self, found: Node, depth: int, of: str) -> Node:
        """A name of several parts as one, unless more than a name stands there: a declarator with its parameters."""
        if not found.named_child_count or depth >= DEEPEST or _PLAIN.match(found.text or b""):
            return found
        return self._name(found, depth + 1, of) or found


_OPENERS = ("ns", "module", "struct")
_LISP_KINDS = (("macro", "macro"), ("struct", "struct"), ("record", "struct"), ("class", "class"), ("protocol", "interface"),
    ("type", "type"), ("ns", "module"), ("package", "module"), ("multi", "function"), ("method", "method"), ("fn", "function"),
    ("fun", "function"), ("n", "function"), ("test", "function"))  # fmt: skip


def _form(node: Node, src: bytes) -> Iterator[Definition]:
    """``(defn name …)``, ``(define (name …) …)``, ``(ns name)``."""
    if node.named_child_count < 2:
        return
    head = node.named_child(0)
    word = text(head, src, 40).rpartition("/")[2]
    if not _PLAIN.match(word.encode()) or not (word.startswith("def") or word in _OPENERS):
        return
    name = next((one for one in node.named_children[1:4] if not one.type.startswith("meta")), None)
    is_function = False
    while name is not None and name.named_child_count and src[name.start_byte : name.start_byte + 1] in b"([":
        name, is_function = name.named_child(0), True
    if name is None or src[name.start_byte : name.start_byte + 1] in b"([\"'#;":
        return
    if word == "struct":
        word = "defstruct"
    rest = word.removeprefix("def").removeprefix("ine").lstrip("-")
    kind = next((one for part, one in _LISP_KINDS if rest.startswith(part)), "variable")
    if word in ("ns", "module"):
        kind = "module"
    value = node.named_child(2) if node.named_child_count > 2 else None
    lambda_ = value is not None and text(value, src, 10).startswith(("(lambda", "(fn", "(λ"))
    if kind == "variable" and (is_function or lambda_):
        kind = "function"
    last = [one for one in (node.named_child(node.named_child_count - 1),) if one.start_byte > name.end_byte]
    yield Definition(
        text(name, src, LONGEST),
        kind,
        name,
        last[0] if last and kind != "variable" else None,
        scope=kind != "variable",
    )
