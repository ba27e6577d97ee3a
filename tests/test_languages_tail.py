"""The long tail: definitions by generic rules. Skipped where the extra that brings the grammars is not installed."""

from __future__ import annotations

import pytest

from trigpoint.graph.ask import Wish, ask
from trigpoint.indexing.grammar import load
from trigpoint.indexing.outline import outline
from trigpoint.indexing.record import outline_of
from trigpoint.indexing.run import Options, update
from trigpoint.languages import detect, get, installed, registry
from trigpoint.model import Outline
from trigpoint.sources.memory import MemorySource
from trigpoint.stores.memory import MemoryStore
from trigpoint.surfaces.cli import main

TAIL = [one.name for one in registry().values() if one.level == "outline"]

SNIPPETS = {
    "dart": (
        'abstract class A extends B {\n  final int x;\n  A(this.x);\n  void f() { g(); }\n  int get y => 1;\n}\nenum E { a, b }\nmixin M {}\nint top(int a) => a;\n',
        'class A 1-6; constructor A.A 3-3; method A.f 4-4; method A.y 5-5; enum E 7-7; interface M 8-8; function top 9-9',
    ),
    "ada": (
        'package P is\n  procedure F (X : Integer);\n  type T is record A : Integer; end record;\nend P;\nprocedure Main is\nbegin\n null;\nend Main;\nfunction G return Integer is (1);\n',
        'module P 1-4; function P.F 2-2; type P.T 3-3; function Main 5-8; function G 9-9',
    ),
    "batch": (
        '@echo off\n:start\ngoto end\n:end\n',
        'function start 2-2; function end 4-4',
    ),
    "bicep": (
        "param x string\nvar y = 1\nresource r 'a@1' = {\n name: x\n}\nmodule m 'm.bicep' = {\n}\noutput o string = x\n",
        'variable x 1-1; variable y 2-2; member r 3-5; module m 6-7; output o 8-8',
    ),
    "clojure": (
        '(ns a.b)\n(defn f "doc" [x] (+ x 1))\n(def y 1)\n(defmacro m [a] a)\n(defprotocol P (g [this]))\n',
        'module a.b 1-1; function f 2-2; variable y 3-3; macro m 4-4; interface P 5-5',
    ),
    "commonlisp": (
        '(defun f (x) x)\n(defclass c () ((a)))\n(defvar *y* 1)\n(defmacro m (a) a)\n(defmethod g ((x c)) x)\n',
        'function f 1-1; class c 2-2; variable *y* 3-3; function m 4-4; function g 5-5',
    ),
    "erlang": (
        '-module(m).\n-record(r, {a, b}).\n%% doc\nf(X) -> X.\nf(X, Y) ->\n  X + Y.\n',
        'module m 1-1; struct r 2-2; function f 3-4; function f 5-6',
    ),
    "fortran": (
        'module m\ncontains\nsubroutine s(a)\n  integer :: a\nend subroutine\nfunction f(x)\nend function f\nend module m\n',
        'module m 1-8; function m.s 3-5; function m.f 6-7',
    ),
    "fsharp": (
        'module M\nlet f x = x + 1\ntype T = { A: int }\ntype C() =\n  member this.G x = x\n',
        'function f 2-2; struct T 3-3; type C 4-5; method C.this.G 5-5',
    ),
    "gdscript": (
        'class_name A\nextends Node\nvar x = 1\nsignal s\nfunc f(a):\n\treturn a\nclass B:\n\tfunc g():\n\t\tpass\nenum E {A}\n',
        'class A 1-1; variable x 3-3; signal s 4-4; function f 5-6; class B 7-9; method B.g 8-9; enum E 10-10',
    ),
    "glsl": (
        'struct S { float a; };\nuniform vec3 u;\nfloat f(float x) { return x; }\nvoid main() {}\n',
        'struct S 1-1; field S.a 1-1; function f 3-3; function main 4-4',
    ),
    "gotmpl": (
        '{{define "x"}}a{{end}}\n',
        'template x 1-1',
    ),
    "groovy": (
        'class A {\n  def f(x) { x }\n  int g() { 1 }\n}\ndef h(y) { y }\n',
        'class A 1-4; method A.f 2-2; method A.g 3-3; function h 5-5',
    ),
    "hlsl": (
        'struct S { float a; };\nfloat4 main(float4 p : POSITION) : SV_Target { return p; }\n',
        'struct S 1-1; field S.a 1-1; function main 2-2',
    ),
    "jsonnet": (
        'local f(x) = x;\nlocal y = 1;\n{ a: f(1), g(x):: x }\n',
        'variable f 1-1; variable y 2-2; field a 3-3; field g 3-3',
    ),
    "just": (
        'build target:\n  echo {{target}}\nx := "1"\n',
        'target build 1-2; variable x 3-3',
    ),
    "latex": (
        '\\section{Intro}\ntext\n\\newcommand{\\foo}{bar}\n\\subsection{Sub}\n\\label{l}\n',
        'section Intro 1-5; macro Intro.\\foo 3-3; section Intro.Sub 4-5',
    ),
    "luau": (
        'local function f(x: number): number\n return x\nend\ntype T = { a: number }\nfunction M.g() end\n',
        'function f 1-3; type T 4-4; function M.g 5-5',
    ),
    "nix": (
        '{ lib }: let f = x: x; in { a = 1; g = x: y: x; }\n',
        'function f 1-1; variable a 1-1; function g 1-1',
    ),
    "objc": (
        '@interface A : NSObject\n@property int x;\n- (void)f:(int)a;\n@end\n@implementation A\n- (void)f:(int)a { g(); }\n+ (id)make { return nil; }\n@end\nint main(void) { return 0; }\n',
        'class A 1-4; field A.x 2-2; method A.f 3-3; class A 5-8; method A.f 6-6; method A.make 7-7; function main 9-9',
    ),
    "ocaml": (
        'module M = struct\n  let x = 1\nend\ntype t = A | B\nlet f x = x + 1\nlet rec g y = f y\nclass c = object method m = 1 end\nexception E\n',
        'module M 1-3; variable M.x 2-2; type t 4-4; constant t.A 4-4; constant t.B 4-4; variable f 5-5; variable g 6-6; class c 7-7; method c.m 7-7; constant E 8-8',
    ),
    "odin": (
        'package p\nf :: proc(x: int) -> int { return x }\nS :: struct { a: int }\nE :: enum { A }\nX :: 1\n',
        'module p 1-1; function f 2-2; struct S 3-3; enum E 4-4; constant X 5-5',
    ),
    "org": (
        '* Head\ntext\n** Sub\n',
        'section Head 1-3; section Head.Sub 3-3',
    ),
    "perl": (
        'package A::B;\nuse strict;\nsub f { my ($x) = @_; return $x; }\nour $y = 1;\nsub g($a) { }\n',
        'module A::B 1-1; function f 3-3; variable $y 4-4; function g 5-5',
    ),
    "powershell": (
        'function Get-X { param($a) $a }\nclass A {\n  [int] $x\n  [int] F() { return 1 }\n}\nenum E { a }\n',
        'function Get-X 1-1; class A 2-5; class A.$x 3-3; method A.F 4-4; enum E 6-6',
    ),
    "puppet": (
        'class a::b ($x) {\n  file { "/x": ensure => present }\n}\ndefine d($y) {}\nnode default {}\n',
        'class a::b 1-3; class d 4-4',
    ),
    "r": (
        'f <- function(x) {\n  g <- function(y) y\n  z <- 1\n  x\n}\nPI2 <- 3\nh = function() 1\n',
        'function f 1-5; function f.g 2-2; variable PI2 6-6; function h 7-7',
    ),
    "racket": (
        '#lang racket\n(define (f x) x)\n(define y 1)\n(struct p (a b))\n',
        'function f 2-2; variable y 3-3; struct p 4-4',
    ),
    "robot": (
        '*** Test Cases ***\nLogin Works\n    Open    x\n*** Keywords ***\nOpen It\n    Log    a\n',
        'test Login Works 2-3; function Open It 5-6',
    ),
    "scheme": (
        '(define (f x) x)\n(define y 1)\n(define g (lambda (x) x))\n(define-record-type point (make-point x) point?)\n',
        'function f 1-1; variable y 2-2; function g 3-3; struct point 4-4',
    ),
    "solidity": (
        'contract C is D {\n  uint x;\n  event E(uint a);\n  modifier m() { _; }\n  constructor() {}\n  function f(uint a) public returns (uint) { return a; }\n  struct S { uint a; }\n}\nlibrary L {}\ninterface I {}\n',
        'class C 1-8; variable C.x 2-2; member C.E 3-3; member C.m 4-4; method C.f 6-6; struct C.S 7-7; module L 9-9; interface I 10-10',
    ),
    "starlark": (
        'def f(x):\n    return x\nX = 1\ncc_library(name = "a")\n',
        'function f 1-2',
    ),
    "systemverilog": (
        'module m(input a);\n  function int f(int x); return x; endfunction\n  task t; endtask\nendmodule\nclass c; endclass\ninterface i; endinterface\npackage p; endpackage\n',
        'module m 1-4; function m.f 2-2; function m.t 3-3; class c 5-5; interface i 6-6; module p 7-7',
    ),
    "typst": (
        '#let f(x) = x\n= Head\n== Sub\n',
        'function f 1-1; section Head 2-3; section Head.Sub 3-3',
    ),
    "vhdl": (
        'entity e is\n port (a : in bit);\nend e;\narchitecture r of e is\n signal s : bit;\nbegin\nend r;\n',
        'class e 1-3; module r 4-7; member r.s 5-5',
    ),
    "vim": (
        'function! s:F(a) abort\n  return 1\nendfunction\nlet g:x = 1\ncommand! Foo call s:F(1)\n',
        'function s:F 1-3',
    ),
    "wat": (
        '(module (func $add (param $a i32) (result i32) local.get $a) (export "add" (func $add)))\n',
        'function $add 1-1',
    ),
}  # fmt: skip
"""For each language a text, and the definitions it must give: kind, qualified name, first and last line."""


