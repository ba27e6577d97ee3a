"""What Ruby defines: modules, classes, methods, constants, and what its macros define by symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.ruby.names import CONSTANTS, name_place, parted, plain
from trigpoint.languages.syntax import Definition, Node, Place, expression, text


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Definitions of every form that gives a name.

    ``inside`` is "", "method", or the kind of a body with the word that its methods stand under: "class private".
    """
    kind = node.type
    if inside in _IN_METHODS and kind in _FOR_BODIES and not src.startswith(_ANYWHERE, node.start_byte):
        return ()
    return _DEFINERS[kind](node, src, inside)


_IN_METHODS = frozenset({"method", "function", "constructor"})
_FOR_BODIES = frozenset({"call", "assignment", "operator_assignment"})
_ANYWHERE = (b"Class.new", b"Module.new", b"Struct.new", b"Data.define", b"define_method", b"define_singleton_method")
"""Starts of calls that may define something inside a method."""


# modules and classes

_BODIES = ("class", "module", "singleton")
_VISIBILITY = frozenset({"private", "protected", "public", "module_function"})
_MIXES = (b"include", b"extend", b"prepend")


def _container(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    written = node.child_by_field_name("name")
    if written is None:
        return
    name, prefix, leaf = parted(written, src)
    kind, body = node.type, node.child_by_field_name("body")
    above = node.child_by_field_name("superclass")
    made = above.named_child(0) if above is not None and above.named_child_count else None
    built = _built(made, src)
    bases = [built[1]] if built else [expression(made, src)] if made is not None else []
    bases += _mixed_in(body, src)
    yield Definition(
        name, kind, leaf, body, prefix=prefix.removeprefix("::").replace("::", "."), bases=tuple(bases)
    )
    if built and built[1] in _WITH_FIELDS:
        yield from _named_fields(made, src)
    yield from _regions(body, src, kind)


def _mixed_in(body: Node | None, src: bytes) -> Iterator[str]:
    """Modules that the body includes, prepends, or extends its own class by."""
    for one in body.named_children if body is not None else ():
        if one.type == "call" and src.startswith(_MIXES, one.start_byte):
            given = one.child_by_field_name("arguments")
            method = text(one.child_by_field_name("method"), src).encode()
            for mixed in given.named_children if given is not None and method in _MIXES else ():
                if mixed.type in CONSTANTS:
                    yield expression(mixed, src)


def _regions(body: Node | None, src: bytes, kind: str) -> Iterator[Definition]:
    """Stretches of a body under ``private`` and the like, last first: each ends where the next begins."""
    words: list[Node] = []
    for one in body.named_children if body is not None else ():
        if (one.type == "identifier" and text(one, src) in _VISIBILITY) or _extends_self(one, src):
            words.append(one)
    for place in range(len(words) - 1, -1, -1):
        word = text(words[place], src) if words[place].type == "identifier" else "module_function"
        end = words[place + 1] if place + 1 < len(words) else body
        yield Definition("", f"{kind} {word}", words[place], end_node=end)
    if words:
        yield Definition("", kind, words[0], end_node=words[0])


def _extends_self(node: Node, src: bytes) -> bool:
    return node.type == "call" and bool(_EXTEND_SELF.match(src, node.start_byte))


_EXTEND_SELF = re.compile(rb"extend[ (]+self\b")


def _singleton(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``class << self``: its methods are those of the class around it."""
    yield Definition("", "singleton", node)
    yield from _regions(node.child_by_field_name("body"), src, "singleton")


# methods

_WORD_BEFORE = re.compile(rb"(\w+)[ \t(]*$")


def _method(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if name is None:
        return
    owner = node.child_by_field_name("object")
    words = _words(node, src, inside)
    receiver = ""
    if owner is not None:
        written = text(owner, src)
        if owner.type == "self" or (owner.type == "constant" and _is_class_around(node, written, src)):
            words = tuple(one for one in words if one != "private" or _word_before(node, src)) + ("static",)
        else:
            receiver = written
    said = text(name, src)
    kind = "constructor" if said == "initialize" and inside and not receiver else "method"
    if not inside and owner is None:
        kind = "function"
    body = node.child_by_field_name("body")
    yield Definition(said, kind, name, body, receiver, modifiers=tuple(dict.fromkeys(words)))


def _words(node: Node, src: bytes, inside: str) -> tuple[str, ...]:
    body, _, word = inside.partition(" ")
    word = _word_before(node, src) or word
    found = [_AS_MODIFIER[word]] if word in _AS_MODIFIER else []
    if body == "singleton" or word == "private_class_method":
        found.append("static")
    return tuple(found)


_AS_MODIFIER = {
    "private": "private",
    "protected": "protected",
    "module_function": "static",
    "private_class_method": "private",
}


def _word_before(node: Node, src: bytes) -> str:
    """The word on the same line that treats a definition: ``private def f``."""
    start = node.start_byte
    line = src[src.rfind(b"\n", 0, start) + 1 : start]
    if not line or line.isspace():
        return ""
    found = _WORD_BEFORE.search(line)
    return found[1].decode() if found else ""


def _is_class_around(node: Node, name: str, src: bytes) -> bool:
    around = node.parent.parent if node.parent is not None else None
    written = around.child_by_field_name("name") if around is not None else None
    return written is not None and parted(written, src)[0] == name


# constants and variables

_BUILDERS = {"Class": "class", "Struct": "class", "Data": "class", "Module": "module"}
_WITH_FIELDS = frozenset({"Struct", "Data"})
_OWN_VARIABLES = frozenset({"class_variable", "instance_variable"})
_AFTER_VALUE = 60


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    left = node.child_by_field_name("left")
    kind = left.type if left is not None else ""
    if kind in CONSTANTS:
        return _constant(node, left, src)
    if kind == "left_assignment_list":
        return [_plain(text(one, src), "constant", one, node) for one in left.named_children if one.type == "constant"]
    if kind == "global_variable" and not inside:
        return (_plain(text(left, src), "variable", left, node),)
    if kind in _OWN_VARIABLES and inside.startswith(_BODIES) and _stands_in_body(node):
        return (_plain(text(left, src), "field", left, node),)
    return ()


def _plain(name: str, kind: str, leaf: Node, node: Node) -> Definition:
    return Definition(name, kind, leaf, scope=False, end_node=_with_heredoc(node))


def _stands_in_body(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "body_statement"


def _with_heredoc(node: Node) -> Node:
    """Where a statement ends: the texts of its heredocs stand after it."""
    after = node.next_named_sibling
    while after is not None and after.type == "heredoc_body":
        node, after = after, after.next_named_sibling
    return node


def _constant(node: Node, left: Node, src: bytes) -> Iterator[Definition]:
    name, prefix, leaf = parted(left, src)
    if leaf.type != "constant":
        return
    right = node.child_by_field_name("right")
    prefix = prefix.removeprefix("::").replace("::", ".")
    built = _built(right, src)
    if not built:
        scope = right is not None and (right.type == "lambda" or _has_block(right))
        yield Definition(
            name, "constant", leaf, prefix=prefix, scope=scope, end_node=_with_heredoc(node)
        )
        return
    kind, base = built
    block = right.child_by_field_name("block")
    body = block.child_by_field_name("body") if block is not None else None
    bases = (*([base] if base else []), *_mixed_in(body, src))
    yield Definition(name, kind, leaf, body, prefix=prefix, bases=bases)
    if base in _WITH_FIELDS:
        yield from _named_fields(right, src)
    yield from _regions(body, src, kind)


def _has_block(node: Node) -> bool:
    return node.type == "call" and node.child_by_field_name("block") is not None


def _built(node: Node | None, src: bytes) -> tuple[str, str] | None:
    """Kind and base of ``Class.new(Base)``, ``Struct.new(:a)``, ``Data.define(:a)``, ``Module.new``."""
    if node is None or node.type != "call":
        return None
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if receiver is None or method is None or text(receiver, src) not in _BUILDERS:
        return None
    builder = text(receiver, src)
    if text(method, src) != ("define" if builder == "Data" else "new"):
        return None
    if builder in _WITH_FIELDS:
        return "class", builder
    given = node.child_by_field_name("arguments")
    first = given.named_child(0) if given is not None and given.named_child_count else None
    return _BUILDERS[builder], expression(first, src) if first is not None else ""


def _named_fields(node: Node, src: bytes) -> Iterator[Definition]:
    given = node.child_by_field_name("arguments")
    for one in given.named_children if given is not None else ():
        if one.type == "simple_symbol":
            yield _symbol(one, "property", one, src)


# what macros define by symbols

_MACRO = re.compile(
    rb"((?:thread_)?(?:[cm]attr|attr)(?:_reader|_writer|_accessor)?|class_attribute|attribute|has_many|has_one|belongs_to"
    rb"|has_and_belongs_to_many|has_one_attached|has_many_attached|define_(?:singleton_)?method|alias_method|delegate"
    rb"|def_(?:instance_)?delegators?|scope|class_methods|refine)\b"
    rb"|(?:Class|Module|Struct)\.new\b|Data\.define\b|[A-Z][\w:]*\.(?:class|module)_eval\b"
)


def _called(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    start = node.start_byte
    found = _MACRO.match(src, start)
    if found is None:
        return ()
    if found[1] is None:
        return _nameless(node, src, inside) if found[0].endswith((b"new", b"define")) else _reopened(node, src)
    word = found[1].decode()
    if node.child_by_field_name("receiver") is not None or text(node.child_by_field_name("method"), src) != word:
        return ()
    if word == "define_method" or word == "define_singleton_method":
        return _defined_method(node, src, inside)
    if not inside.startswith(_BODIES):
        return ()
    if word == "class_methods":
        return (Definition("", "singleton", node),)
    if word == "refine":
        return _reopened(node, src)
    return _by_symbols(node, src, word, inside)


def _by_symbols(node: Node, src: bytes, word: str, inside: str) -> Iterator[Definition]:
    given = node.child_by_field_name("arguments")
    named = [one for one in given.named_children if plain(one, src)] if given is not None else []
    if word in _FIRST_IS_OWNER:
        named = named[1:2] if word.endswith("r") else named[1:]
    elif word in _FIRST_ONLY:
        named = named[:1]
    kind = "method" if word in _MAKES_METHODS else "property"
    words = _words(node, src, inside)
    if word == "scope":
        words = ("static",)
    for one in named:
        start = node if one.start_point[0] == node.start_point[0] else one
        made = _symbol(one, kind, start, src)
        end = node if word in _WHOLE else one
        yield made._replace(modifiers=words, scope=word == "scope", end_node=end)


_FIRST_IS_OWNER = frozenset({"def_delegators", "def_delegator", "def_instance_delegators", "def_instance_delegator"})
_WHOLE = frozenset({"alias_method", "scope"})
_FIRST_ONLY = _WHOLE | frozenset(
    {"attribute", "has_many", "has_one", "belongs_to", "has_and_belongs_to_many", "has_one_attached", "has_many_attached"}
)
_MAKES_METHODS = _FIRST_IS_OWNER | {"alias_method", "delegate", "scope"}


def _symbol(one: Node, kind: str, start: Node, src: bytes) -> Definition:
    return Definition(plain(one, src), kind, Place(name_place(one)), scope=False, start_node=start, end_node=one)


def _defined_method(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    given, block = node.child_by_field_name("arguments"), node.child_by_field_name("block")
    first = given.named_child(0) if given is not None and given.named_child_count else None
    name = plain(first, src)
    if not name or first is None:
        return
    body = block.child_by_field_name("body") if block is not None else None
    words = _words(node, src, inside)
    if text(node.child_by_field_name("method"), src) == "define_singleton_method":
        words = (*words, "static")
    yield Definition(name, "method", Place(name_place(first)), body, modifiers=words, scope=True)


def _nameless(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A class without a name, ``Class.new do``: what it defines stays with the scope around it."""
    block = node.child_by_field_name("block")
    if block is not None and not inside.startswith(_BODIES):
        yield Definition("", "class", node)
        yield from _regions(block.child_by_field_name("body"), src, "class")


def _reopened(node: Node, src: bytes) -> Iterator[Definition]:
    """``Foo.class_eval do`` and ``refine Foo do`` with methods inside are the class once more."""
    block, written = node.child_by_field_name("block"), node.child_by_field_name("receiver")
    if written is None:
        given = node.child_by_field_name("arguments")
        written = given.named_child(0) if given is not None and given.named_child_count else None
    body = block.child_by_field_name("body") if block is not None else None
    if written is None or written.type not in CONSTANTS or body is None:
        return
    if not any(one.type in ("method", "singleton_method") for one in body.named_children):
        return
    name, prefix, leaf = parted(written, src)
    prefix = prefix.removeprefix("::").replace("::", ".")
    yield Definition(name, "class", leaf, body, prefix=prefix, bases=tuple(_mixed_in(body, src)))
    yield from _regions(body, src, "class")


def _aliased(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    said = text(name, src)
    if name is not None and not said.startswith("$"):
        leaf = Place(name_place(name)) if said.startswith(":") else name
        yield Definition(said.lstrip(":"), "method", leaf, scope=False, modifiers=_words(node, src, inside))


_DEFINERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "module": _container,
    "class": _container,
    "singleton_class": _singleton,
    "method": _method,
    "singleton_method": _method,
    "assignment": _assigned,
    "operator_assignment": _assigned,
    "alias": _aliased,
    "call": _called,
}
