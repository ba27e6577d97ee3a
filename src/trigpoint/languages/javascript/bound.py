"""What names are bound to in JavaScript: the hints from which a receiver's type is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.javascript.handed import GIVEN, body, given, returned
from trigpoint.languages.javascript.modules import export_target, pattern_members, required
from trigpoint.languages.javascript.places import FUNCTION_LIKE, before
from trigpoint.languages.javascript.values import annotation, cast, core, is_definition, name_of, resolvable
from trigpoint.languages.syntax import Node, expression, flat, leaf_names, line_of, text
from trigpoint.model import Binding

_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_TYPES = frozenset({"interface", "class", "type", "property"})


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Locals, parameters, fields and ``this.x``; a destructured name is bound to the member: ``const {a} = x`` to x.a."""
    return _READERS[node.type](node, src, inside)


def _declaration(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    found: list[Binding] = []
    for one in node.named_children:
        if one.type == "variable_declarator":
            value = one.child_by_field_name("value")
            if not (is_definition(value) or is_required(value, src)):
                declared = annotation(one.child_by_field_name("type"), src) or cast(value, src)
                found.extend(
                    _pattern(one.child_by_field_name("name"), "assign", resolvable(value, src), declared, src)
                )
    return found


def is_required(value: Node | None, src: bytes) -> bool:
    """Whether the value is a module as it is, so that the name is an import."""
    found = required(value, src)
    return found is not None and found[2]


def _pattern(target: Node, kind: str, value: str, declared: str, src: bytes) -> Iterable[Binding]:
    if target.type == "identifier":
        return (Binding(text(target, src), kind, value, declared, line_of(target)),)
    if target.type == "object_pattern":
        return _members(target, kind, value, declared, src)
    return [Binding(found, kind, "", "", line_of(leaf)) for found, leaf in leaf_names(target, src, _NAMES)]


def _members(target: Node, kind: str, value: str, declared: str, src: bytes) -> Iterator[Binding]:
    for path, leaf in pattern_members(target, src):
        steps = path.split(".") if path else []
        member = ".".join([value, *steps]) if value else ""
        typed = declared + "".join(f'["{step}"]' for step in steps) if declared[:1].isalpha() else ""
        yield Binding(text(leaf, src), kind, member, typed, line_of(leaf))


def _assignment(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return
    if is_definition(core(right)):
        if src.startswith(b"this.", left.start_byte) and left.type == "member_expression":
            name = text(left.child_by_field_name("property"), src)
            yield Binding(f"this.{name}", "attribute", name, "", line_of(left))
        return
    if left.type == "identifier":
        if required(right, src) is None and text(left, src) != "exports":
            yield Binding(text(left, src), "assign", resolvable(right, src), cast(right, src), line_of(left))
    elif left.type == "member_expression":
        value = resolvable(right, src)
        exported = export_target(left, src)
        if exported is None:
            yield Binding(expression(left, src), "attribute", value, cast(right, src), line_of(left))
        elif value and right.type != "identifier" and required(right, src) is None:
            yield Binding(exported, "assign", value, cast(right, src), line_of(left))
    elif left.type == "object_pattern":
        yield from _pattern(left, "assign", resolvable(right, src), "", src)


def _parameters(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    if inside not in FUNCTION_LIKE and not before(node, src).endswith(b"function"):
        return ()  # of a function type
    call = given(node, src)
    found: list[Binding] = []
    for at, child in enumerate(node.named_children):
        hint = f"{call} {at})" if call else ""
        if child.type == "identifier":
            found.append(Binding(text(child, src), GIVEN if call else "param", hint, "", line_of(child)))
        else:
            found.extend(_parameter(child, src, hint))
    return found


def _parameter(node: Node, src: bytes, hint: str) -> Iterator[Binding]:
    value, declared, target = "", "", node
    field = False
    if node.type in ("required_parameter", "optional_parameter"):
        declared = annotation(node.child_by_field_name("type"), src)
        value = resolvable(node.child_by_field_name("value"), src)
        target = node.child_by_field_name("pattern")
        field = is_parameter_property(node)
    elif node.type == "assignment_pattern":
        value = resolvable(node.child_by_field_name("right"), src)
        target = node.child_by_field_name("left")
    if target is None or target.type in ("comment", "decorator"):
        return
    if target.type == "this":
        yield Binding("this", "param", "", declared, line_of(target))
    kind = GIVEN if hint and not declared else "param"
    yield from _pattern(target, kind, hint if kind == GIVEN else value, declared, src)
    if field:
        name = text(target, src)
        yield Binding(f"this.{name}", "attribute", name, declared, line_of(target))


_PROPERTY_MODIFIERS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})


def is_parameter_property(node: Node) -> bool:
    """``constructor(private repo: Repo)``: the parameter is a field too."""
    for child in node.children:
        if child.type in _PROPERTY_MODIFIERS:
            return True
        if child.type not in ("decorator", "comment"):
            return False
    return False


def _arrow(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    parameter = node.child_by_field_name("parameter")
    if parameter is not None:
        call = given(node, src)
        hint = f"{call} 0)" if call else ""
        yield Binding(text(parameter, src), GIVEN if call else "param", hint, "", line_of(parameter))
    if inside in _GIVING:
        yield from body(node, src, line_of(node))


def _return(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    return returned(node, src, line_of(node)) if inside in _GIVING else ()


_GIVING = frozenset({"function", "method", "constructor"})


def _type_parameters(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters with their bounds: as good as aliases."""
    for child in node.named_children:
        if child.type == "type_parameter":
            bound = child.child_by_field_name("constraint")
            declared = (
                flat(bound.named_child(0), src) if bound is not None and bound.named_child_count else ""
            )
            yield Binding(text(child.child_by_field_name("name"), src), "alias", "", declared, line_of(child))


def _type_alias(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``type A = B``, where B is more than an object type."""
    value = node.child_by_field_name("value")
    if value is not None and value.type != "object_type":
        yield Binding(
            text(node.child_by_field_name("name"), src), "alias", "", flat(value, src), line_of(node)
        )


def _for_in(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left = node.child_by_field_name("left")
    operator = node.child_by_field_name("operator")
    value = resolvable(node.child_by_field_name("right"), src)
    if left is None or operator is None or operator.type != "of":
        value = ""  # keys are strings
    for name, leaf in leaf_names(left, src, _NAMES):
        yield Binding(name, "for", value if leaf.id == left.id else "", "", line_of(leaf))


def _catch(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    parameter = node.child_by_field_name("parameter")
    if parameter is not None:
        yield from _pattern(parameter, "assign", "", annotation(node.child_by_field_name("type"), src), src)


def _field(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    if inside not in _TYPES:
        return
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    value = node.child_by_field_name("value")
    if is_definition(value):
        return
    declared = annotation(node.child_by_field_name("type"), src) or cast(value, src)
    yield Binding(name_of(name, src), "attribute", resolvable(value, src), declared, line_of(node))


def _default(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    value = node.child_by_field_name("value")
    if value is not None and value.type != "identifier" and (found := resolvable(value, src)):
        yield Binding("default", "assign", found, cast(value, src), line_of(node))


def _import_alias(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    if node.named_child_count > 1:
        yield Binding(
            text(node.named_child(0), src), "alias", expression(node.named_child(1), src), "", line_of(node)
        )


_READERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "assignment_expression": _assignment,
    "formal_parameters": _parameters,
    "arrow_function": _arrow,
    "for_in_statement": _for_in,
    "catch_clause": _catch,
    "field_definition": _field,
    "public_field_definition": _field,
    "property_signature": _field,
    "export_statement": _default,
    "import_alias": _import_alias,
    "return_statement": _return,
    "type_parameters": _type_parameters,
    "type_alias_declaration": _type_alias,
}
