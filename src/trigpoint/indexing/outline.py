"""Text and language to an Outline: one cursor walk per file, driven by the language's compiled tables.

The walk is iterative (nesting depth is no danger) and visits every node, those inside syntax errors included.
A scope is a symbol whose inside belongs to it; the stack of scopes is kept by byte ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from trigpoint.indexing import grammar as g
from trigpoint.indexing.grammar import Grammar, Use
from trigpoint.languages.syntax import VALUE_LIMIT, Definition, Node, Place, expression, text
from trigpoint.model import MODULE, Binding, Import, Outline, Reference, Symbol

SIGNATURE_LIMIT = 240
DOC_LIMIT = 600
SPLIT_BYTES = 1200
"""Bodies longer than this offer their statements' first lines as places to cut."""
SPLIT_DEPTH = 6
MOST_STEPS, BYTES_A_STEP = 400, 25
"""A parser may report progress so often, and once more for so many bytes, before it is held to be lost."""
READ_BYTES = 1 << 16
FUNCTION_KINDS = frozenset({"function", "method", "constructor", "macro", "test"})


def outline(source: bytes, language: str) -> Outline:
    """The outline of UTF-8 bytes in a language that has a grammar."""
    return outline_by(g.load(language), source)


def outline_by(grammar: Grammar, source: bytes) -> Outline:
    """The same by compiled tables, which need not be those of a known language."""
    tree = _parse(grammar.parser, grammar.prepare(source) if grammar.prepare else source)
    if tree is None:
        return Outline(errors=1)
    walk = Walk(grammar, source)
    walk.run(tree)
    return walk.result(tree)


