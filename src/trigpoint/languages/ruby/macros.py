"""What Ruby's macros and builders define: names said by symbols, classes made by calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trigpoint.languages.ruby.bodies import BODIES, mixed_in, regions, words_of
from trigpoint.languages.ruby.names import CONSTANTS, as_prefix, name_place, parted, plain
from trigpoint.languages.syntax import Definition, Node, Place, expression, text

# builders

_BUILDERS = {"Class": "class", "Struct": "class", "Data": "class", "Module": "module"}
WITH_FIELDS = frozenset({"Struct", "Data"})


def built_by(node: Node | None, src: bytes) -> tuple[str, str] | None:
    """Kind and base of ``Class.new(Base)``, ``Struct.new(:a)``, ``Data.define(:a)``, ``Module.new``."""
    if node is None or node.type != "call":
        return None
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if receiver is None or method is None or text(receiver, src) not in _BUILDERS:
        return None
    builder = text(receiver, src)
    if text(method, src) != ("define" if builder == "Data" else "new"):
        return None
    if builder in WITH_FIELDS:
        return "class", builder
    given = node.child_by_field_name("arguments")
    first = given.named_child(0) if given is not None and given.named_child_count else None
    return _BUILDERS[builder], expression(first, src) if first is not None else ""


def fields_named(node: Node, src: bytes) -> Iterator[Definition]:
    """The fields that ``Struct.new(:a, :b)`` names."""
    given = node.child_by_field_name("arguments")
    for one in given.named_children if given is not None else ():
        if one.type == "simple_symbol":
            yield _symbol(one, "property", one, src)


# macros

_MACRO = re.compile(
    rb"((?:thread_)?(?:[cm]attr|attr)(?:_reader|_writer|_accessor)?|class_attribute|attribute|has_many|has_one|belongs_to"
    rb"|has_and_belongs_to_many|has_one_attached|has_many_attached|define_(?:singleton_)?method|alias_method|delegate"
    rb"|def_(?:instance_)?delegators?|scope|class_methods|refine)\b"
    rb"|(?:Class|Module|Struct)\.new\b|Data\.define\b|[A-Z][\w:]*\.(?:class|module)_eval\b"
)


def called(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """What a call defines: by attr_accessor and its like, define_method, alias_method, class_eval, Class.new."""
    start = node.start_byte
    found = _MACRO.match(src, start)
    if found is None:
        return ()
    if found[1] is None:
        return (
            _nameless(node, src, inside) if found[0].endswith((b"new", b"define")) else _reopened(node, src)
        )
    word = found[1].decode()
    if (
        node.child_by_field_name("receiver") is not None
        or text(node.child_by_field_name("method"), src) != word
    ):
        return ()
    if word == "define_method" or word == "define_singleton_method":
        return _defined_method(node, src, inside)
    if not inside.startswith(BODIES):
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
        named = named[1:][-1:] if word.endswith("r") else named[1:]
    elif word in _FIRST_ONLY:
        named = named[:1]
    kind = "method" if word in _MAKES_METHODS else "property"
    words = words_of(node, src, inside)
    if word == "scope":
        words = ("static",)
    for one in named:
        start = node if one.start_point[0] == node.start_point[0] else one
        made = _symbol(one, kind, start, src)
        end = node if word in _WHOLE else one
        yield made._replace(modifiers=words, scope=word == "scope", end_node=end)


_FIRST_IS_OWNER = frozenset(
    {"def_delegators", "def_delegator", "def_instance_delegators", "def_instance_delegator"}
)
_WHOLE = frozenset({"alias_method", "scope"})
_FIRST_ONLY = _WHOLE | frozenset(
    {
        "attribute",
        "has_many",
        "has_one",
        "belongs_to",
        "has_and_belongs_to_many",
        "has_one_attached",
        "has_many_attached",
    }
)
_MAKES_METHODS = _FIRST_IS_OWNER | {"alias_method", "delegate", "scope"}


def _symbol(one: Node, kind: str, start: Node, src: bytes) -> Definition:
    return Definition(
        plain(one, src), kind, Place(name_place(one)), scope=False, start_node=start, end_node=one
    )


def _defined_method(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    given, block = node.child_by_field_name("arguments"), node.child_by_field_name("block")
    first = given.named_child(0) if given is not None and given.named_child_count else None
    name = plain(first, src)
    if not name or first is None:
        return
    body = block.child_by_field_name("body") if block is not None else None
    words = words_of(node, src, inside)
    if text(node.child_by_field_name("method"), src) == "define_singleton_method":
        words = (*words, "static")
    yield Definition(name, "method", Place(name_place(first)), body, modifiers=words, scope=True)


def _nameless(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A class without a name, ``Class.new do``: what it defines stays with the scope around it."""
    block = node.child_by_field_name("block")
    if block is not None and not inside.startswith(BODIES):
        yield Definition("", "class", node)
        yield from regions(block.child_by_field_name("body"), src, "class")


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
    yield Definition(name, "class", leaf, body, prefix=as_prefix(prefix), bases=tuple(mixed_in(body, src)))
    yield from regions(body, src, "class")
