"""Edges besides calls, in each language: a type to what it promises or takes from, a test to what it exercises."""

from __future__ import annotations

import pytest

from linking import linked, tree

SHAPES = {
    "java": (
        "implements",
        "a/RoundTest.java",
        """
        // a/Shape.java
        package a; public interface Shape { void draw(); }
        // a/Round.java
        package a; public class Round implements Shape { public void draw() {} }
        // a/RoundTest.java
        package a; class RoundTest { void testDraw() { new Round().draw(); } }
        """,
    ),
    "typescript": (
        "implements",
        "shape.test.ts",
        """
        // shape.ts
        export interface Shape { draw(): void }
        export class Round implements Shape { draw() {} }
        // shape.test.ts
        import { Round } from './shape';
        export function testDraw() { new Round().draw(); }
        """,
    ),
    "php": (
        "implements",
        "shape_test.php",
        """
        // shape.php
        <?php
        interface Shape { function draw(); }
        class Round implements Shape { function draw() {} }
        // shape_test.php
        <?php
        function testDraw() { $r = new Round(); $r->draw(); }
        """,
    ),
    "rust": (
        "implements",
        "tests/shape.rs",
        """
        // src/lib.rs
        pub trait Shape { fn draw(&self); }
        pub struct Round;
        impl Shape for Round { fn draw(&self) {} }
        // tests/shape.rs
        use shape::Round;
        fn test_draw() { let r = Round; r.draw(); }
        // Cargo.toml
        [package]
        name = "shape"
        """,
    ),
    "go": (
        "",
        "shape_test.go",
        """
        // shape.go
        package shape
        type Shape interface { Draw() }
        type Round struct{}
        func (r Round) Draw() {}
        // shape_test.go
        package shape
        func TestDraw() { r := Round{}; r.Draw() }
        """,
    ),
    "cpp": (
        "inherits",
        "shape_test.cc",
        """
        // shape.hpp
        struct Shape { virtual void draw() = 0; };
        struct Round : Shape { void draw(); };
        // shape.cc
        #include "shape.hpp"
        void Round::draw() {}
        // shape_test.cc
        #include "shape.hpp"
        void test_draw() { Round r; r.draw(); }
        """,
    ),
    "python": (
        "inherits",
        "test_shape.py",
        """
        # shape.py
        class Shape: ...
        class Round(Shape):
            def draw(self): ...
        # test_shape.py
        from shape import Round
        def test_draw():
            Round().draw()
        """,
    ),
    "csharp": (
        "implements",
        "ShapeTest.cs",
        """
        // Shape.cs
        namespace A { public interface Shape { void Draw(); } public class Round : Shape { public void Draw() {} } }
        // ShapeTest.cs
        namespace A { class ShapeTest { void TestDraw() { new Round().Draw(); } } }
        """,
    ),
    "kotlin": (
        "implements",
        "ShapeTest.kt",
        """
        // Shape.kt
        package a
        interface Shape { fun draw() }
        class Round : Shape { override fun draw() {} }
        // ShapeTest.kt
        package a
        fun testDraw() { Round().draw() }
        """,
    ),
}
"""How a round thing is a shape (Go says so nowhere), the test, and the files."""


@pytest.mark.parametrize("language", SHAPES)
def test_what_a_type_promises_and_what_a_test_exercises(language: str) -> None:
    how, test, text = SHAPES[language]
    edges = linked(tree(text), {test: {"test"}})
    assert {one.kind for one in edges if one.kind in ("implements", "inherits")} == ({how} if how else set())
    exercised = [one for one in edges if one.kind == "tests"]
    assert exercised and all(one.path == test and one.target_path != test for one in exercised)
    assert min(one.confidence for one in exercised) >= 0.8
    assert not [one for one in linked(tree(text)) if one.kind == "tests"]


@pytest.mark.parametrize("language", SHAPES)
def test_every_edge_has_its_site_and_how_sure_it_is(language: str) -> None:
    files = tree(SHAPES[language][2])
    for one in linked(files):
        assert 1 <= one.line <= files[one.path].count("\n")
        assert 0 < one.confidence <= 1 and one.resolved_by