def _parse(parser: Any, source: bytes) -> Any:
    """The tree of a source; None when the parser gets lost in it, as the Kotlin grammar does in some broken text.

    The steps are those at which the parser reports progress. Real files take at most one in 50 bytes: measured on 6,000
    files of 19 languages.
    """
    left = MOST_STEPS + len(source) // BYTES_A_STEP

    def is_lost(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        return parser.parse(lambda start, _: source[start : start + READ_BYTES], progress_callback=is_lost)
    except ValueError:
        parser.reset()
        return None


class Walk:
    """One pass over one file. Its lists become the Outline; nothing survives the pass."""

    def __init__(self, grammar: Grammar, source: bytes) -> None:
        self.grammar = grammar
        self.hooks: Any = grammar.hooks
        self.src = source
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.references: list[Reference] = []
        self.bindings: list[Binding] = []
        self.complexity: list[int] = [1]  # index 0 is the module, symbol i has i + 1
        self.exports: list[str] = []
        self.splits: set[int] = set()
        self.package = ""
        self.scope = MODULE
        self.kind = ""  # of the scope's symbol
        self.end = len(source) + 1
        self.stack: list[tuple[int, str, int]] = [(MODULE, "", self.end)]
        self.wrap_start = -1  # a decorated_definition or the like that is open
        self.wrap_end = -1
        self.wrap_row = 0
        self.comment_start = -1  # the block of whole-line comments read last
        self.comment_row = -1
        self.comment_end = -1
        self.comment_end_row = -2  # none yet: one on the first line begins a block
        self.names: set[tuple[int, int]] = set()  # (row, column) of definition names: not references
        self.muted: set[tuple[int, int]] = set()  # places that a hook declared to be no use
        self.clause: dict[
            int, tuple[str, int]
        ] = {}  # scope -> what joins the symbol made last there, and which
        self.types: set[tuple[int, str, str]] = set()

    def run(self, tree: Any) -> None:
        """Visit every node once, in order."""
        cursor = tree.walk()
        roles = self.grammar.roles
        limit = len(roles)
        plans = _PLANS
        down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        while True:
            node = cursor.node
            kind = node.kind_id
            role = roles[kind] if kind < limit else 0
            if role:
                start = node.start_byte
                while start >= self.end:
                    self.stack.pop()
                    self.scope, self.kind, self.end = self.stack[-1]
                for act in plans[role]:
                    act(self, node, kind)
                if role & g.SKIP:
                    if right():
                        continue
                    down_ok = False
                else:
                    down_ok = down()
            else:
                down_ok = down()
            if down_ok or right():
                continue
            while True:
                if not up():
                    return
                if right():
                    break

    # what a node kind is for: one method a role

    def operator(self, node: Node, kind: int) -> None:
        """A boolean operator is a decision."""
        operator = node.child_by_field_id(self.grammar.operator_field) or (
            node.child(0) if node.child_count else None
        )
        if operator is not None and operator.type in self.grammar.operators[kind]:
            self.complexity[self.scope + 1] += 1

    def decide(self, node: Node, kind: int) -> None:
        """A branch."""
        self.complexity[self.scope + 1] += 1

    def decide_filled(self, node: Node, kind: int) -> None:
        """A case, when it names something: the default is no branch of its own."""
        if node.named_child_count:
            self.complexity[self.scope + 1] += 1

    def ask_decisions(self, node: Node, kind: int) -> None:
        """Branches that only a hook can count."""
        self.complexity[self.scope + 1] += self.hooks.decisions(node, self.src)

    def wrap(self, node: Node, kind: int) -> None:
        """A definition that ends where this node does starts where this node starts."""
        self.wrap_start, self.wrap_end, self.wrap_row = node.start_byte, node.end_byte, node.start_point[0]

    def take_imports(self, node: Node, kind: int) -> None:
        """Imports, and the package that the file says it is in."""
        for one in self.hooks.imports(node, self.src):
            if one.kind == "package":
                self.package = self.package or one.module
            elif one.kind == "export":
                self.exports.append(one.name)
            else:
                self.imports.append(one._replace(scope=self.scope))

    # uses

    def read_use(self, node: Node, kind: int) -> None:
        """Calls and other uses that the tables tell."""
        use = self.grammar.uses[kind]
        if use.leaves:
            self.leaves(node, use)
            return
        target = node.child_by_field_id(use.target) if use.target else _first(node)
        if target is not None:
            beside = node.child_by_field_id(use.receiver) if use.receiver else None
            self.use(target, beside, use.kind)

    def ask_uses(self, node: Node, kind: int) -> None:
        """Uses that only a hook can tell."""
        for name, receiver, name_node, used in self.hooks.reference(node, self.src):
            row, column = name_node.start_point
            if (row, column) in self.muted:
                continue
            if not name:
                self.muted.add((row, column))
            if used == "type" and not self.first_use(f"{receiver}::{name}" if receiver else name, name_node):
                continue
            if name and len(name) < VALUE_LIMIT:
                self.references.append(Reference(name, receiver, used or "call", row + 1, column, self.scope))
            self.names.add((row, column))

    def read_values(self, node: Node, kind: int) -> None:
        """Names that stand as a value."""
        grammar = self.grammar
        if not node.named_child_count:
            return
        only = grammar.value_fields.get(kind)
        for child in (node.child_by_field_id(only),) if only else node.named_children:
            if child is None:
                continue
            if child.kind_id in grammar.values:
                self.use(child, None, "value")
            elif child.kind_id in grammar.spread:
                for one in child.named_children:
                    if one.kind_id in grammar.values:
                        self.use(one, None, "value")

    def use(self, target: Node, beside: Node | None, kind: str) -> None:
        """A use of ``target``; a member is taken apart into receiver and name."""
        src, grammar, found = self.src, self.grammar, target.kind_id
        while found in grammar.unwrap and target.named_child_count:
            target = target.named_child(0)
            found = target.kind_id
        member = grammar.members.get(found)
        if member is None:
            if target.child_count and target.named_child_count:
                again = grammar.again
                if found in again and (kind == "decorator" or target.parent.kind_id in again):
                    self.add("()", expression(target, src), kind, Place(target.end_point))
                return  # an expression that is no name: what is inside is visited on its own
            receiver = expression(beside, src) if beside is not None else ""
            self.add(text(target, src), receiver, kind, target)
            return
        owner = target.child_by_field_id(member.object) if member.object else _first(target)
        name = target.child_by_field_id(member.name) if member.name else _last(target)
        if name is not None:
            receiver = expression(owner, src)
            if grammar.noise is not None:
                receiver = grammar.noise.sub("", receiver)
            self.add(text(name, src), receiver, kind, name)

    def leaves(self, node: Node, use: Use) -> None:
        """Every leaf of a type expression is a use; a name counts once a scope."""
        stack = [node]
        leaves = use.leaves
        while stack:
            current = stack.pop()
            if current.kind_id in leaves:
                name = text(current, self.src)
                key = (self.scope, name, use.kind)
                if key in self.types or name in self.grammar.builtin:
                    continue
                member = self.grammar.members.get(current.kind_id)
                own = current
                if member is not None:
                    own = (
                        current.child_by_field_id(member.name) if member.name else _last(current)
                    ) or current
                row, column = own.start_point
                if (row, column) not in self.names:  # else the name of a definition, or of what is made here
                    self.types.add(key)
                    self.use(current, None, use.kind)
            else:
                stack.extend(reversed(current.named_children))

    def first_use(self, name: str, node: Node) -> bool:
        """Whether a type that a hook saw is neither defined here nor used before in its scope."""
        row, column = node.start_point
        key = (self.scope, name, "type")
        if (row, column) in self.names or key in self.types or name in self.grammar.builtin:
            return False
        self.types.add(key)
        return True

    def add(self, name: str, receiver: str, kind: str, node: Node) -> None:
        """Note a reference at the place of its name."""
        if name and len(name) < VALUE_LIMIT:
            row, column = node.start_point
            if kind == "new":
                self.names.add((row, column))
            self.references.append(Reference(name, receiver, kind, row + 1, column, self.scope))

    def bare(self, node: Node, kind: int) -> None:
        """A name alone, where that is a call without arguments unless a local has the name; members are not alone."""
        start, place = node.start_byte, node.start_point
        member = start > 1 and self.src[start - 1] == _DOT and self.src[start - 2] != _DOT
        if not member and (place[0], place[1]) not in self.names:
            name = text(node, self.src)
            if name not in self.grammar.builtin:
                self.references.append(Reference(name, "", "bare", place[0] + 1, place[1], self.scope))

    # bindings

    def bind(self, node: Node, kind: int) -> None:
        """Names bound here; ``__all__`` and its like are exports."""
        for one in self.hooks.bindings(node, self.src, self.kind):
            if one.name == "__all__" and self.scope == MODULE:
                self.exports.extend(_STRING.findall(text(node, self.src, 20_000).partition("=")[2]))
            name, bound, value, annotation, line, _ = one
            self.bindings.append(
                Binding(name, bound, value, annotation, line, self.scope)
            )  # cheaper than _replace

    # definitions

    def define_plain(self, node: Node, kind: int) -> None:
        """A definition that the tables tell."""
        grammar = self.grammar
        name = node.child_by_field_id(grammar.name_field)
        if name is not None:
            body = node.child_by_field_id(grammar.body_field)
            found = grammar.define[kind]
            if found == "function" and self.kind in grammar.methods_inside:
                found = "method"
            self.open(node, Definition(text(name, self.src), found, name, body))

    def define_asked(self, node: Node, kind: int) -> None:
        """Definitions that only a hook can tell."""
        for definition in self.hooks.definition(node, self.src, self.kind):
            if self.grammar.once and tuple(definition.name_node.start_point) in self.names:
                continue
            self.open(node, definition)

    def open(self, node: Node, definition: Definition) -> None:
        """Make the symbol, and its scope when it has one."""
        name, symbol_kind, name_node, body, receiver, prefix = definition[:6]
        if not name:
            if (
                definition.scope
            ):  # an anonymous function or the like: what is inside stays with the scope around it
                self.enter(self.scope, symbol_kind, (definition.end_node or node).end_byte)
            if body is not None and body.end_byte - body.start_byte > SPLIT_BYTES:
                self.cut_places(body, 0)
            return
        if definition.joins and self.join(node, definition):
            return
        head = definition.start_node or node
        first = definition.lead_node or head
        last = definition.end_node or node
        start_byte, end_byte = first.start_byte, last.end_byte
        row = first.start_point[0]
        if self.wrap_start <= start_byte and end_byte <= self.wrap_end and self.wrap_end - end_byte <= 2:
            start_byte, row = self.wrap_start, self.wrap_row
            self.wrap_end = -1  # it wraps one definition
        doc, row = self.documented(head.start_byte if definition.lead_node else start_byte, row)
        if self.grammar.docstrings and body is not None:
            doc = _docstring(body, self.src) or doc
        doc = definition.doc or doc
        name_row, name_column = name_node.start_point
        self.names.add((name_row, name_column))
        whole = body is not None or symbol_kind in FUNCTION_KINDS
        if body is None:
            stop = end_byte
        else:  # asking for siblings is slow in deep trees
            stop = _body_start(body) if self.grammar.docstrings else body.start_byte
        behind = body is not None and (name_row, name_column) > body.start_point  # typedef struct { … } name;
        index = len(self.symbols)
        self.symbols.append(
            Symbol(
                name,
                self.qualify(name, receiver, prefix),
                symbol_kind,
                row + 1,
                _last_row(self.src, last) + 1,
                name_row + 1,
                name_column,
                self.scope,
                _signature(self.src, head.start_byte, stop, whole) + f" {name}" * behind,
                doc,
                1 if symbol_kind in FUNCTION_KINDS else 0,
                definition.bases,
                definition.decorators,
                definition.modifiers,
                receiver or (self.symbols[self.scope].name if self.kind in _OUTSIDE else ""),
            )
        )
        self.complexity.append(1)
        self.clause[self.scope] = (definition.joins, index)
        if definition.returns:
            self.bindings.append(Binding("", "return", "", definition.returns, name_row + 1, index))
        for base in definition.bases:
            self.derive(base, self.symbols[index], index)
        if definition.scope:
            self.enter(index, symbol_kind, end_byte)
            if (
                body is not None
                and body.end_byte - body.start_byte > SPLIT_BYTES
                and symbol_kind in FUNCTION_KINDS
            ):
                self.cut_places(body, 0)

    def join(self, node: Node, definition: Definition) -> bool:
        """Let the symbol made last in this scope go on over one more clause of it; False when that is another one."""
        joins, index = self.clause.get(self.scope, ("", 0))
        if joins != definition.joins:
            return False
        symbol, last, body = self.symbols[index], definition.end_node or node, definition.body
        kind, modifiers = symbol.kind, symbol.modifiers
        if "declaration" not in definition.modifiers:
            if "declaration" in modifiers:  # a signature: what it is, its first clause tells
                kind, modifiers = definition.kind, definition.modifiers
            else:
                self.complexity[index + 1] += 1
        self.symbols[index] = symbol._replace(
            kind=kind,
            modifiers=modifiers,
            end=_last_row(self.src, last) + 1,
            complexity=1 if kind in FUNCTION_KINDS else 0,
        )
        row, column = definition.name_node.start_point
        self.names.add((row, column))
        if definition.scope:
            self.enter(index, kind, last.end_byte)
            if body is not None and body.end_byte - body.start_byte > SPLIT_BYTES and kind in FUNCTION_KINDS:
                self.cut_places(body, 0)
        return True

    def enter(self, scope: int, kind: str, end: int) -> None:
        """From here to ``end`` all belongs to ``scope``; hooks see ``kind`` as what it stands in."""
        self.scope, self.kind, self.end = scope, kind, end
        self.stack.append((scope, kind, end))

    def documented(self, before: int, row: int) -> tuple[str, int]:
        """The comment that ends above ``row``, and the row where a definition starts with it."""
        if self.comment_end_row < row - 1 or not 0 <= self.comment_start < before:
            return "", row
        self.comment_end_row = -2  # it documents one definition
        doc = _comment_text(text_of(self.src, self.comment_start, self.comment_end))
        return doc, min(row, self.comment_row)

    def derive(self, base: str, symbol: Symbol, index: int) -> None:
        """Note the use of a base type."""
        owner, _, name = _head_of(base).replace("::", ".").rpartition(".")
        if "\\" in name:  # PHP: what stands before a name keeps its backslash
            cut = name.rfind("\\") + 1
            owner, name = name[:cut], name[cut:]
        if name:
            self.references.append(
                Reference(name, owner, "base", symbol.name_line, symbol.name_column, index)
            )

    def qualify(self, name: str, receiver: str, prefix: str) -> str:
        """``Outer.inner``; a method written outside its type is qualified by the type."""
        outer = self.symbols[self.scope].qualified if self.scope != MODULE else ""
        return ".".join(part for part in (outer, prefix or receiver, name) if part)

    def cut_places(self, body: Node, depth: int) -> None:
        """First lines of the statements of a long body, and of the long ones among them."""
        for child in body.named_children:
            self.splits.add(child.start_point[0] + 1)
            if depth < SPLIT_DEPTH and child.end_byte - child.start_byte > SPLIT_BYTES:
                self.cut_places(child, depth + 1)

    def comment(self, node: Node, kind: int) -> None:
        """Remember whole-line comments: a block that ends on the line before a definition is its doc comment."""
        src, start = self.src, node.start_byte
        line_start = src.rfind(b"\n", 0, start) + 1
        row = node.start_point[0]
        if src[line_start:start].strip() or src.startswith(_OF_WHAT_IS_BEFORE, start):
            return
        if row > self.comment_end_row + 1:
            self.comment_start, self.comment_row = start, row
        self.comment_end = node.end_byte
        self.comment_end_row = _last_row(src, node)

    def result(self, tree: Any) -> Outline:
        """The finished outline."""
        symbols = tuple(
            one._replace(complexity=self.complexity[index + 1])
            if one.complexity and self.complexity[index + 1] > 1
            else one
            for index, one in enumerate(self.symbols)
        )
        return Outline(
            symbols,
            tuple(self.imports),
            tuple(self.uses_that_can_be_linked()),
            tuple(self.bindings),
            self.package,
            tuple(self.exports),
            tuple(sorted(self.splits)),
            int(tree.root_node.has_error),
        )

    def uses_that_can_be_linked(self) -> Iterator[Reference]:
        """All uses but names of locals, which can never name a definition, and bases seen a second time."""
        taken = {(one.scope, one.name) for one in self.bindings if one.kind not in _NOT_LOCAL}
        bound = {key for key in taken if key[0] != MODULE}
        bound -= {(one.scope, one.name) for one in self.bindings if one.kind == "global"}
        bases = {(one.scope, one.name) for one in self.references if one.kind == "base"}
        for one in self.references:
            key = (one.scope, one.name)
            if one.kind == "bare":
                if key not in taken:
                    yield Reference(one.name, "", "call", one.line, one.column, one.scope)
                continue
            local = one.kind == "value" and not one.receiver and key in bound
            again = one.kind in ("value", "type") and key in bases
            if not local and not again:
                yield one


_ACTIONS: tuple[tuple[int, Callable[[Walk, Node, int], None]], ...] = (
    (g.REFERENCE, Walk.read_use),
    (g.REFERENCE_HOOK, Walk.ask_uses),
    (g.BARE, Walk.bare),
    (g.VALUES, Walk.read_values),
    (g.OPERATOR, Walk.operator),
    (g.DECIDE, Walk.decide),
    (g.DECIDE_FILLED, Walk.decide_filled),
    (g.DECIDE_HOOK, Walk.ask_decisions),
    (g.COMMENT, Walk.comment),
    (g.WRAP, Walk.wrap),
    (g.IMPORT, Walk.take_imports),
    (g.BIND, Walk.bind),
    (g.DEFINE, Walk.define_plain),
    (g.DEFINE_HOOK, Walk.define_asked),
    (g.BIND_INSIDE, Walk.bind),
    (g.REFERENCE_INSIDE, Walk.ask_uses),
)
"""What each role does, in order: definitions late, since they open a scope; what is bound inside comes after."""


class _Plans(dict[int, tuple[Callable[[Walk, Node, int], None], ...]]):
    """The actions of each combination of roles, put together when first met."""

    def __missing__(self, role: int) -> tuple[Callable[[Walk, Node, int], None], ...]:
        found = self[role] = tuple(action for bit, action in _ACTIONS if role & bit)
        return found


_PLANS = _Plans()
_DOT = ord(".")
_OUTSIDE = frozenset({"impl", "extension"})
"""Kinds of symbols that hold members of a type defined elsewhere."""
_NOT_LOCAL = frozenset({"attribute", "global", "return", "yield", "entry"})
_GROUP = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_GENERIC = re.compile(r"[\[<(].*", re.S)
_STRING = re.compile(r"""["']([^"']+)["']""")
_COMMENT_MARK = re.compile(
    r"\s*(?:///?!?|//!|/\*\*?!?|\*(?!/)|#+!?|--+(?:\[=*\[|\s*[|^])?|\{-+\s*\|?|;+|%+)?"
)
_OF_WHAT_IS_BEFORE = (b"-- ^", b"--^", b"{- ^")
"""Comments of Haskell that document what stands before them."""
_XML = re.compile(r"</?(?:summary|remarks|para|returns|value|inheritdoc|example|c|code)\s*/?>")
"""Tags of C#'s doc comments that only hold words."""


def text_of(src: bytes, start: int, end: int) -> str:
    """A slice of the source as text."""
    return src[start : min(end, start + 2 * DOC_LIMIT)].decode("utf-8", "replace")


def _head_of(base: str) -> str:
    """A base type without what stands in its brackets: ``Plant<T>.Base`` -> ``Plant.Base``."""
    before = ""
    while before != base:
        before, base = base, _GROUP.sub("", base)
    return _GENERIC.sub("", base)


def _first(node: Node) -> Node | None:
    return node.named_child(0) if node.named_child_count else None


def _last(node: Node) -> Node | None:
    return node.named_child(node.named_child_count - 1) if node.named_child_count else None


def _last_row(src: bytes, node: Node) -> int:
    """Row of the last line a node stands on; one that ends with its LF does not reach into the next line."""
    row, column = node.end_point
    return int(row) - 1 if column == 0 and row > node.start_point[0] else int(row)


def _paragraph(raw: str) -> str:
    first = re.split(r"\n\s*\n", raw.strip(), maxsplit=1)[0]
    return " ".join(first.split())[:DOC_LIMIT]


def _comment_text(raw: str) -> str:
    kept: list[str] = []
    for line in raw.strip('"').split("\n"):
        words = line[_COMMENT_MARK.match(line).end() :].strip()  # type: ignore[union-attr]  # it matches "" too
        if words.endswith(("*/", "-}")) or (words.endswith("]]") and raw.startswith("--[")):
            words = words[:-2].rstrip("*- \t")
        if kept and words.startswith("@") and not kept[0].startswith("@"):
            break  # @param and the like
        if words:
            kept += words.split()
        elif kept:
            break
    doc = " ".join(kept)
    return (" ".join(_XML.sub(" ", doc).split()) if "<" in doc else doc)[:DOC_LIMIT]


def _docstring(body: Node, src: bytes) -> str:
    first = _first(body)
    if first is not None and first.type == "expression_statement":
        first = _first(first)
    if first is None or first.type != "string":
        return ""
    return _paragraph(text(first, src, 2 * DOC_LIMIT).lstrip("rRbBuUfF").strip("\"'"))


def _body_start(body: Node) -> int:
    """Where a body starts, with the comments before its first statement, which some grammars leave outside."""
    start: int = body.start_byte
    before = body.prev_sibling
    while before is not None and before.type == "comment":
        start, before = before.start_byte, before.prev_sibling
    return start


def _signature(src: bytes, start: int, stop: int, whole: bool) -> str:
    raw = src[start : min(stop, start + 4 * SIGNATURE_LIMIT)].decode("utf-8", "replace")
    if not whole:
        raw = raw.split("\n", 1)[0]
    return " ".join(raw.split()).rstrip("{:=;,").rstrip()[:SIGNATURE_LIMIT]
