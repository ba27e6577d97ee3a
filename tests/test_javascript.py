"""JavaScript and TypeScript: what the samples do not say one thing at a time."""

from __future__ import annotations

import pytest

from trigpoint.indexing.outline import outline
from trigpoint.languages.javascript.hooks import prepare
from trigpoint.model import MODULE, Outline


def read(source: str, language: str = "javascript") -> Outline:
    return outline(source.encode(), language)


def names(found: Outline) -> list[str]:
    return [one.qualified for one in found.symbols]


def callers(found: Outline, name: str) -> list[str]:
    at = [one.scope for one in found.references if one.kind in ("call", "new") and one.name == name]
    return ["" if scope == MODULE else found.symbols[scope].qualified for scope in at]


def reexports(found: Outline) -> list[tuple[str, str, str]]:
    return [(one.module, one.name, one.alias) for one in found.imports if one.kind == "reexport"]


def test_callbacks_open_no_symbol_and_their_locals_are_none() -> None:
    found = read("describe('a', () => {\n  const one = 1;\n  it('b', async () => { run(one); });\n});\n")
    assert names(found) == []
    assert callers(found, "run") == [""]


def test_calls_in_callbacks_belong_to_the_named_function_around() -> None:
    found = read("function outer() { list.map((x) => go({ done: () => stop(x) })); }")
    assert names(found) == ["outer"]
    assert callers(found, "stop") == ["outer"]


def test_a_constant_that_wraps_a_function_holds_its_calls() -> None:
    found = read("const Card = memo(forwardRef((props) => { draw(props); }));")
    assert callers(found, "draw") == ["Card"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("module.exports = main;", [("", "main", "default")]),
        ("exports.load = read;", [("", "read", "load")]),
        ("module.exports = { a, b: c };", [("", "a", "a"), ("", "c", "b")]),
        ("module.exports = require('./x');", [("./x", "", "default"), ("./x", "*", "")]),
        ("var app = exports = module.exports = {};", [("", "app", "default")]),
        ("export { a as b, c };", [("", "a", "b"), ("", "c", "c")]),
        ("export * as tools from './t';", [("./t", "", "tools")]),
        ("export default main;", [("", "main", "default")]),
    ],
)
def test_what_a_module_hands_on(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert reexports(read(source)) == expected


def test_a_chain_of_assignments_names_all_its_targets() -> None:
    assert names(read("A.prototype.on = A.prototype.add = function () {};")) == ["A.add", "A.on"]
    assert names(read("exports = module.exports = function run() {};")) == ["run"]


@pytest.mark.parametrize(
    "source",
    [
        "interface Box<in out T, out E> { value: T }\n",
        "type F = {\n  <A>(a: A): Box<A>\n  <A, B>(a: A, b: B): Box<B>\n}\n",
        "type M = `say \\`${string}\\``;\n",
    ],
)
def test_forms_that_the_grammar_cannot_read_are_read(source: str) -> None:
    changed = prepare(source.encode())
    assert len(changed) == len(source) and changed.count(b"\n") == source.count("\n")
    assert read(source, "typescript").errors == 0


def test_code_that_looks_like_them_is_left_alone() -> None:
    for source in (
        "const f =\n  <T>(a: T) => a;\n",
        "return (\n  <A, >(b)\n);\n",
        "x =>\n  <Y>(z: Y) => z\n",
    ):
        assert prepare(source.encode()) == source.encode()


@pytest.mark.parametrize(
    "opening", ["a=", "const a=()=>", "var f=function(){", "class A{m(){", "x={a:", "g(()=>"]
)
def test_definitions_nested_thousands_deep_are_no_danger(opening: str) -> None:
    assert isinstance(read(opening * 3000), Outline)
