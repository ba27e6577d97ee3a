"""What is defined by assignment: CommonJS exports, prototype members, functions bound to names and members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trigpoint.languages.javascript.modules import export_target, required
from trigpoint.languages.javascript.named import Label, of_value
from trigpoint.languages.javascript.places import MODULE_LIKE, before
from trigpoint.languages.javascript.values import FUNCTIONS, PLAIN, literal, name_of, place_of
from trigpoint.languages.syntax import Definition, Node, expression, text

_PROTOTYPE = b".prototype."


def assignment(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``exports.x = …``, ``module.exports = …``, ``Foo.prototype.bar = function``, ``x = () => …``."""
    left = node.child_by_field_name("left")
    right = node.child_by_field_name("right")
    if left is None or right is None:
        return ()
    if right.type == "assignment_expression" and text(left, src) == "exports":
        left, right = right.child_by_field_name("left"), right.child_by_field_name("right")
    exported = export_target(left, src)
    of_prototype = left.type == "member_expression" and _PROTOTYPE in src[left.start_byte : left.end_byte]
    if exported is None and not of_prototype and right.type in PLAIN:
        return ()
    value = literal(right, src)
    if value is None or before(node, src).endswith(b"="):
        return ()  # the outermost assignment of a chain tells all its targets
    if exported is not None:
        return _exported(exported, left, value, src)
    if of_prototype or value.type in FUNCTIONS or value.type == "class":
        return _all_targets(left, right, value, src)
    if value.type == "object" and left.type == "member_expression" and inside in MODULE_LIKE:
        name = left.child_by_field_name("property")
        label = Label(name_of(name, src), name, "variable", receiver=_receiver(left, src)[0])
        return of_value(label, value, src)
    return ()


def _all_targets(left: Node, right: Node, value: Node, src: bytes) -> Iterator[Definition]:
    for alias in _further_targets(right):
        for one in _assigned(alias, value, src):
            yield one._replace(scope=False)
    own = _own_name(value)
    if own is not None and text(own, src) != text(left.child_by_field_name("property"), src):
        kind = "class" if value.type == "class" else "function"
        yield Definition(text(own, src), kind, own, value.child_by_field_name("body"), scope=False)
    yield from _assigned(left, value, src)


def _further_targets(right: Node) -> Iterator[Node]:
    """The targets after the first one: b and c of ``a = b = c = value``."""
    while right.type == "assignment_expression":
        yield right.child_by_field_name("left")
        right = right.child_by_field_name("right")


def _receiver(left: Node, src: bytes) -> tuple[str, bool]:
    """What a member is assigned to, and whether to its prototype."""
    owner = expression(left.child_by_field_name("object"), src)
    if owner == "this":
        return "", False
    for own in ("exports.", "module.exports."):
        owner = owner.removeprefix(own)
    if owner.endswith(".prototype"):
        return owner.removesuffix(".prototype"), True
    return owner, False


def _assigned(left: Node, value: Node, src: bytes) -> Iterator[Definition]:
    if left.type == "identifier":
        yield from of_value(Label(text(left, src), left, "variable"), value, src)
    elif (label := _member_label(left, src)) is not None:
        for one in of_value(label, value, src):
            yield one._replace(kind="method" if one.kind == "function" else one.kind)


def _member_label(left: Node, src: bytes) -> Label | None:
    """The name of ``Owner.name``, ``Owner.prototype.name`` and ``owner["name"]``."""
    if left.type == "member_expression":
        name = left.child_by_field_name("property")
        receiver, of_instances = _receiver(left, src)
        static = ("static",) if receiver[:1].isupper() and not of_instances else ()
        return Label(name_of(name, src), name, "property" if of_instances else "variable", static, receiver)
    index = left.child_by_field_name("index")
    if index is None or index.type != "string":
        return None
    owner = expression(left.child_by_field_name("object"), src)
    return Label(name_of(index, src), place_of(index), "variable", receiver=owner)


def _exported(target: str, left: Node, value: Node, src: bytes) -> Iterator[Definition]:
    """``exports.load = function`` is a function load; a function expression's own name wins over ``default``."""
    if value.type == "identifier" or required(value, src) is not None:
        return
    place = left.child_by_field_name("property")
    modifiers: tuple[str, ...] = ("export",)
    if target == "default":
        if value.type == "object":
            yield Definition("", "exports", value)
            return
        modifiers = ("export", "default")
        if (own := _own_name(value)) is not None:
            place, target = own, text(own, src)
    yield from of_value(Label(target, place, "constant", modifiers), value, src)


def _own_name(value: Node) -> Node | None:
    if value.type in FUNCTIONS or value.type == "class":
        return value.child_by_field_name("name")
    return None
