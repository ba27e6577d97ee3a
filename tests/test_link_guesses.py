"""A call on an object of unknown type, in each language: the few methods of its name are candidates, never sure edges."""

from __future__ import annotations

import pytest

from linking import dump, index, lines, tree, ways
from trigpoint.stores.memory import MemoryStore

GUESSED = {
    "javascript": """
        // lib.js
        export class Engine { ignite() {} turn() {} push() {} }
        export class Wheel { turn() {} }
        // use.js
        export function go(thing) {
          thing.ignite();
          thing.turn();
          thing.push();
          JSON.turn();
        }
        """,
    "typescript": """
        // lib.ts
        export class Engine { ignite() {} turn() {} push() {} }
        export class Wheel { turn() {} }
        // use.ts
        export function go(thing: any) {
          thing.ignite();
          thing.turn();
          thing.push();
          JSON.turn();
        }
        """,
    "go": """
        // lib.go
        package lib
        type Engine struct{}
        func (e Engine) Ignite() {}
        func (e Engine) Turn() {}
        func (e Engine) Read() {}
        type Wheel struct{}
        func (w Wheel) Turn() {}
        // use.go
        package lib
        func run(things ...interface{}) {
            for _, thing := range unknown() {
                thing.Ignite()
                thing.Turn()
                thing.Read()
            }
        }
        """,
    "java": """
        // Engine.java
        class Engine { void ignite() {} void turn() {} void add() {} }
        // Wheel.java
        class Wheel { void turn() {} }
        // Use.java
        class Use {
            void go() {
                run(thing -> thing.ignite());
                run(thing -> thing.turn());
                run(thing -> thing.add());
            }
        }
        """,
    "rust": """
        // src/lib.rs
        pub struct Engine;
        impl Engine { pub fn ignite(&self) {} pub fn turn(&self) {} pub fn push(&self) {} }
        pub struct Wheel;
        impl Wheel { pub fn turn(&self) {} }
        // src/go.rs
        fn go() {
            run(|thing| thing.ignite());
            run(|thing| thing.turn());
            run(|thing| thing.push());
        }
        """,
    "cpp": """
        // lib.h
        struct Engine { void ignite(); void turn(); void clear(); };
        struct Wheel { void turn(); };
        // lib.cc
        #include "lib.h"
        void Engine::ignite() {}
        void Engine::turn() {}
        void Wheel::turn() {}
        // use.cc
        template <typename T> void go(T thing) {
            auto one = make(thing);
            one.ignite();
            one.turn();
            one.clear();
        }
        """,
    "php": """
        // lib.php
        <?php
        class Engine { function ignite() {} function turn() {} function push() {} }
        class Wheel { function turn() {} }
        // use.php
        <?php
        function go($thing) {
            $thing->ignite();
            $thing->turn();
            $thing->push();
        }
        """,
}


@pytest.mark.parametrize("language", GUESSED)
def test_a_call_on_an_unknown_object_is_a_guess_or_one_of_a_few(language: str) -> None:
    files = tree(GUESSED[language])
    found = [line for line in lines(files, least=0.0) if line.startswith(("use.", "Use.", "src/go."))]
    targets = sorted(line.split(" -> ")[1].split(" in ")[0].lower() for line in found)
    assert targets == ["engine.ignite", "engine.turn", "wheel.turn"]
    assert not [line for line in lines(files) if line.startswith(("use.", "Use.", "src/go."))]
    assert sorted(set(ways(files).values())) == ["ambiguous", "guess"]


@pytest.mark.parametrize("language", GUESSED)
def test_a_method_that_comes_makes_a_guess_one_of_a_few(language: str) -> None:
    after = tree(GUESSED[language])
    before = {path: text.replace("turn", "roll").replace("Turn", "Roll") if "ngine" in text else text
              for path, text in after.items()}  # fmt: skip
    store = MemoryStore()
    first = dump(index(store, before))
    then = dump(index(store, after))
    assert then == dump(index(MemoryStore(), after))
    assert then != first


def test_more_than_a_few_are_none() -> None:
    many = "".join(f"export class C{n} {{ turn() {{}} }}\n" for n in range(6))
    files = {"lib.js": many, "use.js": "export function go(thing) { thing.turn(); }\n"}
    assert lines(files, least=0.0) == []
    few = {**files, "lib.js": many.replace("export class C5 { turn() {} }", "")}
    assert len(lines(few, least=0.0)) == 5
