"""What the library's containers give: an element, or a container of the same elements."""

from __future__ import annotations

from trigpoint.languages.expressions import CALL
from trigpoint.languages.linking import EXTERNAL, Value, words
from trigpoint.model import MODULE

ITSELF = "itself"
"""The name of what a call gives the same type again for."""

_OPENS = words(
    "unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked into_inner get_or_insert_with insert"
)
_MAYBE = words(
    "get get_mut first last first_mut last_mut next pop peek nth pop_front pop_back front back remove"
)
_SAME = words("""as_ref as_mut as_deref as_deref_mut iter iter_mut into_iter cloned copied clone ok take borrow borrow_mut lock
    read write rev skip filter peekable by_ref drain map_err or_else ok_or ok_or_else to_vec as_slice values values_mut
    replace context with_context""")


def argument(value: Value, at: int) -> Value | None:
    """One of the type arguments, when it is known."""
    if value.role != "external" or not value.args or value.args[at].role == "unknown":
        return None
    return value.args[at]


def member(value: Value, name: str) -> Value:
    """Of a container: remembered with its arguments, for the call that follows."""
    name = name.removesuffix(CALL)
    if not value.args or value.path == ITSELF:
        return EXTERNAL
    if name[:1] == "#" and value.path == "()" and name[1:].isdigit() and int(name[1:]) < len(value.args):
        return argument(value, int(name[1:])) or Value("unknown")
    if name in _OPENS or name in _MAYBE or name in _SAME:
        return Value("external", f"*.{name}", MODULE, value.args)
    return EXTERNAL


def call(value: Value) -> Value | None:
    """Getters give one of the arguments, perhaps in an Option."""
    if value.path == ITSELF:
        return value.args[0]
    name = value.path.removeprefix("*.")
    if value.path[:2] != "*.":
        return EXTERNAL
    if name in _OPENS:
        return argument(value, 0)
    return Value(
        "external",
        "Option",
        MODULE,
        value.args[-1:] if name in ("get", "get_mut", "remove") else value.args,
    )
