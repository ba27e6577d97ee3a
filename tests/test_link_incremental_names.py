"""An index brought up to date step by step has the edges of one made anew, in languages that link by full names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from linking import dump, index
from trigpoint.stores.local import LocalStore
from trigpoint.stores.memory import MemoryStore

Variants = Mapping[str, tuple[str, ...]]

CSHARP: Variants = {
    "a/Store.cs": (
        "namespace App { public partial class Store : Base { public void Open() { Shut(); } } }\n",
        "namespace App { public partial class Store { public void Open(int n) {} public void Open(string s) {} } }\n",
        "namespace Other { public class Store { public void Open() {} } }\n",
    ),
    "a/More.cs": (
        "namespace App { public partial class Store { public Wheel Get() => null; } public class Wheel { public void Turn() {} } }\n",
        "namespace App { public class Wheel { public void Turn() {} public void Roll() {} } }\n",
    ),
    "a/Ext.cs": (
        "namespace App { public static class Ext { public static void Twice(this Wheel w) { w.Turn(); } } public class Base { protected void Shut() {} } }\n",
        "namespace App { public static class Ext { public static void Twice(this Store w) { w.Open(); } } }\n",
    ),
    "b/GlobalUsings.cs": ("global using Other;\n", "\n"),
    "b/Use.cs": (
        "using App;\nclass Use { void F(Store s) { s.Open(); s.Get().Turn(); s.Get().Twice(); new Store(); } }\n",
    ),
}

KOTLIN: Variants = {
    "a/Store.kt": (
        "package app\nclass Store : Base() { fun open() { shut() }\n companion object { fun make() = Store() } }\n",
        "package app\nclass Store { fun open(n: Int) {}\n fun open(s: String) {} }\n",
        "package other\nclass Store { fun open() {} }\n",
    ),
    "a/Base.kt": ("package app\nopen class Base { fun shut() {} }\n", "package app\nfun Store.shut() {}\n"),
    "b/Use.kt": (
        "package use\nimport app.*\nfun f(s: Store) { s.open(); s.shut(); Store.make().open() }\n",
        "package use\nimport other.Store\nfun f(s: Store) { s.open(); s.shut() }\n",
    ),
}

SCALA: Variants = {
    "a/Store.scala": (
        "package app\nclass Store extends Base { def open(): Unit = shut() }\nobject Store { def apply(n: Int): Store = new Store }\n",
        "package app\ncase class Store(n: Int) { def open(n: Int): Unit = {}; def open(s: String): Unit = {} }\n",
        "package other\nclass Store { def open(): Unit = {} }\n",
    ),
    "a/Base.scala": (
        "package app\nclass Base { def shut(): Unit = {} }\n",
        "package app\nextension (s: Store)\n  def shut(): Unit = s.open()\n",
    ),
    "b/Use.scala": (
        "package use\nimport app._\nobject Use { def f(s: Store): Unit = { s.open(); s.shut(); Store(1).open() } }\n",
    ),
}

SWIFT: Variants = {
    "Sources/A/Store.swift": (
        "class Store: Base { func open() { shut() } }\n",
        "class Store { func open(n: Int) {}\n func open(_ s: String) {} }\n",
        "struct Other { func open() {} }\ntypealias Store = Other\n",
    ),
    "Sources/A/More.swift": (
        "class Base { func shut() {} }\nextension Store { func get() -> Wheel { Wheel() } }\nstruct Wheel { func turn() {} }\n",
        "protocol Shuts { func shut() }\nextension Store: Shuts { func shut() {} }\n",
    ),
    "Sources/A/Use.swift": ("func use(s: Store) { s.open(); s.shut(); s.get().turn(); Store() }\n",),
}

RUBY: Variants = {
    "lib/store.rb": (
        "module App\n class Store < Base\n  include Logs\n  attr_reader :wheel\n  def initialize; @wheel = Wheel.new; end\n  def open; shut; note; wheel.turn; end\n end\nend\n",
        "module App\n class Store\n  def self.open; end\n end\nend\n",
        "class Store\n def open; end\nend\n",
    ),
    "lib/more.rb": (
        "module App\n class Base\n  def shut; end\n end\n module Logs\n  def note; end\n end\n class Wheel\n  def turn; end\n end\nend\n",
        "module App\n class Store\n  def note; open; end\n end\nend\n",
    ),
    "lib/use.rb": (
        "module App\n class Use\n  def run; Store.new.open; Store.open; Store.new.note; ::Store.new.open; end\n end\nend\n",
    ),
}

ELIXIR: Variants = {
    "lib/a.ex": (
        "defmodule App.A do\n  def go(x), do: x\n  def go(x, y), do: x + y\nend\n",
        "defmodule App.A do\n  defp go(x), do: x\nend\n",
        "defmodule Other.A do\n  def go(x), do: x\nend\n",
    ),
    "lib/use.ex": (
        "defmodule App.Use do\n  alias App.A\n  import App.B\n  def run, do: A.go(1) |> help()\nend\n",
        "defmodule App.Use do\n  alias Other.A\n  def run, do: A.go(1)\nend\n",
    ),
    "lib/b.ex": ("defmodule App.B do\n  def help(x), do: x\nend\n", "defmodule App.B do\nend\n"),
}

LUA: Variants = {
    "lua/app/util.lua": (
        "local M = {}\nfunction M.help() end\nfunction M.more() M.help() end\nreturn M\n",
        "local M = {}\nlocal N = {}\nfunction N.help() end\nreturn N\n",
    ),
    "lua/use.lua": (
        'local util = require("app.util")\nutil.help()\nutil.more()\n',
        'local u = require("app.util").help\nu()\n',
    ),
}

BASH: Variants = {
    "lib/say-it.sh": (
        "LEVEL=1\nsay() { mark; }\nmark() { :; }\n",
        "say() { mark; }\n",
    ),
    "lib/more.bash": (
        '. "$(dirname "$0")/say-it.sh"\nmore() { say; }\n',
        "more() { say; }\nsay() { :; }\n",
    ),
    "bin/run.sh": (
        'source "$ROOT/lib/more.bash"\nmore; say; echo "$LEVEL"\n',
        'source "$ROOT/lib/say-it.sh"\nmore; say; trap mark EXIT\n',
    ),
}

ZIG: Variants = {
    "src/wheel.zig": (
        "size: u8,\nconst Self = @This();\npub fn turn(self: *Self) void { _ = self; }\n",
        "pub const Wheel = struct { pub fn turn(self: *Wheel) void { self.stop(); } fn stop(_: Wheel) void {} };\n",
    ),
    "src/more.zig": ("pub fn extra() void {}\n", "pub fn other() void {}\n"),
    "src/store.zig": (
        'pub const Wheel = @import("wheel.zig");\npub usingnamespace @import("more.zig");\n'
        "pub const Store = struct { wheel: *Wheel, pub fn open(self: *Store) *Wheel { return self.wheel; } };\n",
        'pub const Wheel = @import("wheel.zig").Wheel;\n'
        "pub const Store = struct { wheel: *Wheel, pub fn open(self: *Store) ?Wheel { return null; } };\n",
        "pub fn Store(comptime T: type) type { return struct { pub fn open(_: T) void {} }; }\n",
    ),
    "main.zig": (
        'const s = @import("src/store.zig");\nfn use(a: s.Store) void { a.open().turn(); a.wheel.turn(); s.extra(); }\n',
        'const s = @import("store");\nfn use(a: s.Store(u8)) void { a.open(); s.other(); }\n',
    ),
}

HASKELL: Variants = {
    "src/Mill/Grain.hs": (
        "module Mill.Grain (Grain (..), twice) where\ndata Grain = Wheat | Rye { weight :: Int }\ntwice n = n\n",
        "module Mill.Grain (Grain, twice) where\ndata Grain = Wheat | Rye { weight :: Int }\ntwice n = n\n",
        "module Mill.Grain where\nclass Grain a where\n  weight :: a -> Int\n",
    ),
    "src/Mill/All.hs": (
        "module Mill.All (module Mill.Grain, mine) where\nimport Mill.Grain\nmine = twice 1\n",
        "module Mill.All (G.Grain (..), mine) where\nimport qualified Mill.Grain as G\nmine = G.twice 1\n",
        "module Mill.All (G.Grain, mine) where\nimport qualified Mill.Grain as G\nmine = G.twice 1\n",
        "module Mill.All where\ntwice n = n\n",
    ),
    "app/Main.hs": (
        "module Main where\nimport Mill.All\nmain = twice (weight Wheat) + mine 1\n",
        "module Main where\nimport Mill.All hiding (twice)\nimport qualified Mill.Grain\nmain = twice (weight Wheat) + Mill.Grain.twice 1\n",
        "module Main where\nimport Mill.Grain (Grain (Rye), twice)\nmain = twice (weight (Rye 1))\n",
    ),
}

ALL = {
    "haskell": HASKELL,
    "zig": ZIG,
    "bash": BASH,
    "csharp": CSHARP,
    "kotlin": KOTLIN,
    "scala": SCALA,
    "swift": SWIFT,
    "ruby": RUBY,
    "elixir": ELIXIR,
    "lua": LUA,
}


@pytest.mark.parametrize("language", sorted(ALL))
def test_each_change_by_itself_links_what_it_touches(language: str) -> None:
    variants = ALL[language]
    store = MemoryStore()
    state = {path: texts[0] for path, texts in variants.items()}
    assert dump(index(store, state)), "there are edges to begin with"
    for path, texts in variants.items():
        for text in (*texts[1:], None, texts[0]):
            if text is None:
                del state[path]
            else:
                state[path] = text
            again, anew = dump(index(store, dict(state))), dump(index(MemoryStore(), dict(state)))
            assert sorted(map(str, again)) == sorted(map(str, anew)), f"{path} became {text!r}"


@pytest.mark.parametrize("language", sorted(ALL))
def test_what_linking_reads_of_a_record_outlives_its_rows(language: str, tmp_path: Path) -> None:
    """Extension methods of C# were lost in the local store, whose outlines came back without signatures."""
    state = {path: texts[0] for path, texts in ALL[language].items()}
    stored, plain = dump(index(LocalStore(tmp_path), state)), dump(index(MemoryStore(), state))
    assert sorted(map(str, stored)) == sorted(map(str, plain))
