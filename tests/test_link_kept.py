"""What an edit leaves as it was is not linked again, and the edges are those of an index made anew all the same."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linking import dump, index, tree
from trigpoint.indexing.link import Relinking
from trigpoint.indexing.run import Options, update
from trigpoint.model import Progress
from trigpoint.ports import Store
from trigpoint.sources.memory import MemorySource
from trigpoint.stores.local import LocalStore
from trigpoint.stores.memory import MemoryStore


@pytest.fixture(params=["memory", "local"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else LocalStore(tmp_path)


FILES = """
    # app/use.py
    from app.core import Wheel, turn

    TABLE = [Wheel()]

    def first():
        wheel = Wheel()
        return wheel.spin()

    class Cart:
        def __init__(self):
            self.wheel = Wheel()

        def push(self):
            def inner():
                return turn(self.wheel)
            return inner() + first().stop()

        def pull(self):
            return self.push()
    # app/core.py
    class Wheel:
        def spin(self):
            return Wheel()
        def stop(self):
            return 1

    def turn(wheel):
        return wheel.stop()
    // src/Use.java
    package app;

    class Use {
        Wheel wheel = make(1);

        static Wheel make(int n) { return new Wheel(); }
        static Wheel make(String s) { return new Wheel(); }

        void first() {
            make(2);
            wheel.turn();
        }

        void second() {
            make("x").turn();
            first();
        }
    }
    // src/Wheel.java
    package app;

    class Wheel {
        void turn() {}
        void turn(int n) {}
    }
    // web/use.js
    const { turn } = require('./core')

    function first() {
      return turn()
    }

    function second() {
      return first().spin()
    }
    module.exports = { second }
    // web/core.js
    class Wheel {
      spin() { return this }
    }

    exports.turn = function turn() {
      return new Wheel()
    }
    // go/use.go
    package use

    func First() *Wheel { return &Wheel{} }

    func Second() {
        First().Turn()
    }
    // go/wheel.go
    package use

    type Wheel struct{}

    func (w *Wheel) Turn() { First() }
    // cpp/use.cpp
    #include "wheel.hpp"

    void first(Wheel *wheel) {
      wheel->turn();
    }

    void second(Wheel *wheel) {
      first(wheel);
    }
    // cpp/wheel.hpp
    struct Wheel {
      void turn() { stop(); }
      void stop() {}
    };
    // lib/use.rb
    module App
      class Use
        def first
          Wheel.new.turn
        end

        def second
          first
        end
      end
    end
    // lib/wheel.rb
    module App
      class Wheel
        def turn
          stop
        end

        def stop; end
      end
    end
