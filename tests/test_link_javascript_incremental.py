"""Edges of JavaScript and TypeScript brought up to date step by step are those made anew."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linking import dump, index
from trigpoint.indexing.linking.affected import MOST_NAMES, affected
from trigpoint.stores.memory import MemoryStore

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "lib/index.ts": (
        'export { make as build } from "./core";\nexport * from "./other";\n',
        'export * from "./core";\nexport { default } from "./core";\n',
        'import * as core from "./core";\nexport { core };\nexport default core.make;\n',
        'export * from "./other";\nexport * from "./use";\n',
    ),
    "lib/core.ts": (
        'import { Other } from "./other";\nexport class Base extends Other { run() { this.stop(); } }\n'
        "export function make() { return new Base(); }\nexport default make;\n",
        "export class Base { run() {} stop(): this { return this; } }\nexport const make = (): Base => null!;\nexport default class {}\n",
        'import { Other } from "./other";\nexport type Base = Other | null;\nexport function make(): Base { return null; }\n',
        'export * from "./other";\n',
        "export function make(each: (one: Base) => void) { return new Base(); }\nexport interface Base { run(): void; stop(): void }\n",
        "import { Other } from './other';\nexport function make(each: (one: Other) => void): Other {}\nexport class Base { run = () => {}; }\n",
    ),
    "lib/other.ts": (
        "export class Other { run() {} stop() {} get next(): Other { return this; } }\n",
        "export class Other { it = new Piece(); run() {} }\nclass Piece { stop() {} }\nexport { Piece as Base };\n",
        'export { Base as Other, make } from "./core";\n',
        "function Other() { this.it = 1; }\nOther.prototype.stop = function () {};\nmodule.exports = { Other, make() {} };\n",
    ),
    "lib/use.ts": (
        'import { build } from ".";\nexport function go() { const it = build(); it.run(); return it; }\n',
        'import make, { Base } from "./core";\nexport class Mine extends Base { go() { this.run(); super.stop(); make().run(); } }\nexport const go = make;\n',
        'import * as all from "./index";\nexport function go(x: all.Other) { x.stop(); x.next.run(); all.make().stop(); return x; }\n',
        'const { make } = require("./core");\nexports.go = () => make((one) => { one.run(); one.stop(); });\n',
    ),
    "far.js": (
        'import { go } from "./lib/use";\nimport { core } from "lib";\ngo().run();\ncore.make().stop();\n',
        'const use = require("./lib/use");\nuse.go().stop();\nnew use.Mine().run();\n',
        'import made, { make, build } from "@lib";\nmade(); make().run(); build().stop();\nexport { made as go };\n',
    ),
    "lib/core.js": ("exports.make = function () {};\n", "module.exports = function make() {};\n"),
    "lib/index.js": ("export function build() {}\n",),
    "lib/package.json": ('{"name": "lib", "main": "./use.ts"}', '{"name": "other"}'),
    "package.json": ('{"workspaces": ["lib"]}', "{}"),
    "tsconfig.json": (
        '{"compilerOptions": {"paths": {"@lib": ["./lib"]}}}',
        '{"compilerOptions": {"paths": {"@lib": ["./lib/core"]}}}',
    ),
}
LATE = ("lib/core.js", "lib/index.js", "lib/package.json")

_CHOICE = st.tuples(st.sampled_from(sorted(VARIANTS)), st.integers(-1, 5))
_STEPS = st.lists(st.lists(_CHOICE, min_size=1, max_size=3), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=_STEPS)
def test_step_by_step_is_as_good_as_anew(steps: list[list[tuple[str, int]]]) -> None:
    files = {path: variants[0] for path, variants in VARIANTS.items() if path not in LATE}
    store = MemoryStore()
    index(store, files)
    for step in steps:
        for path, number in step:
            files = {key: text for key, text in files.items() if key != path}
            if number >= 0:
                files[path] = VARIANTS[path][number % len(VARIANTS[path])]
        assert dump(index(store, files)) == dump(index(MemoryStore(), files))


def test_a_change_under_many_names_relinks_what_imports_the_file_and_no_more() -> None:
    """Where names lead on to ever more names, the files from which imports lead to the change are all that can differ."""
    many = "".join(f"export const made{n} = make();\n" for n in range(MOST_NAMES))
    files = {f"other{n}.js": f"export function other{n}() {{ return {n} }}\n" for n in range(9)}
    files |= {
        "base.js": "export function make() { return new Date() }\n",
        "mid.js": f'import {{ make }} from "./base";\n{many}',
        "top.js": 'import { made7 } from "./mid";\nmade7.go();\n',
    }
    changed = "export class Go { go() {} }\nexport function make() { return new Go() }\n"
    before = index(MemoryStore(), files)
    after = index(MemoryStore(), {**files, "base.js": changed})
    languages = {row.path: row.language for row in after.files()}
    assert affected(before, after, {"base.js"}, languages) == {"base.js", "mid.js", "top.js"}
