"""Programs rendered from templates, in every language: the range of every definition is the one that was rendered.

A form is the lines of a definition: ``{n}`` is its name, ``{{`` and ``}}`` braces, and the line ``...`` stands for what is
nested in it. The renderer puts forms one after another and inside each other, with comments and empty lines between, and
notes where each begins and ends.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trigpoint.indexing.outline import outline
from trigpoint.languages import registry


class Forms(NamedTuple):
    """The forms of one language: leaves, holders of others, a comment that documents, and what surrounds a file."""

    leaves: tuple[str, ...]  # at the top of a file
    members: tuple[str, ...]  # inside a holder
    holders: tuple[str, ...]
    comment: str = "// {c}"
    head: str = ""
    nests: bool = True  # whether holders stand in holders


PYTHON = Forms(
    ("def {n}(a, b=1):\n    return a", "@wrap\n@other(1)\ndef {n}():\n    if a:\n        return 1\n    return 2", "async def {n}(\n    a,\n    b,\n):\n    pass"),
    ("def {n}(self):\n    return (\n        1\n    )", "@property\ndef {n}(self): return 1", "@staticmethod\ndef {n}(a):\n    \"\"\"Words.\"\"\""),
    ("class {n}(Base):\n    ...", "@decorated\nclass {n}:\n    ..."), "# {c}")  # fmt: skip
JAVASCRIPT = Forms(
    ("function {n}(a) {{\n  return a;\n}}", "export async function {n}() {{\n  if (a) {{ b(); }}\n}}", "const {n} = (a) => {{\n  return a;\n}};"),
    ("{n}(a) {{\n  return a;\n}}", "static async {n}() {{\n}}", "get {n}() {{ return 1; }}"), ("class {n} extends Base {{\n  ...\n}}", "export class {n} {{\n  ...\n}}"), nests=False)  # fmt: skip
TYPESCRIPT = Forms(
    ("export function {n}<T>(a: T): T {{\n  return a;\n}}", "export interface {n} {{\n  a: string;\n}}", "export type {n} = {{\n  a: 1;\n}};", "enum {n} {{\n  A,\n}}"),
    ("private {n}(a: number): void {{\n  this.b(a);\n}}", "async {n}<T>(): Promise<T> {{\n  return x;\n}}"), ("export abstract class {n}<T> extends Base<T> implements I {{\n  ...\n}}", "namespace {n} {{\n}}"), nests=False)  # fmt: skip
GO = Forms(
    ("func {n}(a int) (int, error) {{\n\treturn a, nil\n}}", "func (r *Recv[T]) {n}() {{\n\tif a {{\n\t}}\n}}", "type {n} struct {{\n\ta int\n}}", "type {n} interface {{\n\tF()\n}}"),
    (), (), head="package p\n")  # fmt: skip
JAVA = Forms(
    ("interface {n} {{\n  void f();\n}}", "enum {n} {{\n  A, B;\n}}", "record {n}(int a) {{\n}}"),
    ("@Override\npublic int {n}(int a) throws E {{\n  return a;\n}}", "private static <T> T {n}() {{ return null; }}"), ("public class {n}<T> extends Base implements I {{\n  ...\n}}", "@Ann(1)\nfinal class {n} {{\n  ...\n}}"))  # fmt: skip
RUST = Forms(
    ("pub fn {n}<T: A>(a: T) -> T {{\n    a\n}}", "#[derive(Debug)]\npub struct {n} {{\n    a: u8,\n}}", "enum {n} {{\n    A(u8),\n}}", "macro_rules! {n} {{\n    () => {{}};\n}}"),
    ("pub fn {n}(a: u8) {{\n    b();\n}}", "#[test]\nasync fn {n}() {{\n}}"), ("pub mod {n} {{\n    ...\n}}",))  # fmt: skip
C = Forms(
    ("static int {n}(int a)\n{{\n  return a;\n}}", "struct {n} {{\n  int a;\n}};", "int *{n}(void) {{\n  if (a) {{ b(); }}\n  return 0;\n}}"), (), ())  # fmt: skip
CPP = Forms(
    ("template <typename T>\nT {n}(T a) {{\n  return a;\n}}", "enum class {n} {{ A, B }};", "int {n}() noexcept {{ return 1; }}"),
    ("int {n}(int a) {{\n  return a;\n}}", "static void {n}() {{}}"), ("namespace {n} {{\n...\n}}", "class {n} : public Base {{\npublic:\n  ...\n}};"))  # fmt: skip
CSHARP = Forms(
    ("public record {n}(int A);", "public interface {n} {{\n  void F();\n}}", "enum {n} {{\n  A,\n}}"),
    ("public async Task<int> {n}(int a) {{\n  return a;\n}}", "[Obsolete]\npublic int {n}() => 1;"), ("public sealed class {n}<T> : Base where T : new() {{\n  ...\n}}", "[Serializable]\nstruct {n} {{\n  ...\n}}"))  # fmt: skip
RUBY = Forms(
    ("def {n}(a, b = 1)\n  a\nend", "def self.{n}\n  yield if a\nend"), ("def {n}?\n  true\nend", "def {n}\n  case a\n  when 1 then 2\n  end\nend"),
    ("class N{n} < Base\n  ...\nend", "module N{n}\n  ...\nend"), "# {c}")  # fmt: skip
PHP = Forms(
    ("function {n}(int $a): int {{\n  return $a;\n}}", "interface {n} {{\n  function f();\n}}", "enum {n}: string {{\n  case A = 'a';\n}}"),
    ("public static function {n}($a) {{\n  return $a;\n}}", "#[Attr]\nprivate function {n}(): void {{}}"), ("abstract class {n} extends Base {{\n  ...\n}}", "trait {n} {{\n  ...\n}}"), head="<?php\n", nests=False)  # fmt: skip
KOTLIN = Forms(
    ("fun {n}(a: Int): Int {{\n  return a\n}}", "data class {n}(val a: Int)", "suspend fun <T> {n}(a: T) = a"),
    ("override fun {n}(a: Int) {{\n  b()\n}}", "private fun {n}() = 1"), ("class {n} : Base() {{\n  ...\n}}", "object {n} {{\n  ...\n}}"))  # fmt: skip
SWIFT = Forms(
    ("func {n}(a: Int) -> Int {{\n  return a\n}}", "enum {n} {{\n  case a\n}}", "protocol {n} {{\n  func f()\n}}"),
    ("private func {n}<T>(_ a: T) throws {{\n  b()\n}}", "@discardableResult\nstatic func {n}() -> Int {{ 1 }}"), ("final class {n}: Base {{\n  ...\n}}", "struct {n} {{\n  ...\n}}"))  # fmt: skip
SCALA = Forms(
    ("trait {n} {{\n  def f: Int\n}}", "case class {n}(a: Int)"), ("def {n}(a: Int): Int = {{\n  a\n}}", "override def {n} = 1"), ("class {n}[T] extends Base {{\n  ...\n}}", "object {n} {{\n  ...\n}}"))  # fmt: skip
LUA = Forms(
    ("function {n}(a)\n  return a\nend", "local function {n}()\n  if a then b() end\nend", "M.{n} = function(a)\n  return a\nend", "function M:{n}()\nend"), (), (), "-- {c}", "local M = {}\n")  # fmt: skip
BASH = Forms(("{n}() {{\n  echo 1\n}}", "function {n} {{\n  if a; then b; fi\n}}"), (), (), "# {c}")
ELIXIR = Forms(
    (), ("def {n}(a) do\n  a\nend", "defp {n}(a, b), do: a", "defmacro {n}(a) do\n  quote do: a\nend"), ("defmodule N{n} do\n  ...\nend",), "# {c}")  # fmt: skip
HASKELL = Forms(
    ("{n} :: Int -> Int\n{n} a = a + 1", "{n} a b\n  | a = 1\n  | otherwise = c\n  where\n    c = 2", "data T{n} = A{n} Int\n  deriving (Show)"), (), (), "-- | {c}", "module M where\n")  # fmt: skip
ZIG = Forms(
    ("pub fn {n}(a: u8) u8 {{\n    return a;\n}}", "fn {n}() !void {{\n    if (a) {{}}\n}}"), ("pub fn {n}(self: *Self) void {{\n    _ = self;\n}}",), ("pub const {n} = struct {{\n    ...\n}};",))  # fmt: skip
JULIA = Forms(
    ("function {n}(a::Int)\n    a\nend", "{n}(a) = a + 1", "mutable struct {n}\n    a::Int\nend", "macro {n}(a)\n    a\nend"), ("function {n}(a)\n    a\nend",), ("module {n}\n...\nend",), "# {c}")  # fmt: skip

FORMS = {
    "python": PYTHON, "javascript": JAVASCRIPT, "typescript": TYPESCRIPT, "tsx": TYPESCRIPT, "go": GO, "java": JAVA,
    "rust": RUST, "c": C, "cpp": CPP, "csharp": CSHARP, "ruby": RUBY, "php": PHP, "kotlin": KOTLIN, "swift": SWIFT,
    "scala": SCALA, "lua": LUA, "bash": BASH, "elixir": ELIXIR, "haskell": HASKELL, "zig": ZIG, "julia": JULIA,
}  # fmt: skip


def test_every_language_read_in_full_has_forms() -> None:
    full = {one.name for one in registry().values() if one.level == "full"}
    assert full - set(FORMS) <= {"literate-haskell"}


class Program:
    """A program that is being rendered."""

    def __init__(self, forms: Forms, choose: st.DataObject) -> None:
        self.forms = forms
        self.choose = choose
        self.lines: list[str] = forms.head.split("\n")[:-1]
        self.wanted: dict[str, tuple[int, int]] = {}

    def pick(self, most: int) -> int:
        return self.choose.draw(st.integers(0, most))

    def block(self, depth: int, indent: str, kinds: tuple[str, ...]) -> None:
        """Some definitions one below another."""
        for _ in range(1 + self.pick(2)):
            self.lines += [""] * (1 + self.pick(1))
            start = len(self.lines) + 1
            if self.pick(2) == 0:
                self.lines += [indent + self.forms.comment.format(c=f"words {self.pick(9)}")] * (
                    1 + self.pick(1)
                )
            holders = self.forms.holders if depth < (2 if self.forms.nests else 1) else ()
            choices = [*kinds, *holders]
            self.one(choices[self.pick(len(choices) - 1)], start, depth, indent)

    def one(self, form: str, start: int, depth: int, indent: str) -> None:
        name = f"name{len(self.wanted)}"
        self.wanted[name] = (start, 0)
        for row in form.split("\n"):
            if row.strip() == "...":
                deeper = indent + row[: len(row) - len(row.lstrip())]
                if self.forms.members:
                    self.block(depth + 1, deeper, self.forms.members)
            else:
                self.lines.append((indent + row).format(n=name) if row else "")
        self.wanted[name] = (start, len(self.lines))


def found_in(source: str, language: str) -> dict[str, tuple[int, int]]:
    spans: dict[str, tuple[int, int]] = {}
    for one in outline(source.encode(), language).symbols:
        word = one.name.strip("?").removeprefix("N").removeprefix("T")
        spans.setdefault(word, (one.start, one.end))
    return spans


@pytest.mark.parametrize("language", sorted(FORMS))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(choose=st.data())
def test_the_range_of_every_definition_is_the_one_rendered(language: str, choose: st.DataObject) -> None:
    forms = FORMS[language]
    program = Program(forms, choose)
    program.block(0, "", forms.leaves)
    source = "\n".join(program.lines) + "\n"
    found = found_in(source, language)
    assert {name: found.get(name) for name in program.wanted} == program.wanted, "\n" + source
