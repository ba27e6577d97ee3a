"""What other files see of a file beside its names: signatures, decorators, words of its text, the order of its lines."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from linking import dump, index
from trigpoint.stores.memory import MemoryStore

TWO = "class A:\n    def run(self): ...\nclass B:\n    def run(self): ...\n"

CASES: Mapping[str, tuple[Mapping[str, str], str]] = {
    "a parameter that may be left out": (
        {
            "a.cs": "namespace N { public class B { public void F(string a) {} public void F(int a, int b) {} } }",
            "use.cs": "using N;\nclass U { void G(B b) { b.F(1); } }",
        },
        "namespace N { public class B { public void F(string a) {} public void F(int a, int b = 0) {} } }",
    ),
    "the type that a method extends": (
        {
            "a.cs": "namespace N { public class X {} public class Y {} public static class E { public static void R(this X x) {} } }",
            "use.cs": "using N;\nclass U { void G(X x) { x.R(); } }",
        },
        "namespace N { public class X {} public class Y {} public static class E { public static void R(this Y x) {} } }",
    ),
    "an annotation that hides": (
        {
            "a.kt": "package a\nfun go(n: Int) {}\nfun go(s: String) {}\n",
            "use.kt": "package u\nimport a.*\nfun f() { go(1) }\n",
        },
        'package a\n@Deprecated("x", level = DeprecationLevel.HIDDEN)\nfun go(n: Int) {}\nfun go(s: String) {}\n',
    ),
    "what an alias stands for": (
        {
            "a.kt": "package a\nclass X { fun run() {} }\nclass Y { fun run() {} }\ntypealias T = X\n",
            "use.kt": "package u\nimport a.*\nfun f(t: T) { t.run() }\n",
        },
        "package a\nclass X { fun run() {} }\nclass Y { fun run() {} }\ntypealias T = Y\n",
    ),
    "the table that a file returns": (
        {
            "a.lua": "local M = {}\nlocal N = {}\nfunction M.go() end\nfunction N.go() end\nreturn M\n",
            "use.lua": 'local u = require("a")\nu.go()\n',
        },
        "local M = {}\nlocal N = {}\nfunction M.go() end\nfunction N.go() end\nreturn N\n",
    ),
    "a local with a dollar": (
        {
            "a.js": "class A { run() {} }\nclass B { run() {} }\nexports.make = function make() { const $x = new A(); return $x }\n",
            "use.js": "const { make } = require('./a')\nmake().run()\n",
        },
        "class A { run() {} }\nclass B { run() {} }\nexports.make = function make() { const $x = new B(); return $x }\n",
    ),
    "a local that is assigned to the object": (
        {
            "a.php": "<?php\nclass P { function run() {} }\nclass Q { function run() {} }\nclass A { function __construct() { $x = new P(); $this->y = $x; }\n function go() { $this->y->run(); } }\n",
            "use.php": "<?php\nclass U extends A { function get() { $this->y->run(); } }\n",
        },
        "<?php\nclass P { function run() {} }\nclass Q { function run() {} }\nclass A { function __construct() { $x = new Q(); $this->y = $x; }\n function go() { $this->y->run(); } }\n",
    ),
    "the local that stands before what is returned": (
        {
            "a.py": TWO + "def make():\n    x = A()\n    x = B()\n    return x\n",
            "use.py": "from a import make\nmake().run()\n",
        },
        TWO + "def make():\n    x = A()\n    return x\n    x = B()\n",
    ),
    "the name that stands before another at the top": (
        {"a.py": TWO + "b = A()\na = b\nb = B()\n", "use.py": "from a import a\na.run()\n"},
        TWO + "b = A()\nb = B()\na = b\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_those_who_see_it_are_linked_again(case: str) -> None:
    files, text = CASES[case]
    changed = {**files, next(iter(files)): text}
    store = MemoryStore()
    before, anew = dump(index(store, files)), dump(index(MemoryStore(), changed))
    assert [one for one in before if "use" in str(one[0])] != [one for one in anew if "use" in str(one[0])]
    assert sorted(map(str, dump(index(store, changed)))) == sorted(map(str, anew))
