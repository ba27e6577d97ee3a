"""Linking Rust: crates and modules, impl blocks, traits, paths."""

from __future__ import annotations

from linking import lines, tree


def test_modules_are_files_and_names_are_handed_on() -> None:
    files = tree(
        """
        // hive/Cargo.toml
        [package]
        name = "bee-hive"
        // hive/src/lib.rs
        pub mod cell;
        mod inner { pub mod deep; pub fn near() { super::top(); self::deep::down(); crate::cell::seal(); } }
        #[path = "odd/place.rs"]
        mod placed;
        pub use cell::{seal as shut, *};
        pub fn top() { placed::odd(); }
        // hive/src/inner/deep.rs
        pub fn down() { super::near(); }
        // hive/src/cell/mod.rs
        mod wall;
        pub fn seal() { wall::wax(); }
        pub fn open() {}
        // hive/src/cell/wall.rs
        pub fn wax() { super::open() }
        // hive/src/odd/place.rs
        pub fn odd() {}
        // hive/tests/all.rs
        use bee_hive::{cell, shut};
        fn check() { shut(); cell::open(); bee_hive::open(); }
        """
    )
    assert lines(files) == [
        "hive/src/cell/mod.rs:2 seal -> wax in hive/src/cell/wall.rs",
        "hive/src/cell/wall.rs:1 wax -> open in hive/src/cell/mod.rs",
        "hive/src/inner/deep.rs:1 down -> inner.near in hive/src/lib.rs",
        "hive/src/lib.rs:2 inner.near -> down in hive/src/inner/deep.rs",
        "hive/src/lib.rs:2 inner.near -> seal in hive/src/cell/mod.rs",
        "hive/src/lib.rs:2 inner.near -> top",
        "hive/src/lib.rs:6 top -> odd in hive/src/odd/place.rs",
        "hive/tests/all.rs:2 check -> open in hive/src/cell/mod.rs",
        "hive/tests/all.rs:2 check -> open in hive/src/cell/mod.rs",
        "hive/tests/all.rs:2 check -> seal in hive/src/cell/mod.rs",
    ]


def test_methods_stand_in_blocks_of_other_files_and_in_traits() -> None:
    files = tree(
        """
        // src/lib.rs
        mod more;
        pub struct Cell<T> { pub value: T, next: Option<Box<Cell<T>>> }
        pub trait Fill { fn fill(&self); fn twice(&self) { self.fill(); } }
        impl<T> Cell<T> { pub fn new(value: T) -> Self { Self { value, next: None } } pub fn seal(&self) -> usize { 1 } }
        pub enum Kind { Plain, Boxed(u8) }
        impl Kind { fn name(&self) {} }
        // src/more.rs
        use crate::{Cell, Fill, Kind};
        impl<U> Fill for Cell<U> { fn fill(&self) { self.seal(); } }
        fn run<F: Fill>(given: F, cell: &Cell<u8>) -> Result<Cell<u8>, ()> {
            let made = Cell::<u8>::new(1);
            made.fill();
            made.twice();
            given.fill();
            cell.next.as_ref().unwrap().seal();
            run(given, cell)?.seal();
            Kind::Boxed(1).name();
            let made = Kind::Plain;
            made.name();
            let run = run::<F>;
            run(given, cell);
            let each = |cell: Kind| {
                cell.name();
            };
            cell.seal();
            Fill::fill(cell);
            <Cell<u8> as Fill>::twice(cell);
            Ok(made)
        }
        """
    )
    found = [one.partition(":")[2] for one in lines(files) if one.startswith("src/more")]
    assert sorted(found, key=lambda one: int(one.partition(" ")[0])) == [
        "2 Cell.fill -> Cell.seal in src/lib.rs",
        "4 run -> Cell.new in src/lib.rs",
        "5 run -> Cell.fill",
        "6 run -> Fill.twice in src/lib.rs",
        "7 run -> Fill.fill in src/lib.rs",
        "8 run -> Cell.seal in src/lib.rs",
        "9 run -> Cell.seal in src/lib.rs",
        "9 run -> run",
        "10 run -> Kind.Boxed in src/lib.rs",
        "10 run -> Kind.name in src/lib.rs",
        "12 run -> Kind.name in src/lib.rs",
        "14 run -> run",
        "16 run -> Kind.name in src/lib.rs",
        "18 run -> Cell.seal in src/lib.rs",
        "19 run -> Fill.fill in src/lib.rs",
        "20 run -> Fill.twice in src/lib.rs",
    ]


def test_macros_have_names_of_their_own() -> None:
    files = tree(
        """
        // Cargo.toml
        [package]
        name = "hive"
        // src/lib.rs
        #[macro_use]
        mod macros;
        fn knot() {}
        fn run() { knot!(); knot(); vec![1]; println!("{}", 1); }
        // src/macros.rs
        macro_rules! knot { () => { 1 } }
        """
    )
    assert lines(files) == ["src/lib.rs:4 run -> knot", "src/lib.rs:4 run -> knot in src/macros.rs"]


def test_what_comes_from_outside_has_no_edge_and_several_are_not_sure() -> None:
    files = tree(
        """
        // Cargo.toml
        [package]
        name = "hive"
        // src/lib.rs
        use other::Cell;
        use std::fmt::Display;
        struct Local;
        struct Two;
        impl From<u8> for Two { fn from(n: u8) -> Self { Two } }
        impl From<u16> for Two { fn from(n: u16) -> Self { Two } }
        impl Local { fn new() {} fn len(&self) {} fn fmt(&self) {} }
        fn run(cell: Cell, show: impl Display, all: Vec<Local>) {
            Cell::new();
            cell.len();
            all.len();
            show.fmt();
            Vec::new();
            Two::from(1);
            all[0].len();
        }
        """
    )
    assert lines(files) == ["src/lib.rs:15 run -> Local.len"]
    assert "src/lib.rs:14 run -> Two.from" in lines(files, least=0.0)