"""


def again(store: Store, files: Mapping[str, str]) -> set[str]:
    """The files that were linked when a store was brought up to a tree."""
    events: list[Progress] = []
    update(MemorySource(files), store, Options(), events.append)
    return {event.path for event in events if event.phase == "link"}


def anew(files: Mapping[str, str]) -> list[tuple[object, ...]]:
    return dump(index(MemoryStore(), files))


def test_lines_that_only_move_are_not_linked_again(store: Store) -> None:
    files = tree(FILES)
    assert again(store, files) == set(files)
    files = {path: text + "\n" for path, text in files.items()}
    assert again(store, files) == set()
    assert dump(store.snapshot()) == anew(files)
    files = {path: "\n" + text for path, text in files.items()}
    assert again(store, files) == set()
    assert dump(store.snapshot()) == anew(files)
    several = {path: text.replace("second", "second", 1) for path, text in files.items()}
    several["app/use.py"] = several["app/use.py"].replace("class Cart", "# a remark\n\n\nclass Cart")
    assert again(store, several) <= {"app/use.py"}
    assert dump(store.snapshot()) == anew(several)


EDITS: Sequence[tuple[str, str, str, set[str]]] = (
    ("app/use.py", "return self.push()", "turn(1)\n        return self.push()", {"Cart.pull"}),
    ("app/use.py", "return turn(self.wheel)", "turn(2)\n                return turn(self.wheel)", {"Cart.push", "Cart.push.inner"}),
    ("app/use.py", "    wheel = Wheel()\n    return", "    other = turn(3)\n    wheel = Wheel()\n    return", {"first"}),
    ("web/use.js", "return first().spin()", "turn()\n  return first().spin()", {"second"}),
    ("go/use.go", "First().Turn()\n", "First().Turn()\n    First()\n", {"Second"}),
    ("lib/use.rb", "      first\n", "      Wheel.new\n      first\n", {"App.Use.second"}),
)  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "expected"), EDITS)
def test_only_the_function_that_was_edited_is_linked_again(
    store: Store, path: str, old: str, new: str, expected: set[str]
) -> None:
    files = tree(FILES)
    before = index(store, files)
    files[path] = files[path].replace(old, new)
    after = index(store, files)
    work = Relinking(before, after, {path})
    found = list(work.edges())
    assert [one.path for one in found] == [path]
    names = [one.symbol.qualified for one in after.symbols_of(path)]
    assert {names[edge.source] for edge in found[0].edges} == expected
    assert found[0].kept
    assert dump(after) == anew(files)


def test_what_a_function_gives_concerns_the_others(store: Store) -> None:
    files = tree(FILES)
    before = index(store, files)
    files["app/use.py"] = files["app/use.py"].replace("wheel = Wheel()\n    return", "wheel = 1\n    return")
    after = index(store, files)
    found = list(Relinking(before, after, {"app/use.py"}).edges())
    assert [one.kept for one in found if one.path == "app/use.py"] == [()]
    assert dump(after) == anew(files)


def test_arguments_are_read_again_where_they_decide(store: Store) -> None:
    files = tree(FILES)
    again(store, files)
    files["src/Use.java"] = files["src/Use.java"].replace("make(2)", 'make("2")')
    assert again(store, files) == {"src/Use.java"}
    assert dump(store.snapshot()) == anew(files)


def test_an_edge_that_was_kept_is_lost_with_its_target(store: Store) -> None:
    files = tree(FILES)
    again(store, files)
    files["app/use.py"] += "\n"
    assert again(store, files) == set()
    files["app/core.py"] = files["app/core.py"].replace("def turn", "def turned")
    assert "app/use.py" in again(store, files)
    assert dump(store.snapshot()) == anew(files)


PIECES: Mapping[str, Sequence[str]] = {
    "app/use.py": (
        "    wheel = Wheel()\n", "    wheel = turn\n", "    return wheel.spin()\n", "    return wheel\n", "\n", "# x\n",
        "        self.wheel = first()\n", "            return turn(self)\n", "        from app.core import turn as first\n",
        "        other = self.push()\n", "def first():\n", "TABLE[0] = first()\n", "TABLE[0].spin()\n", "    for x in TABLE: x.stop()\n",
    ),
    "src/Use.java": (
        "        make(3);\n", '        make("y");\n', "        make(\n", "            1);\n", "        wheel = make(4);\n", "\n", "    // (\n",
        "        Wheel wheel = new Wheel();\n", "        wheel.turn(1);\n", "    void third(int n) { first(); }\n", "    void first(int n) {}\n",
    ),
    "web/use.js": (
        "  turn()\n", "  const first = turn()\n", "  return first\n", "\n", "// module.exports\n", "  first().spin()\n",
        "  this.turn = first\n", "second.turn = turn\n", "first(() => {\n", "})\n", "  exports.first = first\n",
    ),
    "cpp/use.cpp": (
        "  wheel->stop();\n", "  Wheel *other = wheel;\n", "  other->turn();\n", "\n", "  first(\n", "    wheel);\n", "#define TURN first\n",
        "void first(int n) {}\n", "  Wheel wheel;\n",
    ),
    "lib/use.rb": (
        "      Wheel.new.stop\n", "      @wheel = Wheel.new\n", "      @wheel.turn\n", "\n", "    end\n", "    def third\n", "  included do\n",
        "    first = 1\n", "      second\n",
    ),
}  # fmt: skip


@st.composite
def _edits(draw: st.DrawFn) -> list[tuple[str, int, int, str]]:
    made = []
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(sorted(PIECES)))
        made.append(
            (path, draw(st.integers(0, 25)), draw(st.integers(0, 2)), draw(st.sampled_from(PIECES[path])))
        )
    return made


EXAMPLES = 2000 if "SOAK_STEPS" in os.environ else 30


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(_edits(), min_size=1, max_size=4))
def test_any_edit_leaves_the_edges_of_an_index_made_anew(
    steps: list[list[tuple[str, int, int, str]]],
) -> None:
    files = tree(FILES)
    store = MemoryStore()
    index(store, files)
    for step in steps:
        for path, line, taken, piece in step:
            lines = files[path].splitlines(keepends=True)
            at = line % (len(lines) + 1)
            lines[at : at + taken] = [piece]
            files[path] = "".join(lines)
        assert dump(index(store, files)) == anew(files)