def needs(language: str) -> None:
    if not installed(get(language)):
        pytest.skip("needs the extra `languages`")


def test_every_language_of_the_tail_has_a_snippet() -> None:
    assert sorted(SNIPPETS) == sorted(TAIL)


@pytest.mark.parametrize("language", TAIL)
def test_generic_rules_find_the_definitions(language: str) -> None:
    needs(language)
    source, wanted = SNIPPETS[language]
    found = outline(source.encode(), language).symbols
    assert "; ".join(f"{one.kind} {one.qualified} {one.start}-{one.end}" for one in found) == wanted


@pytest.mark.parametrize("language", TAIL)
def test_a_cut_or_deep_text_is_no_danger(language: str) -> None:
    needs(language)
    source, _ = SNIPPETS[language]
    for at in range(0, len(source), 7):
        found = outline(source[:at].encode(), language)
        assert all(1 <= one.start <= one.name_line <= one.end for one in found.symbols)
    assert isinstance(outline(b"(" * 8000, language), Outline)


def test_comments_above_document_and_belong_to_the_lines() -> None:
    needs("r")
    found = outline(b"x <- 1\n\n# Adds one.\n# Twice.\nadd <- function(y) {\n  y\n}\n", "r").symbols[1]
    assert (found.name, found.start, found.end, found.doc) == ("add", 3, 7, "Adds one. Twice.")


def test_a_language_whose_grammar_is_missing_is_text() -> None:
    absent = get("r")._replace(grammar="no_such_package:get_language:r")
    assert not installed(absent)
    assert outline_of("f <- function(x) x\n", detect("no.such", "")) == Outline()


def test_answers_and_the_matrix_say_outline_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["languages"]) == 0
    shown = capsys.readouterr().out
    assert any(
        row.startswith("r ") and "outline only" in row and "languages" in row for row in shown.split("\n")
    )
    needs("r")
    store = MemoryStore()
    update(MemorySource({"a.r": "f <- function(x) g(x)\n"}), store, Options())
    answer = ask("callers", "f", store.snapshot(), Wish())
    assert any(note.startswith("outline only: definitions of R ") for note in answer.notes)


@pytest.mark.parametrize("language", TAIL)
def test_grammars_of_the_tail_have_rules(language: str) -> None:
    needs(language)
    assert any(load(language).roles)
