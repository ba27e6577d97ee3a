"""Edges from build files to what they name, and that they follow what comes and goes."""

from __future__ import annotations

from linking import dump, index, lines
from trigpoint.stores.memory import MemoryStore

TREE = {
    "package.json": '{\n "name": "shop",\n "main": "lib/index.js",\n "workspaces": ["packages/a"]\n}\n',
    "lib/index.js": "exports.x = 1\n",
    "packages/a/package.json": '{\n "name": "a",\n "types": "./index.d.ts",\n "dependencies": { "shop": "1" }\n}\n',
    "packages/a/index.d.ts": "export {}\n",
    "packages/a/tsconfig.json": '{\n "extends": "../../tsconfig.base",\n "references": [{ "path": "../b" }]\n}\n',
    "tsconfig.base.json": "{}\n",
    "packages/b/tsconfig.json": "{}\n",
    "Cargo.toml": '[package]\nname = "r"\n[dependencies]\nbeds = { path = "beds" }\n',
    "beds/Cargo.toml": '[lib]\npath = "src/core.rs"\n',
    "beds/src/core.rs": "pub fn f() {}\n",
    "pyproject.toml": '[project.scripts]\nshop = "shop.cli:main"\n',
    "src/shop/cli.py": "def main(): pass\n",
    "CMakeLists.txt": "add_subdirectory(tests)\n",
    "tests/CMakeLists.txt": "project(t)\n",
    "Makefile": "include common.mk\nall: build\n\ttrue\nbuild:\n\ttrue\n",
    "common.mk": "X = 1\n",
    "outside.json": '{ "main": "lib/index.js" }\n',
    "app/go.mod": "module a.b/app\nreplace a.b/x => ../../away\n",
}


def test_paths_lead_to_files_of_every_language() -> None:
    assert lines(TREE, ("imports",)) == [
        "CMakeLists.txt:1 tests -> <module> in tests/CMakeLists.txt",
        "Cargo.toml:4 dependencies.beds -> <module> in beds/Cargo.toml",
        "Makefile:1 <module> -> <module> in common.mk",
        "beds/Cargo.toml:2 lib.path -> <module> in beds/src/core.rs",
        "package.json:3 main -> <module> in lib/index.js",
        "package.json:4 workspaces -> <module> in packages/a/package.json",
        "packages/a/package.json:3 types -> <module> in packages/a/index.d.ts",
        "packages/a/tsconfig.json:2 extends -> <module> in tsconfig.base.json",
        "packages/a/tsconfig.json:3 references -> <module> in packages/b/tsconfig.json",
        "pyproject.toml:2 project.scripts.shop -> <module> in src/shop/cli.py",
    ]


def test_a_target_calls_those_that_it_needs() -> None:
    assert lines(TREE) == ["Makefile:2 all -> build"]


def test_edges_follow_files_that_come_and_go() -> None:
    store = MemoryStore()
    without = {path: text for path, text in TREE.items() if path != "lib/index.js"}
    step = dump(index(store, without))
    assert step == dump(index(MemoryStore(), without))
    assert dump(index(store, TREE)) == dump(index(MemoryStore(), TREE)) != step
    assert dump(index(store, without)) == step
