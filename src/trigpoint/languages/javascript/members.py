"""Functions, classes and their members, object members, and what is assigned to a member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trigpoint.languages.javascript.bound import is_parameter_property
from trigpoint.languages.javascript.modules import export_target, required
from trigpoint.languages.javascript.places import MODULE_LIKE, OBJECT_LIKE, QUIET, before, member_modifiers
from trigpoint.languages.javascript.typed import type_name
from trigpoint.languages.javascript.values import (
    FUNCTIONS,
    annotation,
    code_in,
    has_methods,
    literal,
    name_of,
    place_of,
)
from trigpoint.languages.syntax import Definition, Node, children_of_kind, expression, text


def function_named(
    name: str,
    kind: str,
    name_node: Node,
    function: Node,
    src: bytes,
    modifiers: tuple[str, ...],
    receiver: str = "",
) -> Definition:
    """A function under the name it is declared with or bound to."""
    head = src[function.start_byte : function.start_byte + 30]
    if head.startswith(b"async"):
        modifiers = (*modifiers, "async")
    if function.type.startswith("generator"):
        modifiers = (*modifiers, "generator")
    return Definition(
        name,
        kind,
        name_node,
        function.child_by_field_name("body"),
        receiver,
        modifiers=modifiers,
        returns=annotation(function.child_by_field_name("return_type"), src),
    )


# classes


def class_definition(
    name: str, name_node: Node, node: Node, src: bytes, modifiers: tuple[str, ...]
) -> Definition:
    """A class under the name it is declared with or bound to."""
    if node.type == "abstract_class_declaration" and "abstract" not in modifiers:
        modifiers = (*modifiers, "abstract")
    own, start = _leading(node, src)
    beside = _decorators_beside(node, src) if "export" in modifiers and node.type != "class" else []
    return Definition(
        name,
        "class",
        name_node,
        node.child_by_field_name("body"),
        bases=_bases(node, src),
        decorators=tuple(_decorator(one, src) for one in beside + own),
        modifiers=modifiers,
        start_node=start if own else None,
        lead_node=node if own else None,
    )


def _leading(node: Node, src: bytes) -> tuple[list[Node], Node]:
    """Decorators inside a node, and the first thing after them."""
    found: list[Node] = []
    for child in node.children:
        if child.type == "decorator":
            found.append(child)
        elif child.type != "comment":
            return found, child
    return found, node


def _decorators_beside(node: Node, src: bytes) -> list[Node]:
    found: list[Node] = []
    previous = node.prev_named_sibling
    while previous is not None and previous.type in ("decorator", "comment"):
        if previous.type == "decorator":
            found.append(previous)
        previous = previous.prev_named_sibling
    return found[::-1]


def _decorator(node: Node, src: bytes) -> str:
    return expression(node, src).lstrip("@")


def _bases(node: Node, src: bytes) -> tuple[str, ...]:
    found: list[str] = []
    for heritage in children_of_kind(node, "class_heritage"):
        for child in heritage.named_children:
            if child.type == "extends_clause":
                found.extend(_base(one, src) for one in child.children_by_field_name("value"))
                found.extend(_mixed(child.child_by_field_name("value"), src))
            elif child.type == "implements_clause":
                found.extend(type_name(one, src) for one in child.named_children if one.type != "comment")
            elif child.type != "comment":
                found.append(_base(child, src))
                found.extend(_mixed(child, src))
    return tuple(found)


def _base(node: Node, src: bytes) -> str:
    return expression(node, src)


def _mixed(node: Node | None, src: bytes) -> Iterator[str]:
    """The classes given to a mixin: ``extends Loud(Bird)`` inherits from Bird too."""
    if node is not None and node.type == "call_expression":
        for one in children_of_kind(node.child_by_field_name("arguments"), "identifier", "member_expression"):
            yield expression(one, src)


_DECLARED = frozenset({"method_signature", "abstract_method_signature"})
_FIELDS = frozenset({"field_definition", "public_field_definition"})


def member(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A method, accessor or field of a class, an object or an interface."""
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    if name_node is None:
        return
    name, name_node = name_of(name_node, src), place_of(name_node)
    own, start = _leading(node, src)
    decorators = own or (
        _decorators_beside(node, src) if before(node, src, 8)[-1:] not in _NO_DECORATOR else []
    )
    modifiers = member_modifiers(start.start_byte, name_node, src)
    shell = Definition(
        name,
        "method",
        name_node,
        decorators=tuple(_decorator(one, src) for one in decorators),
        modifiers=modifiers,
        start_node=start if own else None,
        lead_node=node if own else decorators[0] if decorators else None,
    )
    if node.type in _FIELDS:
        yield from _field(shell, node.child_by_field_name("value"), src)
        return
    if node.type in _DECLARED:
        shell = shell._replace(modifiers=(*modifiers, "declaration"))
    elif name == "constructor" and inside == "class":
        shell = shell._replace(kind="constructor")
    if inside == "exports":
        shell = shell._replace(kind="function", modifiers=(*modifiers, "export"))
    yield shell._replace(
        body=node.child_by_field_name("body"),
        returns=annotation(node.child_by_field_name("return_type"), src),
    )


_NO_DECORATOR = frozenset({b"{", b"}", b";", b",", b"/", b""})
"""What stands before most members: then there is no need to look for decorators."""


def _field(shell: Definition, value: Node | None, src: bytes) -> Iterator[Definition]:
    for one in of_value(shell.name, shell.name_node, literal(value, src), src, kind="field"):
        if one.name:
            yield one._replace(
                kind="method" if one.kind == "function" else one.kind,
                decorators=shell.decorators,
                modifiers=shell.modifiers + one.modifiers,
                start_node=shell.start_node,
                lead_node=shell.lead_node,
            )
        else:
            yield one


