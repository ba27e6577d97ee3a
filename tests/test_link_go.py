"""Linking Go: packages over folders, receivers, embedding, and what names are bound to."""

from __future__ import annotations

from linking import lines, tree, ways


def test_a_package_is_its_folder_and_an_alias_leads_there() -> None:
    files = tree(
        """
        // go.mod
        module example.invalid/port
        // crane/crane.go
        package crane
        type Crane struct{}
        func New() Crane { return Crane{} }
        func small() {}
        // ship/ship.go
        package ship
        import hoist "example.invalid/port/crane"
        type Ship struct { hoist.Crane }
        func New() *Ship { return &Ship{Crane: hoist.New()} }
        func bad() { hoist.small() }
        // ship/more.go
        package ship
        func Twice() { New() }
        """
    )
    assert lines(files) == [
        "crane/crane.go:3 New -> Crane",
        "ship/more.go:2 Twice -> New in ship/ship.go",
        "ship/ship.go:4 New -> New in crane/crane.go",
        "ship/ship.go:4 New -> Ship",
    ]
    assert ways(files)[2] == "package"


def test_an_import_has_the_name_of_the_packages_own_clause() -> None:
    files = tree(
        """
        // go.mod
        module example.invalid/port
        // go-wire/wire.go
        package wire
        func Send() {}
        // wire/v2/v2.go
        package two
        func Send() {}
        // main.go
        package main
        import (
            "example.invalid/port/go-wire"
            "example.invalid/port/wire/v2"
            . "example.invalid/port/wire/v2"
        )
        func main() { wire.Send(); two.Send(); Send() }
        """
    )
    assert lines(files) == [
        "main.go:7 main -> Send in go-wire/wire.go",
        "main.go:7 main -> Send in wire/v2/v2.go",
        "main.go:7 main -> Send in wire/v2/v2.go",
    ]


def test_methods_are_found_by_receiver_embedding_and_interface() -> None:
    files = tree(
        """
        // a.go
        package p
        type Base struct{}
        func (b *Base) Lift(n int) {}
        type Lifter interface { Lift(n int); Close() error }
        type Crate struct { *Base; next Lifter }
        func (c *Crate) Open() { c.Lift(1); c.next.Close() }
        // b.go
        package p
        func (Crate) Push() {}
        func use(l Lifter, c Crate) {
            l.Lift(1)
            c.Push()
            c.Base.Lift(2)
            (*Crate).Open(&c)
            f := c.Push
            f()
            Push()
        }
        """
    )
    assert lines(files) == [
        "a.go:6 Crate.Open -> Base.Lift",
        "a.go:6 Crate.Open -> Lifter.Close",
        "b.go:4 use -> Lifter.Lift in a.go",
        "b.go:5 use -> Crate.Push",
        "b.go:6 use -> Base.Lift in a.go",
        "b.go:7 use -> Crate.Open in a.go",
        "b.go:9 use -> Crate.Push",
    ]


def test_values_flow_through_results_elements_and_switches() -> None:
    files = tree(
        """
        // a.go
        package p
        type A struct{}
        type B struct{}
        type List []*A
        type Maker func() *B
        func (a *A) Run() {}
        func (b *B) Run() {}
        func pair() (*A, *B, error) { return nil, nil, nil }
        func all(list List, byName map[string]B, make Maker, any interface{}) {
            a, b, _ := pair()
            a.Run()
            b.Run()
            for _, one := range list { one.Run() }
            byName["x"].Run()
            switch v := any.(type) {
            case *A:
                v.Run()
            case *B:
                v.Run()
            }
            c := new(A)
            c.Run()
        }
        """
    )
    assert [line.partition(" ")[2] for line in lines(files) if "pair" not in line.partition(">")[2]] == [
        "all -> A.Run",
        "all -> B.Run",
        "all -> A.Run",
        "all -> B.Run",
        "all -> A.Run",
        "all -> B.Run",
        "all -> A.Run",
    ]


def test_the_parameter_of_a_closure_ends_with_it() -> None:
    files = tree(
        """
        // a.go
        package p
        import "net/http"
        type Router struct{}
        func (r *Router) Get(f func(r *http.Request)) {}
        func setup(r *Router) {
            r.Get(func(r *http.Request) {
                r.Get("no")
            })
            r.Get(nil)
        }
        """
    )
    assert lines(files) == ["a.go:6 setup -> Router.Get", "a.go:9 setup -> Router.Get"]


def test_what_comes_from_outside_has_no_edge() -> None:
    files = tree(
        """
        // a.go
        package p
        import "strings"
        type Builder struct{}
        func (b *Builder) String() string { return "" }
        func New() {}
        func use(b strings.Builder, f func()) { b.String(); strings.New(); f(); unknown.New() }
        """
    )
    assert lines(files) == []


def test_tests_see_more_than_others_and_variants_are_not_sure() -> None:
    files = tree(
        """
        // a.go
        package p
        func use() { helper(); open() }
        // a_test.go
        package p
        func helper() {}
        func check() { use() }
        // open_linux.go
        package p
        func open() {}
        // open_windows.go
        package p
        func open() {}
        // b_test.go
        package p_test
        func use() {}
        """
    )
    assert lines(files) == ["a_test.go:3 check -> use in a.go"]
    assert lines(files, least=0.0)[0] == "a.go:2 use -> open in open_linux.go"
