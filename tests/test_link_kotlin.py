"""Linking Kotlin: packages, imports, companions, extensions, overloads."""

from __future__ import annotations

from linking import lines, linked, tree


def _found(text: str, file: str) -> list[str]:
    """Edges from one file: line and target."""
    return [
        f"{line.partition(':')[2].partition(' ')[0]} {line.partition(' -> ')[2].partition(' in ')[0]}"
        for line in lines(tree(text))
        if line.startswith(file)
    ]


_DATA = """
// data/Store.kt
package app.data
interface Opens { fun open() { } }
abstract class Base(n: Int) : Opens { protected fun shut() {} }
class Store(n: Int) : Base(n) {
    constructor(text: String) : this(1)
    val wheel: Wheel = Wheel()
    fun all(): List<Wheel> = emptyList()
    companion object { fun make() = Store(2); const val K = 1 }
    override fun open() { super.open(); shut(); Store.make().wheel.turn(); make() }
}
object Shop { fun buy(): Store = Store(1) }
class Wheel { fun turn() {} }
fun Wheel.twice(n: Int) { turn(); this.turn() }
fun top() {}
typealias Alias = Store
// other/Other.kt
package app.other
class Store { fun open() {} }
fun top() {}
"""


def test_names_come_from_the_package_imports_and_companions() -> None:
    found = _found(
        _DATA
        + """// web/Page.kt
package app.web
import app.data.*
import app.data.Store as S
import app.data.Shop.buy
import app.other.top
fun run(one: S, two: Store, unknown: Other) {
    one.open(); two.open(); unknown.open()
    top(); app.data.top(); S.make(); Shop.buy().open(); buy()
    Alias(1)
}
""",
        "web",
    )
    assert found == [
        "7 Store.open",
        "7 Store.open",
        "8 Shop.buy",
        "8 Shop.buy",
        "8 Store.Companion.make",
        "8 Store.open",
        "8 top",
        "8 top",
        "9 Alias",
    ]


def test_members_are_inherited_and_bare_names_reach_companions() -> None:
    assert _found(_DATA, "data") == [
        "11 Store",
        "13 Wheel.turn",
        "13 Wheel.turn",
        "5 Store",
        "6 Wheel",
        "8 Store",
        "9 Base.shut",
        "9 Opens.open",
        "9 Store.Companion.make",
        "9 Store.Companion.make",
        "9 Wheel.turn",
    ]


def test_extensions_are_found_by_type_where_they_are_imported() -> None:
    user = "package app.{0}\nimport app.data.Wheel\n{1}\nfun f(w: Wheel, s: String) {{ w.twice(1); s.twice(1) }}\n"
    with_import = _found(_DATA + "// web/Page.kt\n" + user.format("web", "import app.data.twice"), "web")
    assert with_import == ["4 Wheel.twice"]
    assert _found(_DATA + "// web/Page.kt\n" + user.format("web", ""), "web") == []


def test_an_element_of_a_list_and_a_cast_have_their_types() -> None:
    found = _found(
        _DATA
        + """// data/Use.kt
package app.data
fun use(store: Store, any: Any, map: Map<String, Wheel>) {
    for (w in store.all()) w.turn()
    store.all().filter { true }.first().turn()
    (any as Store).open()
    map["a"]!!.turn()
    val lazily by lazy { Wheel() }
    lazily.turn()
    store.also { it }.open()
}
""",
        "data/Use",
    )
    assert found == [
        "3 Store.all",
        "3 Wheel.turn",
        "4 Store.all",
        "4 Wheel.turn",
        "5 Store.open",
        "6 Wheel.turn",
        "7 Wheel",
        "8 Wheel.turn",
        "9 Store.open",
    ]


def test_overloads_are_told_by_number_names_types_and_a_block_behind() -> None:
    files = tree(
        """
        // a.kt
        class A {
            fun f(n: Int) {}
            fun f(s: String, n: Int = 0) {}
            fun f(s: String, block: () -> Unit) {}
            fun g(one: Any) {}
            fun g(one: Comparable<Int>) {}
            fun run() {
                f(1)
                f("a")
                f(n = 2, s = "b")
                f("a") { }
                g(unknown)
            }
        }
        """
    )
    targets = {edge.line: edge for edge in linked(files) if edge.kind == "calls"}
    assert [targets[line].target for line in (8, 9, 10, 11)] == [1, 2, 2, 3]
    assert targets[12].resolved_by == "ambiguous"
