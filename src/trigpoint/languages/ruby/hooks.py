"""Ruby's imports and uses; definitions and bindings are beside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trigpoint.languages.ruby.bound import bindings
from trigpoint.languages.ruby.defined import definition
from trigpoint.languages.ruby.names import CONSTANTS, chain, parted, plain
from trigpoint.languages.syntax import Node, Place, Target, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "reference"]


# imports

_LOADS = re.compile(rb"(?:require|require_relative|load|autoload|eager_autoload)\b[ (]")
_LOAD_HEADS = frozenset({b"requ", b"load", b"auto", b"eage"})


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """``require_relative`` is a path from this file: "./x"; ``autoload`` binds its constant; ``load`` includes."""
    start = node.start_byte
    if src[start : start + 4] not in _LOAD_HEADS or not _LOADS.match(src, start):
        return ()
    given = node.child_by_field_name("arguments")
    strings = [plain(one, src) for one in given.named_children] if given is not None else []
    if not strings or not strings[-1]:
        return ()
    word, path, line = text(node.child_by_field_name("method"), src), strings[-1], line_of(node)
    if word == "autoload":
        return (Import(path, strings[0], strings[0], line),) if len(strings) == 2 else ()
    if word == "require_relative":
        path = path if path.startswith(("/", "../", "./")) else f"./{path}"
    return (Import(path, "", "", line, kind="include" if word == "load" else "import"),)


# uses

_SYMBOL_USERS = re.compile(
    r"(?:(?:skip_|prepend_|append_)?(?:before|after|around)_\w+|validate|helper_method|rescue_from|method|instance_method"
    r"|send|public_send|__send__|private|protected|public|module_function|private_class_method|public_class_method)$"
)
"""Methods whose symbols name methods that they call or treat."""
_NAMING = frozenset({"with", "if", "unless", "only_if", "via", "through", "to"})
_BEFORE_SYMBOL = frozenset({b" :", b"(:"})
_SIGNS = frozenset({b"=", b"|", b"&", b"<", b"+", b"-", b"*", b"/"})
_ASSIGNED = re.compile(rb"[ \t]*(?:\|\||&&|[-+*/|&]|<<)?=(?![=~>])")


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls; ``Foo.new`` makes a Foo, ``a.b = c`` calls ``b=``, ``before_action :check`` names check."""
    method, receiver = node.child_by_field_name("method"), node.child_by_field_name("receiver")
    if method is None:
        if node.type == "super":
            return (Target("super", "", node),)
        if node.type == "alias":
            old = node.child_by_field_name("alias")
            return (Target(text(old, src).lstrip(":"), "", old, "value"),)
        return (Target("call", chain(receiver, src), node),) if receiver is not None else ()
    if receiver is None:
        return _own_call(node, method, src)
    name = src[method.start_byte : method.end_byte].decode("utf-8", "replace")
    if name == "new" and receiver.type in CONSTANTS:
        made, owner, leaf = parted(receiver, src)
        if not owner and receiver.type == "scope_resolution":
            owner = "::"  # from the top
        return (Target(made, owner, leaf, "new"),)
    end = method.end_byte
    if src[end : end + 3].lstrip()[:1] in _SIGNS and end == node.end_byte and _ASSIGNED.match(src, end):
        name += "="
    call = Target(name, chain(receiver, src), method)
    if src[end : end + 2] in _BEFORE_SYMBOL and _SYMBOL_USERS.match(name):
        return (call, *_named_by_symbols(node, src, call.receiver))
    return (call,)


def _own_call(node: Node, method: Node, src: bytes) -> Iterable[Target]:
    if method.type == "super":
        return ()  # visited on its own
    name = text(method, src)
    call = Target(name, "", method)
    end = method.end_byte
    if (src[end : end + 2] in _BEFORE_SYMBOL and _SYMBOL_USERS.match(name)) or name == "rescue_from":
        return (call, *_named_by_symbols(node, src, ""))
    return (call,)


def _named_by_symbols(node: Node, src: bytes, receiver: str) -> Iterator[Target]:
    """Methods named by the symbols among the arguments of a call."""
    given = node.child_by_field_name("arguments")
    for one in given.named_children if given is not None else ():
        if one.type == "pair":
            key = text(one.child_by_field_name("key"), src)
            one = one.child_by_field_name("value")
            if key not in _NAMING:
                continue
        if one is not None and one.type == "simple_symbol":
            row, column = one.start_point
            yield Target(text(one, src)[1:], receiver, Place((row, column + 1)), "value")
