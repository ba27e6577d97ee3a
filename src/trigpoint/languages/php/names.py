"""PHP's names: qualified by namespaces, and variables with their sign."""

from __future__ import annotations

from trigpoint.languages.syntax import Node, expression, text

NAMES = frozenset({"name", "qualified_name", "relative_name"})


def parted(node: Node, src: bytes) -> tuple[str, str, Node]:
    """``A\\B\\c`` as "c", "A\\B\\" and the node of c; what stands before a name keeps its last backslash."""
    if node.type == "name":
        return text(node, src), "", node
    leaf = node.named_child(node.named_child_count - 1) if node.named_child_count else node
    raw = "".join(text(node, src).split())
    cut = raw.rfind("\\") + 1
    return raw[cut:], raw[:cut], leaf


def owner(node: Node | None, src: bytes) -> str:
    """What stands before an arrow or a double colon."""
    if node is None:
        return ""
    if node.type == "variable_name" or node.type in NAMES:
        return text(node, src)
    return expression(node, src).replace("?->", "->")


def bare_name(variable: Node | None) -> Node | None:
    """The name without the sign, of a variable that is no expression."""
    if variable is not None and variable.type == "by_ref" and variable.named_child_count:
        variable = variable.named_child(0)
    if variable is None or variable.type != "variable_name" or not variable.named_child_count:
        return None
    name = variable.named_child(0)
    return name if name.type == "name" else None


def dotted(name: str) -> tuple[str, str]:
    """``A\\B\\C`` as "A.B" and "C"."""
    prefix, _, last = "".join(name.split()).strip("\\").rpartition("\\")
    return prefix.replace("\\", "."), last
