"""Linking Swift: one space for all files, extensions, protocols, labels."""

from __future__ import annotations

from linking import lines, linked, tree


def _found(text: str, file: str = "") -> list[str]:
    """Edges from one file: line and target."""
    return [
        f"{line.partition(':')[2].partition(' ')[0]} {line.partition(' -> ')[2].partition(' in ')[0]}"
        for line in lines(tree(text))
        if line.startswith(file)
    ]


_STORE = """
// Sources/App/Store.swift
public class Base { func shut() {} }
public class Store: Base {
    let wheel: Wheel
    static let shared = Store(n: 1)
    init(n: Int) { super.init(); self.shut(); open() }
    func open() { super.shut(); Self.make(); wheel.turn() }
    static func make() -> Store { return Store(n: 2) }
    func all() -> [Wheel] { [] }
    func table() -> [String: Wheel] { [:] }
}
struct Wheel { func turn() -> Wheel { self } }
typealias Al = Store
private func hidden() {}
"""


def test_members_come_from_the_type_its_base_and_its_own_names() -> None:
    assert _found(_STORE, "Sources/App/Store") == [
        "4 Store",
        "5 Base.shut",
        "5 Store.open",
        "6 Base.shut",
        "6 Store.make",
        "6 Wheel.turn",
        "7 Store",
    ]


def test_other_files_see_all_but_what_is_private() -> None:
    found = _found(
        _STORE
        + """// Sources/App/Use.swift
import Foundation
func use(store: Store, thing: Any, other: Unknown) async throws {
    Store.shared.open(); Store.make().wheel.turn().turn(); other.open(); hidden()
    for w in store.all() { w.turn() }
    store.table()["a"]!.turn()
    (thing as! Store).open()
    guard let one = thing as? Store else { return }
    one.open()
    try await store.open()
    App.Store.make()
    Al.make()
}
""",
        "Sources/App/Use",
    )
    assert found == [
        "10 Store.make",
        "11 Store.make",
        "3 Store.make",
        "3 Store.open",
        "3 Wheel.turn",
        "3 Wheel.turn",
        "4 Store.all",
        "4 Wheel.turn",
        "5 Store.table",
        "5 Wheel.turn",
        "6 Store.open",
        "8 Store.open",
        "9 Store.open",
    ]


def test_extensions_are_parts_of_their_types_also_of_foreign_ones() -> None:
    found = _found(
        _STORE
        + """// Sources/App/More.swift
protocol Named { func name() -> String }
extension Named { func shout() -> String { name() } }
extension Store: Named {
    func name() -> String { self.shut(); return shout() }
    struct Inner { func inner() {} }
}
extension String { func twice() -> String { self.once() }; func once() -> String { self } }
func more(store: Store, named: any Named) {
    store.name().twice()
    store.shout(); named.shout(); Store.Inner().inner()
    "text".once()
}
""",
        "Sources/App/More",
    )
    assert found == [
        "10 Named.shout",
        "10 Named.shout",
        "10 Store.Inner",
        "10 Store.Inner.inner",
        "11 String.once",
        "2 Named.name",
        "4 Base.shut",
        "4 Named.shout",
        "7 String.once",
        "9 Store.name",
        "9 String.twice",
    ]


def test_overloads_are_told_by_labels_types_and_a_closure_behind() -> None:
    files = tree(
        """
        // a.swift
        class A {
            func f(_ n: Int) {}
            func f(n: Int) {}
            func f(_ n: Int, use g: () -> Void) {}
            func f(_ s: String...) {}
            func g(_ a: [Int]) {}
            func g(_ a: Int...) {}
            func run(unknown: Some, list: [Int]) {
                f(1)
                f(n: 1)
                f(1) { }
                f("a", "b")
                g(list)
                g(unknown.thing)
            }
        }
        """
    )
    targets = {edge.line: edge for edge in linked(files) if edge.kind == "calls"}
    assert [targets[line].target for line in (9, 10, 11, 12, 13)] == [1, 2, 3, 4, 5]
    assert targets[14].resolved_by == "ambiguous"