def parameter_properties(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``constructor(private repo: Repo)`` in a class body: the parameter is a field of the class."""
    for child in children_of_kind(node, "method_definition"):
        if text(child.child_by_field_name("name"), src) == "constructor":
            for one in children_of_kind(
                child.child_by_field_name("parameters"), "required_parameter", "optional_parameter"
            ):
                pattern = one.child_by_field_name("pattern")
                if pattern is not None and pattern.type == "identifier" and is_parameter_property(one):
                    modifiers = member_modifiers(one.start_byte, pattern, src)
                    yield Definition(
                        text(pattern, src),
                        "field",
                        pattern,
                        modifiers=modifiers,
                        scope=False,
                        start_node=one,
                        end_node=one,
                    )


# values that have a name


def of_value(
    name: str,
    name_node: Node,
    value: Node | None,
    src: bytes,
    *,
    kind: str,
    modifiers: tuple[str, ...] = (),
    receiver: str = "",
) -> Iterator[Definition]:
    """The definition of a name bound to ``value``: a function or class where it is one, else of the kind given.

    A call that is given functions, and an object, hold code of their own; plain values do not.
    """
    shape = "" if value is None else value.type
    if shape in FUNCTIONS:
        yield function_named(name, "function", name_node, value, src, modifiers, receiver)
    elif shape == "class" and value is not None:
        yield class_definition(name, name_node, value, src, modifiers)._replace(
            receiver=receiver, start_node=None, lead_node=None
        )
    elif shape == "object":
        yield Definition(name, kind, name_node, value, receiver, modifiers=modifiers)
    elif shape == "array":
        yield Definition(name, kind, name_node, None, receiver, modifiers=modifiers)
    elif value is not None and (code := code_in(value)) is not None:
        body = code if code.type == "object" else code.child_by_field_name("body")
        yield Definition(name, kind, name_node, body, receiver, modifiers=modifiers)
        yield Definition("", "call", name_node, end_node=value)
    else:
        yield Definition(name, kind, name_node, None, receiver, modifiers=modifiers, scope=False)


_PLAIN = frozenset(
    {"identifier", "member_expression", "string", "template_string", "number", "true", "false", "null"}
)


def pair(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``load: async () => …`` in an object; plain values count where the object has a name."""
    value = node.child_by_field_name("value")
    named = inside in OBJECT_LIKE
    if value is None or (not named and value.type in _PLAIN):
        return ()
    value = literal(value, src)
    if value is None or (not named and not _defines(value, inside)):
        return ()
    key = node.child_by_field_name("key")
    if (
        key is None
        or key.type == "number"
        or (key.type == "computed_property_name" and value.type not in FUNCTIONS)
    ):
        return ()
    return _pair(key, value, src, exported=inside == "exports")


def _defines(value: Node, inside: str) -> bool:
    """Whether a pair of an object without a name is a definition: where it holds a function, and is no mere option."""
    kind: str = value.type
    if inside in QUIET:
        return kind in ("function_expression", "generator_function")
    return kind in FUNCTIONS or kind == "class" or (kind == "object" and has_methods(value))


def _pair(key: Node, value: Node, src: bytes, exported: bool) -> Iterator[Definition]:
    if exported and (value.type == "identifier" or required(value, src) is not None):
        return  # a re-export
    for one in of_value(
        name_of(key, src), place_of(key), value, src, kind="constant" if exported else "property"
    ):
        if one.kind == "function" and not exported:
            yield one._replace(kind="method")
        elif one.name and exported:
            yield one._replace(modifiers=("export", *one.modifiers))
        else:
            yield one


# assignments

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
    if exported is None and not of_prototype and right.type in _PLAIN:
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
        return of_value(
            name_of(name, src), name, value, src, kind="variable", receiver=_receiver(left, src)[0]
        )
    return ()


def _all_targets(left: Node, right: Node, value: Node, src: bytes) -> Iterator[Definition]:
    for alias in _further_targets(right):
        for one in _assigned(alias, value, src):
            yield one._replace(scope=False)
    own = value.child_by_field_name("name") if value.type in FUNCTIONS or value.type == "class" else None
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
        yield from of_value(text(left, src), left, value, src, kind="variable")
    elif left.type == "member_expression":
        name = left.child_by_field_name("property")
        receiver, of_instances = _receiver(left, src)
        kind = "property" if of_instances else "variable"
        for one in of_value(name_of(name, src), name, value, src, kind=kind, receiver=receiver):
            static = ("static",) if receiver[:1].isupper() and not of_instances else ()
            yield one._replace(
                kind="method" if one.kind == "function" else one.kind, modifiers=static + one.modifiers
            )
    elif left.type == "subscript_expression":
        index = left.child_by_field_name("index")
        if index is not None and index.type == "string":
            owner = expression(left.child_by_field_name("object"), src)
            for one in of_value(
                name_of(index, src), place_of(index), value, src, kind="variable", receiver=owner
            ):
                yield one._replace(kind="method" if one.kind == "function" else one.kind)


def _exported(target: str, left: Node, value: Node, src: bytes) -> Iterator[Definition]:
    """``exports.load = function`` is a function load; a function expression's own name wins over ``default``."""
    if value.type == "identifier" or required(value, src) is not None:
        return
    name_node = left.child_by_field_name("property")
    if target == "default":
        if value.type == "object":
            yield Definition("", "exports", value)
            return
        own = value.child_by_field_name("name") if value.type in FUNCTIONS or value.type == "class" else None
        modifiers: tuple[str, ...] = ("export", "default")
        name_node, target = (own, text(own, src)) if own is not None else (name_node, target)
    else:
        modifiers = ("export",)
    yield from of_value(target, name_node, value, src, kind="constant", modifiers=modifiers)
