"""Where in a JavaScript file something stands, told from the bytes around it: cheaper than asking for the parent."""

from __future__ import annotations

import re

from trigpoint.languages.syntax import Node

MODULE_LIKE = frozenset({"", "namespace", "module"})
"""Insides whose variables are symbols."""
FUNCTION_LIKE = frozenset({"function", "method", "constructor", "callback", "option"})
"""Insides whose variables are locals. callback: an anonymous function; option: an object given to a call in a function."""
OBJECT_LIKE = frozenset({"variable", "constant", "property", "field", "exports"})
"""Insides whose pairs are members of something that has a name."""
QUIET = frozenset({"option", "list"})
"""Insides whose arrow functions are part of the code around them."""

FREEZING = (b"Object.freeze", b"Object.seal")
"""Calls that give back the object they get."""
_KEYWORD_ENDS = (b"nst ", b"let ", b"var ")
_EXPORT_WORDS = frozenset({b"export", b"default", b"declare", b"abstract"})
_CALLED = re.compile(rb"\s*\)?\s*(?:\.\s*(?:call|apply)\s*)?\(")
_MODIFIERS = frozenset(
    {
        "static", "async", "get", "set", "readonly", "override", "abstract", "declare", "accessor", "public", "private",
        "protected",
    }
)  # fmt: skip
_WORD = re.compile(r"[a-z]+|\*")


def before(node: Node, src: bytes, reach: int = 40) -> bytes:
    """The bytes before a node, without the space next to it."""
    start = node.start_byte
    return src[max(0, start - reach) : start].rstrip()


def export_modifiers(node: Node, src: bytes) -> tuple[str, ...]:
    """``export``, ``default`` and ``declare`` as they stand before a declaration."""
    words = before(node, src).split()
    found: list[str] = []
    while words and words[-1].rpartition(b";")[2] in _EXPORT_WORDS:
        found.append(words.pop().rpartition(b";")[2].decode())
    return tuple(reversed(found))


def is_bound(node: Node, src: bytes) -> bool:
    """Whether what the node makes has its name from the left: after ``=``, ``:`` or ``export default``."""
    tail = before(node, src)
    return tail.endswith((b"=", b":", b"default"))


def is_called_at_once(node: Node, src: bytes) -> bool:
    """Whether an anonymous function is ``(function () { … })()`` or the like."""
    tail = before(node, src)
    if not tail.endswith((b"(", b"!", b"+", b"-", b"~", b"void")) or not _CALLED.match(src, node.end_byte):
        return False
    if not tail.endswith(b"("):
        return True
    outer = tail[:-1].rstrip()[-1:]
    return not (outer.isalnum() or outer in (b"_", b"$", b")", b"]", b">"))


def is_element(node: Node, src: bytes) -> bool:
    """Whether an object is an argument or a list element: neither bound to a name nor returned."""
    tail = before(node, src)
    if tail.endswith((b",", b"[")):
        return True
    if not tail.endswith(b"("):
        return False
    outer = tail[:-1].rstrip()
    if outer.endswith((b"=>", b"return", *FREEZING)):
        return False
    last = outer[-1:]
    return last.isalnum() or last in (b"_", b"$", b")", b"]", b">")


def only_declarator(declaration: Node) -> Node | None:
    """The declarator of a declaration that has one; then the whole declaration is what it defines."""
    if (
        declaration.named_child_count == 1
        and (one := declaration.named_child(0)).type == "variable_declarator"
    ):
        return one
    return None


def is_one_of_many(declarator: Node, src: bytes) -> bool:
    """Whether a declaration has more declarators than this one."""
    start, end = declarator.start_byte, declarator.end_byte
    if src[end : end + 1] == b";" and src[start - 4 : start] in _KEYWORD_ENDS:
        return False
    after = src[end : end + 40].lstrip()
    if after.startswith(b",") or before(declarator, src).endswith(b","):
        return True
    return after.startswith(b"/") and declarator.parent.named_child_count > 1


def member_modifiers(start: int, name: Node, src: bytes) -> tuple[str, ...]:
    """The words between the start of a member and its name."""
    name_start = name.start_byte
    private = ("private",) if name.type == "private_property_identifier" else ()
    if start >= name_start:
        return private
    words = _WORD.findall(src[start:name_start].decode("utf-8", "replace"))
    return (
        tuple("generator" if one == "*" else one for one in words if one == "*" or one in _MODIFIERS)
        + private
    )
