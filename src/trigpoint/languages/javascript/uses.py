"""Uses in JavaScript that no table can say: components in JSX."""

from __future__ import annotations

from collections.abc import Iterator

from trigpoint.languages.syntax import Node, Target, expression, text


def reference(node: Node, src: bytes) -> Iterator[Target]:
    """``<Card/>`` and ``<ui.Card>`` call the component; ``<div>`` is markup."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    if name.type == "member_expression":
        last = name.child_by_field_name("property")
        yield Target(text(last, src), expression(name.child_by_field_name("object"), src), last)
    elif name.type == "identifier" and src[name.start_byte : name.start_byte + 1].isupper():
        yield Target(text(name, src), "", name)
