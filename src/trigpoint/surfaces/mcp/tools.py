"""THE TABLE of tools: which operations an agent sees, in which words. Schemas follow from operations.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trigpoint.errors import UsageError
from trigpoint.operations import MAX_SECONDS, OPERATIONS, Argument, Field

Schema = dict[str, Any]

DEADLINE_SECONDS = 30
"""Of a call that gives none: half of what the most impatient client in common use waits."""


class Tool(NamedTuple):
    """One tool: the operation whose request it takes, and what else it says."""

    name: str  # of its operation
    title: str
    words: str  # opens with the questions that it answers
    keys: Mapping[str, str]  # of the structured answer: type in JSON, by key
    takes: tuple[str, ...] = ()  # fields of the request; () is all but those that the server decides
    beside: tuple[str, ...] = ()  # of other operations whose arguments it takes too, "operation.field"
    resends: bool = False  # whether the session ledger can stand in for its text


_ANSWER = {"tokens": "integer", "tokenizer": "string", "freshness": "object", "notes": "array"}

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "context",
            "Everything for a task in one answer",
            "Call this first. Where is the code for this question, task or bug report, who calls it, which tests cover it, what "
            "to read next? One call gives ranked source windows, verified against the files as they are now, relationships "
            "with confidence, what is missing, and exact next calls.",
            {
                "query": "string", "intent": "string", "plan": "string", "excerpts": "array", "relationships": "array",
                "others": "array", "left_out": "array", "missing": "array", "next": "array", "given_tokens": "integer",
                "files_tokens": "integer", **_ANSWER,
            },
            resends=True,
        ),
        Tool(
            "search",
            "Find code",
            "Which code answers this question, holds these words, or raises this error? Ranked passages with reasons.",
            {"query": "string", "intent": "string", "plan": "string", "results": "array", "total": "integer", "reads": "array", **_ANSWER},
            resends=True,
        ),
        Tool(
            "symbol",
            "Look up a name",
            "Where is this name defined, what is its signature, who calls it, what does it call?",
            {"symbols": "array", "callers": "object", "callees": "object", **_ANSWER},
            takes=("name", "limit"),
            beside=("callers.guesses", "callers.tokens"),
        ),
        Tool(
            "impact",
            "See what a change may break",
            "What breaks, and which tests run, when this symbol, file or diff changes?",
            {"query": "string", "relation": "string", "targets": "array", "results": "array", "total": "integer", "affected": "object", "changes": "array", **_ANSWER},
        ),
        Tool(
            "read",
            "Read lines",
            "Show these lines of a file as they are now, and whether they changed since they were indexed.",
            {"path": "string", "start_line": "integer", "end_line": "integer", "text": "string", "state": "string", "sent": "string", **_ANSWER},
            resends=True,
        ),
        Tool(
            "map",
            "Map the project",
            "How is this project built, where do I begin? Its most central files and definitions.",
            {"results": "array", "total": "integer", **_ANSWER},
        ),
        Tool(
            "status",
            "See how fresh the index is",
            "What is indexed, how fresh is it, which projects are open, what was left out and why?",
            {"state": "string", "files": "integer", "roots": "array", "indexing": "object", **_ANSWER},
        ),
    )
}  # fmt: skip
"""The tools in the order in which they are listed."""

DECIDED = frozenset({"update"})
"""Fields that the server decides: it keeps the index fresh by itself."""

_ROOT = Argument("which project, by its name in `status`; the first when left out")
_SECONDS = Argument("answer within so many seconds", minimum=1, maximum=MAX_SECONDS)
_RESEND = Argument("send text again that this session has already received")


def fields(tool: Tool) -> tuple[Field, ...]:
    """The arguments of a tool in their order."""
    own = [one for one in OPERATIONS[tool.name].fields() if one.name not in DECIDED]
    if tool.takes:
        own = [one for one in own if one.name in tool.takes]
    for place in tool.beside:
        operation, name = place.split(".")
        own += [one for one in OPERATIONS[operation].fields() if one.name == name]
    common = [Field("root", "", "str", _ROOT)]
    if not any(one.name == "seconds" for one in own):
        common.append(Field("seconds", DEADLINE_SECONDS, "int", _SECONDS))
    if tool.resends:
        common.append(Field("resend", False, "bool", _RESEND))
    return (*own, *common)


_TYPES = {"str": "string", "int": "integer", "bool": "boolean"}


def _kind(item: Field) -> str:
    return item.type.removesuffix(" | None")


def schema_of(item: Field) -> Schema:
    """The JSON schema of one argument."""
    argument, kind = item.argument, _kind(item)
    made: Schema = {"description": argument.words}
    if kind.startswith("tuple"):
        return {**made, "type": "array", "items": {"type": "string"}}
    made["type"] = _TYPES[kind]
    if argument.choices:
        made["enum"] = list(argument.choices)
    if argument.minimum is not None:
        made |= {"minimum": argument.minimum, "maximum": argument.maximum}
    if item.default not in (None, ""):
        made["default"] = item.default
    return made


def input_schema(tool: Tool) -> Schema:
    """What a call may say."""
    items = fields(tool)
    required = [one.name for one in items if one.argument.positional and tool.name in REQUIRED]
    made: Schema = {
        "type": "object",
        "properties": {one.name: schema_of(one) for one in items},
        "additionalProperties": False,
    }
    return {**made, "required": required} if required else made


REQUIRED = frozenset({"search", "symbol", "read"})
"""Tools that make no sense without their word; of the others something else can say what they are about."""


def output_schema(tool: Tool) -> Schema:
    """What the structured answer may hold; none of it is there while a first index is made, but ``notes``."""
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in tool.keys.items()},
    }


def listed() -> list[Schema]:
    """The answer to tools/list."""
    return [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.words,
            "inputSchema": input_schema(tool),
            "outputSchema": output_schema(tool),
            "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
        }
        for tool in TOOLS.values()
    ]


def checked(tool: Tool, given: object) -> dict[str, Any]:
    """The arguments of a call with their defaults, as the requests take them.

    Raises UsageError for an unknown name, a value of another type, or one outside its limits.
    """
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise UsageError("the arguments are no object", 'for example {"query": "where is the config read"}')
    items = {one.name: one for one in fields(tool)}
    values: dict[str, Any] = {name: one.default for name, one in items.items()}
    for name, value in given.items():
        if name not in items:
            raise UsageError(
                f"{tool.name} has no argument {str(name)[:40]!r}", f"it takes: {', '.join(items)}"
            )
        values[name] = _value(items[name], value)
    for name in input_schema(tool).get("required", ()):
        if not str(values[name]).strip():
            raise UsageError(f"{tool.name} needs {name}", f"{name}: {items[name].argument.words}")
    return values


def _value(item: Field, value: object) -> object:
    """One value, if it is of its kind and inside its limits. A text may stand for a list of one."""
    kind = _kind(item)
    if value is None:
        return item.default
    if kind.startswith("tuple"):
        many = [value] if isinstance(value, str) else value
        if (
            not isinstance(many, list)
            or not all(isinstance(one, str) for one in many)
            or len(many) > MOST_VALUES
        ):
            raise UsageError(f"{item.name} is no list of at most {MOST_VALUES} texts", item.argument.words)
        return tuple(map(_whole, many))
    if kind == "int" and isinstance(value, float) and value.is_integer():
        value = int(value)
    expected = {"str": str, "int": int, "bool": bool}[kind]
    if not isinstance(value, expected) or (kind == "int" and isinstance(value, bool)):
        raise UsageError(f"{item.name} is no {_TYPES[kind]}", f"{item.name}: {item.argument.words}")
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        raise UsageError(f"{item.name} is longer than {MOST_CHARACTERS:,} characters", "shorten it")
    _inside(item, value)
    return _whole(value) if isinstance(value, str) else value


def _whole(text: str) -> str:
    """A text without halves of characters, which JSON can say and nothing can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _inside(item: Field, value: object) -> None:
    argument = item.argument
    if argument.choices and value not in argument.choices:
        raise UsageError(
            f"{item.name} cannot be {str(value)[:40]!r}", f"it is one of: {', '.join(argument.choices)}"
        )
    low, high = argument.minimum, argument.maximum
    if isinstance(value, int) and low is not None and high is not None and not low <= value <= high:
        shown = value if abs(value) < 10**12 else "that number"
        raise UsageError(f"{item.name} cannot be {shown}", f"it is a number from {low:,} to {high:,}")


MOST_VALUES = 64
MOST_CHARACTERS = 200_000
"""A pasted log of 200,000 characters is still understood; more is a mistake."""
