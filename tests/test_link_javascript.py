"""Call edges of JavaScript, TypeScript and TSX: each test is a tree of texts and the edges that it has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cases_runner import cases
from linking import dump, lines, linked, tree, ways
from test_link_cases import callers, fits, meant
from trigpoint.indexing.run import Options, update
from trigpoint.sources.directory import DirectorySource
from trigpoint.stores.memory import MemoryStore

CASES = (
    "jscall-tsconfig-paths",
    "jscall-commonjs",
    "js-arrow-forms",
    "js-default-export",
    "stale-inbound-edges",
)


def calls(text: str) -> list[str]:
    return sorted(lines(tree(text)), key=_place)


def _place(line: str) -> tuple[str, int, str]:
    path, _, rest = line.partition(":")
    return path, int(rest.partition(" ")[0]), rest


# modules


def test_relative_imports_find_suffixes_index_files_and_what_a_name_is_built_from() -> None:
    assert calls("""
        // src/main.ts
        import { one } from "./one.js";
        import { two } from "./two";
        import { three } from "../lib";
        import { four } from ".";
        export function main() { one(); two(); three(); four(); }
        // src/one.ts
        export function one() {}
        // src/two.tsx
        export const two = () => 2;
        // lib/index.mts
        export function three() {}
        // src/index.ts
        export function four() {}
    """) == [
        "src/main.ts:5 main -> four in src/index.ts",
        "src/main.ts:5 main -> one in src/one.ts",
        "src/main.ts:5 main -> three in lib/index.mts",
        "src/main.ts:5 main -> two in src/two.tsx",
    ]


def test_re_exports_are_followed_through_renames_stars_and_cycles() -> None:
    files = tree("""
        // a.ts
        import { begin, halt, tools } from "./barrel";
        export function go() { begin(); halt(); tools.turn(); }
        // barrel.ts
        export { start as begin } from "./b";
        export * from "./c";
        export * as tools from "./c";
        // b.ts
        export * from "./barrel";
        export function start() {}
        // c.ts
        export * from "./barrel";
        function stop() {}
        export { stop as halt };
        export function turn() {}
    """)
    assert lines(files) == [
        "a.ts:2 go -> start in b.ts",
        "a.ts:2 go -> stop in c.ts",
        "a.ts:2 go -> turn in c.ts",
    ]
    assert ways({**files, "a.ts": 'import { begin } from "./barrel";\nbegin();\n'}) == {2: "reexport"}


def test_two_stars_that_offer_one_name_are_ambiguous() -> None:
    files = tree("""
        // a.ts
        import { go } from "./both";
        go();
        // both.ts
        export * from "./left";
        export * from "./right";
        // left.ts
        export function go() {}
        // right.ts
        export function go() {}
    """)
    assert lines(files) == []
    assert ways(files) == {2: "ambiguous"}


def test_default_exports_by_whatever_name_they_are_imported() -> None:
    assert calls("""
        // a.ts
        import page from "./page";
        import Anon from "./anon";
        import { default as value } from "./value";
        import both, { extra } from "./both";
        page(); new Anon(); value.run(); both(); extra();
        // page.ts
        function render() {}
        export default render;
        // anon.ts
        export default class {}
        // value.ts
        export default { run() {} };
        // both.ts
        export default () => 1;
        export const extra = () => 2;
    """) == [
        "a.ts:5 <module> -> default in anon.ts",
        "a.ts:5 <module> -> default in both.ts",
        "a.ts:5 <module> -> default.run in value.ts",
        "a.ts:5 <module> -> extra in both.ts",
        "a.ts:5 <module> -> render in page.ts",
    ]


def test_what_is_not_exported_or_lies_outside_has_no_edge() -> None:
    assert (
        calls("""
        // a.ts
        import { hidden } from "./b";
        import { readFile } from "fs";
        import express from "express";
        import * as path from "node:path";
        hidden(); readFile(); express().get(); path.join(); missing(); console.log();
        // b.ts
        function hidden() {}
        function readFile() {}
        function join() {}
        function get() {}
    """)
        == []
    )


def test_commonjs_in_its_many_forms() -> None:
    assert calls("""
        // a.js
        const { open, shut: close } = require('./door');
        const Door = require('./door').Door;
        const knock = require('./knock');
        const all = require('./all');
        function go() {
          open(); close(); new Door().ring(); knock(); knock.twice(); all.open(); all.own();
          return require('./knock')();
        }
        // door.js
        exports.open = function () {};
        module.exports.shut = shut;
        function shut() {}
        class Door { ring() {} }
        exports.Door = Door;
        // knock.js
        module.exports = knock;
        function knock() {}
        module.exports.twice = () => knock();
        // all.js
        module.exports = { ...require('./door'), own() {} };
    """) == [
        "a.js:6 go -> Door in door.js",
        "a.js:6 go -> Door.ring in door.js",
        "a.js:6 go -> knock in knock.js",
        "a.js:6 go -> open in door.js",
        "a.js:6 go -> open in door.js",
        "a.js:6 go -> own in all.js",
        "a.js:6 go -> shut in door.js",
        "a.js:6 go -> twice in knock.js",
        "knock.js:3 twice -> knock",
    ]


def test_an_object_that_is_exported_as_a_whole() -> None:
    assert calls("""
        // a.js
        const app = require('./app');
        app.use(); app.late();
        // app.js
        var app = exports = module.exports = {};
        app.use = function () { this.late(); };
        app.late = function () {};
    """) == [
        "a.js:2 <module> -> app.late in app.js",
        "a.js:2 <module> -> app.use in app.js",
        "app.js:2 app.use -> app.late",
    ]


# where names lead


def test_packages_of_a_workspace_by_name_entry_and_exports() -> None:
    assert calls("""
        // package.json
        {"workspaces": ["packages/*"]}
        // packages/core/package.json
        {"name": "@acme/core", "main": "./dist/index.js", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, "./deep/*": "./dist/deep/*.js"}}
        // packages/core/src/index.ts
        export function core() {}
        // packages/core/src/deep/down.ts
        export function down() {}
        // packages/app/package.json
        {"name": "app", "imports": {"#own/*": "./src/own/*.ts"}}
        // packages/app/src/main.ts
        import { core } from "@acme/core";
        import { down } from "@acme/core/deep/down";
        import { mine } from "#own/mine";
        core(); down(); mine();
        // packages/app/src/own/mine.ts
        export function mine() {}
    """) == [
        "packages/app/src/main.ts:4 <module> -> core in packages/core/src/index.ts",
        "packages/app/src/main.ts:4 <module> -> down in packages/core/src/deep/down.ts",
        "packages/app/src/main.ts:4 <module> -> mine in packages/app/src/own/mine.ts",
    ]


@pytest.mark.parametrize(
    "workspace",
    [
        {"pnpm-workspace.yaml": "packages:\n  - 'libs/**'\n  - '!libs/old'\n"},
        {"lerna.json": '{"packages": ["libs/*"]}'},
        {"package.json": '{"workspaces": {"packages": ["libs/{tool,other}"]}}'},
        {"app/package.json": '{"dependencies": {"tool": "file:../libs/tool"}}'},
    ],
    ids=["pnpm", "lerna", "yarn", "file"],
)
def test_a_package_is_of_the_tree_when_something_says_so(workspace: dict[str, str]) -> None:
    files = {
        "app/main.js": "import { use } from 'tool';\nuse();\n",
        "libs/tool/package.json": '{"name": "tool"}',
        "libs/tool/index.js": "export function use() {}\n",
    }
    assert lines(files) == []
    assert lines(files | workspace) == ["app/main.js:2 <module> -> use in libs/tool/index.js"]


def test_paths_of_the_nearest_configuration_with_comments_and_what_it_extends() -> None:
    files = tree("""
        // tsconfig.base.json
        { "compilerOptions": { "baseUrl": "./code", /* from here */ "paths": { "~lib/*": ["lib/*"], }, }, }
        // app/tsconfig.json
        { "extends": ["../tsconfig.base"] } // nothing else
        // app/a.ts
        import { f } from "~lib/f";
        import { g } from "lib/g";
        f(); g();
        // code/lib/f.ts
        export function f() {}
        // code/lib/g.ts
        export function g() {}
    """)
    assert lines(files) == [
        "app/a.ts:3 <module> -> f in code/lib/f.ts",
        "app/a.ts:3 <module> -> g in code/lib/g.ts",
    ]
    assert lines({path: text for path, text in files.items() if path != "app/tsconfig.json"}) == []


def test_a_configuration_that_only_refers_to_another_one_beside_it() -> None:
    assert calls("""
        // tsconfig.json
        { "files": [], "references": [{ "path": "./tsconfig.app.json" }] }
        // tsconfig.app.json
        { "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }
        // src/a.ts
        import { f } from "@/f";
        f();
        // src/f.ts
        export function f() {}
    """) == ["src/a.ts:2 <module> -> f in src/f.ts"]


# objects


def test_classes_this_super_and_inherited_members() -> None:
    assert calls("""
        // a.ts
        import { Base } from "./base";
        class Mine extends Base {
          on = () => { this.go(); };
          constructor() { super(); this.set(); }
          set() { super.set(); this.stop(); [1].forEach(() => this.on()); }
          go() { function inner() { this.set(); } }
          static make() { return new Mine(); }
        }
        Mine.make().go();
        // base.ts
        export class Base { set() {} stop() {} }
    """) == [
        "a.ts:3 Mine.on -> Mine.go",
        "a.ts:4 Mine.constructor -> Base in base.ts",
        "a.ts:4 Mine.constructor -> Mine.set",
        "a.ts:5 Mine.set -> Base.set in base.ts",
        "a.ts:5 Mine.set -> Base.stop in base.ts",
        "a.ts:5 Mine.set -> Mine.on",
        "a.ts:7 Mine.make -> Mine",
        "a.ts:9 <module> -> Mine.go",
        "a.ts:9 <module> -> Mine.make",
    ]


def test_members_are_not_seen_by_their_bare_names() -> None:
    assert (
        calls("""
        // a.js
        const api = { list() { load(); }, load() {} };
        class C { run() { stop(); } stop() {} }
        function F() { this.next = function () { next(); }; }
        F.prototype.back = function () { back(); };
        list(); run();
    """)
        == []
    )


def test_methods_of_an_object_that_is_handed_on_are_nobodys_members() -> None:
    assert calls("""
        // a.js
        class A {
          init() {
            define(this, { get: function get() { return this.other(); }, other() {} });
            this.late = function () { this.init(); };
          }
          run() { this.get(); this.late(); }
        }
    """) == ["a.js:4 A.init.late -> A.init", "a.js:6 A.run -> A.init.late"]


def test_functions_with_prototypes_are_classes() -> None:
    assert calls("""
        // a.js
        function Jar(size) { this.lid = new Lid(); this.open = () => this.close(); }
        Jar.prototype.close = function () { this.lid.turn(); this.open(); };
        Jar.of = function () { return new Jar(1); };
        var proto = Jar.prototype;
        proto.shut = function () { this.close(); };
        function Lid() {}
        Lid.prototype = { turn() {} };
        Jar.of().shut();
    """) == [
        "a.js:1 Jar -> Lid",
        "a.js:1 Jar.open -> Jar.close",
        "a.js:2 Jar.close -> Jar.open",
        "a.js:2 Jar.close -> Lid.prototype.turn",
        "a.js:3 Jar.of -> Jar",
        "a.js:5 proto.shut -> Jar.close",
        "a.js:8 <module> -> Jar.of",
        "a.js:8 <module> -> proto.shut",
    ]


def test_receivers_by_annotation_construction_return_and_field() -> None:
    assert calls("""
        // a.ts
        import type { Repo } from "./repo";
        import { open, Store } from "./repo";
        class Service {
          private cache = new Store();
          constructor(private repo: Repo, readonly stores: Store[]) {}
          run(given?: Repo | null, all: Map<string, Repo> = new Map()) {
            this.repo.find(); this.cache.put(); given?.find(); all.get("x")!.find();
            const made = open(); made.put(); made.next().next().put();
            for (const one of this.stores) one.put();
            this.stores.map((store) => store.put());
            const { repo: mine } = this;
            mine.find();
          }
          get first(): Store { return this.stores[0]; }
          peek() { this.first.put(); this.stores[0].put(); }
        }
        // repo.ts
        export interface Repo { find(): void }
        export class Store { put() {} next(): this { return this; } }
        export async function load(): Promise<Store> { return new Store(); }
        export const open = () => load();
    """) == [
        "a.ts:4 Service -> Store in repo.ts",
        "a.ts:7 Service.run -> Repo.find in repo.ts",
        "a.ts:7 Service.run -> Repo.find in repo.ts",
        "a.ts:7 Service.run -> Repo.find in repo.ts",
        "a.ts:7 Service.run -> Store.put in repo.ts",
        "a.ts:8 Service.run -> Store.next in repo.ts",
        "a.ts:8 Service.run -> Store.next in repo.ts",
        "a.ts:8 Service.run -> Store.put in repo.ts",
        "a.ts:8 Service.run -> Store.put in repo.ts",
        "a.ts:8 Service.run -> open in repo.ts",
        "a.ts:9 Service.run -> Store.put in repo.ts",
        "a.ts:10 Service.run -> Store.put in repo.ts",
        "a.ts:12 Service.run -> Repo.find in repo.ts",
        "a.ts:15 Service.peek -> Store.put in repo.ts",
        "a.ts:15 Service.peek -> Store.put in repo.ts",
        "repo.ts:3 load -> Store",
        "repo.ts:4 open -> load",
    ]


def test_parameters_of_functions_that_are_handed_to_a_declared_one() -> None:
    assert calls("""
        // a.ts
        import { operate, Source } from "./op";
        export const twice = operate((source, sink) => { source.pull((one) => one.shut()); sink.put(); });
        new Source((sink) => sink.put());
        // op.ts
        export class Sink { put() {} shut() {} }
        export class Source {
          constructor(start?: (this: Source, sink: Sink) => void) {}
          pull(each: ((sink: Sink) => void) | null) {}
        }
        export function operate(init: (source: Source, sink: Sink) => void) {}
    """) == [
        "a.ts:2 twice -> Sink.put in op.ts",
        "a.ts:2 twice -> Sink.shut in op.ts",
        "a.ts:2 twice -> Source.pull in op.ts",
        "a.ts:2 twice -> operate in op.ts",
        "a.ts:3 <module> -> Sink.put in op.ts",
        "a.ts:3 <module> -> Source in op.ts",
    ]


def test_the_parameter_of_another_callback_tells_nothing() -> None:
    assert calls("""
        // a.ts
        class A { run() {} }
        function go(value: A, other: any) {
          value.run();
          other.each((value) => value.run());
        }
    """) == ["a.ts:3 go -> A.run"]


def test_aliases_enums_namespaces_and_names_with_two_meanings() -> None:
    assert calls("""
        // a.ts
        import * as lib from "./lib";
        type Sure = lib.Box | undefined;
        type More = { own(): void } & lib.Box;
        function go(one: Sure, two: More, three: lib.Kind<string>) {
          one.open(); two.own(); two.open(); lib.deep.dive(); lib.Kind.init(); three.show();
        }
        function pick<T extends lib.Box>(box: T, boxes: Record<string, T>) { box.open(); boxes["a"].open(); }
        // lib.ts
        export class Box { open() {} }
        export namespace deep { export function dive() {} }
        interface Maker<T> { init(): T }
        export interface Kind<T> { show(): void }
        export const Kind: Maker<Kind<string>> = make();
    """) == [
        "a.ts:5 go -> Box.open in lib.ts",
        "a.ts:5 go -> Box.open in lib.ts",
        "a.ts:5 go -> Kind.show in lib.ts",
        "a.ts:5 go -> Maker.init in lib.ts",
        "a.ts:5 go -> More.own",
        "a.ts:5 go -> deep.dive in lib.ts",
        "a.ts:7 pick -> Box.open in lib.ts",
        "a.ts:7 pick -> Box.open in lib.ts",
    ]


def test_overloads_and_accessors_stand_back_behind_what_runs() -> None:
    (edge,) = [
        one
        for one in linked(
            {
                "a.ts": "export function f(x: string): void;\nexport function f(x: number): void;\n"
                "export function f(x: any) {}\nf(1);\n"
            }
        )
        if one.kind == "calls"
    ]
    assert (edge.target, edge.confidence) == (2, 1.0)


def test_components_in_jsx_are_called() -> None:
    assert calls("""
        // app.tsx
        import Card, * as ui from "./ui";
        import { memoized as Fast } from "./ui";
        const App = () => <Card><ui.Line /><Fast /><div /><Local /></Card>;
        function Local() { return null; }
        // ui.tsx
        export default function Card() { return null; }
        export function Line() { return null; }
        export const memoized = memo(() => <Line />);
    """) == [
        "app.tsx:3 App -> Card in ui.tsx",
        "app.tsx:3 App -> Line in ui.tsx",
        "app.tsx:3 App -> Local",
        "app.tsx:3 App -> memoized in ui.tsx",
        "ui.tsx:3 memoized -> Line",
    ]


def test_classes_inherit_and_implement() -> None:
    assert lines(
        tree("""
        // a.ts
        import { Shape } from "./shape";
        export class Round extends Base implements Shape {}
        class Base {}
        // shape.ts
        export interface Shape extends Named {}
        interface Named {}
    """),
        ("inherits", "implements"),
    ) == [
        "a.ts:2 Round -> Base",
        "a.ts:2 Round -> Shape in shape.ts",
        "shape.ts:1 Shape -> Named",
    ]


def test_a_test_exercises_what_it_calls() -> None:
    files = {
        "sum.ts": "export function sum() {}\n",
        "sum.test.ts": 'import { sum } from "./sum";\ntest("sums", () => { sum(); });\n',
    }
    edges = linked(files, {"sum.test.ts": {"test"}})
    assert [(one.kind, one.target_path) for one in edges if one.kind in ("calls", "tests")] == [
        ("calls", "sum.ts"),
        ("tests", "sum.ts"),
    ]


@pytest.mark.parametrize("case", [one for one in cases() if one.id in CASES], ids=lambda case: case.id)
def test_the_edges_answer_the_case(case: object, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    case.build(root)  # type: ignore[attr-defined]
    store = MemoryStore()
    problems: list[str] = []
    for step in case.steps:  # type: ignore[attr-defined]
        if step.action in ("index", "update"):
            update(DirectorySource(root), store, Options())
        elif step.action == "shell":
            subprocess.run(["sh", "-euc", step.raw["run"]], cwd=root, check=True)
        elif step.action == "compare":
            fresh = MemoryStore()
            update(DirectorySource(root), fresh, Options())
            assert dump(store.snapshot()) == dump(fresh.snapshot())
        elif step.action == "callers" and (
            step.raw["query"] not in ("aid", "extra")
        ):  # the other half is Python
            assert meant(store.snapshot(), step.raw["query"])
            rows = callers(store.snapshot(), step.raw["query"])
            problems += [
                f"{step.number}: no {one} in {rows}"
                for one in step.raw.get("found", ())
                if not found(one, rows)
            ]
            problems += [f"{step.number}: {one}" for one in step.raw.get("absent", ()) if found(one, rows)]
    assert not problems


def found(one: dict[str, object], rows: list[tuple[str, str, int]]) -> bool:
    return any(fits(one, row) for row in rows)
