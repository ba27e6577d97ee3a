"""Python's names reach their definitions: one small tree a rule. Lines of ``lines`` are ``site caller -> callee``."""

from __future__ import annotations

from linking import lines, linked, tree, ways


def test_a_local_binding_shadows() -> None:
    files = tree("""
        # a.py
        def run(): ...

        def one(run):
            run()

        def two():
            for run in ():
                run()

        def three():
            run()

        def four():
            def run(): ...
            run()

        class Box:
            def run(self):
                run()
    """)
    assert lines(files) == ["a.py:11 three -> run", "a.py:15 four -> four.run", "a.py:19 Box.run -> run"]


def test_of_twins_the_nearest_before_the_use_is_meant_else_the_last() -> None:
    files = tree("""
        # a.py
        def go(): return 1
        go()
        def go(): return 2
        go()

        def later():
            go()
    """)
    targets = {edge.line: edge.target for edge in linked(files) if edge.kind == "calls"}
    assert targets == {2: 0, 4: 1, 7: 1}


def test_imports_are_relative_absolute_renamed_and_through_src() -> None:
    files = tree("""
        # src/shop/__init__.py
        from .cart import total as sum_up
        # src/shop/cart.py
        from ..shop import tools
        from . import tools as t
        import shop.tools

        def total():
            tools.cut(); t.cut(); shop.tools.cut()
        # src/shop/tools.py
        def cut(): ...
        # tests/test_cart.py
        from shop import sum_up
        import shop.cart as c

        def test_total():
            sum_up()
            c.total()
    """)
    assert lines(files) == [
        "src/shop/cart.py:6 total -> cut in src/shop/tools.py",
        "src/shop/cart.py:6 total -> cut in src/shop/tools.py",
        "src/shop/cart.py:6 total -> cut in src/shop/tools.py",
        "tests/test_cart.py:5 test_total -> total in src/shop/cart.py",
        "tests/test_cart.py:6 test_total -> total in src/shop/cart.py",
    ]
    assert ways(files)[5] == "reexport"
    assert ways(files)[6] == "module-attribute"


def test_what_is_outside_gets_no_edge() -> None:
    files = tree("""
        # pkg/__init__.py
        # pkg/json.py
        def dumps(): ...
        # pkg/use.py
        import json
        import yaml
        from requests import get

        def get_all():
            json.dumps(); yaml.load(); get(); print(); "".join(); unknown()
        # other/yaml.py
        def load(): ...
    """)
    assert lines(files, least=0.0) == []


def test_star_imports_bring_what_is_public() -> None:
    files = tree("""
        # all.py
        __all__ = ["shown"]
        def shown(): ...
        def kept(): ...
        # plain.py
        from all import *
        def open_one(): ...
        def _hidden(): ...
        # use.py
        from plain import *
        shown(); kept(); open_one(); _hidden()
    """)
    assert lines(files) == [
        "use.py:2 <module> -> open_one in plain.py",
        "use.py:2 <module> -> shown in all.py",
    ]


def test_members_follow_the_linearised_bases() -> None:
    files = tree("""
        # a.py
        class Top:
            def who(self): ...
            def rest(self): ...
        class Left(Top): ...
        class Right(Top):
            def who(self): ...
        class Bottom(Left, Right):
            def who(self):
                super().who()
                self.rest()
                Top.who(self)
            @classmethod
            def make(cls):
                cls().who()
                return cls()
            @staticmethod
            def plain(self):
                self.rest()
    """)
    found = lines(files)
    assert "a.py:9 Bottom.who -> Right.who" in found
    assert "a.py:10 Bottom.who -> Top.rest" in found
    assert "a.py:11 Bottom.who -> Top.who" in found
    assert "a.py:14 Bottom.make -> Bottom.who" in found
    assert not [line for line in found if line.startswith("a.py:18")]
    assert {line: how for line, how in ways(files).items() if line in (9, 10, 11)} == {
        9: "super",
        10: "self",
        11: "class",
    }


def test_a_receiver_is_known_by_its_declaration_its_construction_or_what_was_returned() -> None:
    files = tree("""
        # kit.py
        from __future__ import annotations
        from typing import Optional

        class Saw:
            def cut(self) -> "Saw": ...
            @property
            def blade(self) -> Blade: ...
            def __enter__(self): return self
            def __exit__(self, *a): ...

        class Blade:
            def grind(self): ...

        def lend(): return Saw()
        def lend_twice(): return lend()
        # use.py
        from typing import Iterator
        import kit
        from kit import Saw, lend_twice

        class Bench:
            spare: Saw
            def __init__(self, saw: Saw, other: "kit.Saw | None" = None, many: list[Saw] = ()):
                self.saw = saw
                self.other = other
                self.made = kit.Saw()
                self.many = many
            def work(self):
                self.saw.cut()
                self.other.cut()
                self.made.cut().cut()
                self.spare.blade.grind()
                for one in self.many:
                    one.cut()
                with kit.lend() as lent:
                    lent.cut()
                lend_twice().blade.grind()
                self.many[0].cut()

        def declared(first: Saw | None, second: Iterator[Saw], third: dict[str, Saw]):
            first.cut()
            for each in second:
                each.cut()
            third["a"].cut()
            for value in third.values():
                value.cut()
    """)
    found = [line.partition(" in ")[0] for line in lines(files) if line.startswith("use.py")]
    cuts = [line for line in found if line.endswith("-> Saw.cut")]
    assert sorted(int(line.split(":")[1].split(" ")[0]) for line in cuts) == sorted(
        number for number, count in _cut_lines(files["use.py"]).items() for _ in range(count)
    ), cuts
    assert sum(line.endswith("-> Blade.grind") for line in found) == 2


def _cut_lines(text: str) -> dict[int, int]:
    return {
        number: line.count(".cut()") for number, line in enumerate(text.split("\n"), 1) if ".cut()" in line
    }


def test_flow_counts_within_one_scope() -> None:
    files = tree("""
        # a.py
        class A:
            def go(self): ...
        class B:
            def go(self): ...

        def f():
            x = A()
            x.go()
            x = B()
            x.go()
            x = str(x)
            x.go()
    """)
    assert [line for line in lines(files) if ".go" in line] == ["a.py:10 f -> B.go", "a.py:8 f -> A.go"]


def test_classes_are_inherited_and_types_are_referenced() -> None:
    files = tree("""
        # a.py
        class Base: ...
        class Other(Base):
            def take(self, it: "Base") -> Base: ...
        LIMIT = 3
        def f(x=LIMIT): return [LIMIT, Base]
    """)
    assert lines(files, ("inherits",)) == ["a.py:2 Other -> Base"]
    assert lines(files, ("references",)) == [
        "a.py:3 Other.take -> Base",
        "a.py:5 f -> Base",
        "a.py:5 f -> LIMIT",
        "a.py:5 f -> LIMIT",
    ]


def test_decorators_call_and_defaults_and_class_bodies_belong_where_they_stand() -> None:
    files = tree("""
        # a.py
        def deco(f): return f
        def size(): return 1

        @deco
        def g(n=size()): ...

        class C:
            n = size()
            @deco
            def m(self): ...
    """)
    assert lines(files) == [
        "a.py:4 <module> -> deco",
        "a.py:5 g -> size",
        "a.py:8 C -> size",
        "a.py:9 C -> deco",
    ]


def test_tests_exercise_what_they_call() -> None:
    files = tree("""
        # a.py
        def f(): ...
        # tests/test_a.py
        from a import f

        def helper(): ...

        def test_f():
            f(); f(); helper()
    """)
    edges = linked(files, {"tests/test_a.py": ["test"]})
    assert [(edge.target_path, edge.line) for edge in edges if edge.kind == "tests"] == [("a.py", 6)]


def test_import_cycles_and_cyclic_bases_end() -> None:
    files = tree("""
        # a.py
        from b import *
        from b import x as y
        class A(B): ...
        A().go(); x(); y()
        # b.py
        from a import *
        from a import y as x
        class B(A): ...
    """)
    assert [line for line in lines(files) if "go" in line or "x" in line.split("->")[1]] == []


def test_global_and_nonlocal_names_are_those_of_the_outer_scope() -> None:
    files = tree("""
        # a.py
        class A:
            def go(self): ...
        it = A()
        def f():
            global it
            it.go()
            n = A()
            def g():
                nonlocal n
                n.go()
    """)
    assert [line for line in lines(files) if ".go" in line] == ["a.py:10 f.g -> A.go", "a.py:6 f -> A.go"]


def test_super_may_name_the_class_that_it_begins_after() -> None:
    found = lines(
        tree("""
            # a.py
            class Top:
                def run(self): ...
            class Middle(Top):
                def run(self): ...
            class Low(Middle):
                def run(self):
                    super(Low, self).run()
                def skip(self):
                    super(Middle, self).run()
                    over = super(Middle, self)
                    over.run()
        """)
    )
    assert found == [
        "a.py:11 Low.skip -> Top.run",
        "a.py:7 Low.run -> Middle.run",
        "a.py:9 Low.skip -> Top.run",
    ]


GUESSED = """
    # lib.py
    class Engine:
        def ignite(self): ...
        def turn(self): ...
        def append(self): ...
    class Wheel:
        def turn(self): ...
    # use.py
    import os
    from lib import Engine, Wheel

    def go(thing, both: Engine | Wheel, some: Engine | Wheel):
        thing.ignite()
        thing.turn()
        thing.append()
        os.path.turn()
        both.turn()
        some.ignite()
"""


def test_a_call_on_an_unknown_object_is_a_guess_or_one_of_a_few() -> None:
    assert ways(tree(GUESSED)) == {5: "guess", 6: "ambiguous", 9: "ambiguous", 10: "hint"}
    both = [line for line in lines(tree(GUESSED), least=0.0) if line.startswith(("use.py:6", "use.py:9"))]
    assert both == [f"use.py:{n} go -> {one}.turn in lib.py" for n in (6, 9) for one in ("Engine", "Wheel")]
    assert lines(tree(GUESSED)) == ["use.py:10 go -> Engine.ignite in lib.py"]
