"""Linking Scala: packages, imports, objects beside classes, extensions, calls without brackets."""

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
// data/Store.scala
package app.data
trait Opens { def open(): Unit = {} }
abstract class Base(n: Int) extends Opens { protected def shut(): Unit = {} }
class Store(n: Int) extends Base(n) {
  val wheel: Wheel = Wheel()
  def all: List[Wheel] = Nil
  override def open(): Unit = { super.open(); shut(); Store.make.wheel.turn }
}
object Store {
  def make: Store = new Store(2)
  def apply(s: String): Store = make
}
case class Wheel() { def turn: Wheel = this }
object Names { def hello(): Unit = {}; class Inner }
// app/other/Other.scala
package app.other
class Store { def open(): Unit = {} }
"""


def test_objects_and_classes_of_one_name_are_told_apart() -> None:
    assert _found(_DATA, "data") == [
        "10 Store",
        "5 Wheel",
        "7 Base.shut",
        "7 Opens.open",
        "7 Store.make",
        "7 Wheel.turn",
    ]


def test_imports_rename_open_packages_and_objects_and_stand_in_any_scope() -> None:
    found = _found(
        _DATA
        + """// web/Page.scala
package app.web
import app.data.{Store as S, *}
class Page(one: S, unknown: Other) {
  def run(): Unit = {
    import Names._
    one.open(); unknown.open(); hello(); new Inner
    S("a").open()
    new app.other.Store().open()
    for { w <- one.all; v = w.turn } yield v.turn.turn
    one.all.filter(_ => true).head.turn
    val f: Wheel => Wheel = identity
    f.turn
  }
}
""",
        "web",
    )
    assert found == [
        "10 Store.all",
        "10 Wheel.turn",
        "6 Names.Inner",
        "6 Names.hello",
        "6 Store.open",
        "7 Store.apply",
        "7 Store.open",
        "8 Store",
        "8 Store.open",
        "9 Store.all",
        "9 Wheel.turn",
        "9 Wheel.turn",
        "9 Wheel.turn",
    ]


def test_extensions_of_both_versions_are_found_by_type() -> None:
    found = _found(
        _DATA
        + """// data/Rich.scala
package app.data
extension (w: Wheel)
  def twice(n: Int): Wheel = w.turn
  def thrice: Wheel = twice(3)
implicit class Rich(val s: Store) { def shout: Store = s }
def run(w: Wheel, s: Store, t: String) =
  w.twice(1).thrice
  s.shout.open()
  t.shout
""",
        "data/Rich",
    )
    assert found == [
        "3 Wheel.turn",
        "4 Wheel.twice",
        "7 Wheel.thrice",
        "7 Wheel.twice",
        "8 Rich.shout",
        "8 Store.open",
    ]


def test_overloads_are_told_by_all_lists_of_arguments() -> None:
    files = tree(
        """
        // a.scala
        object A {
          def f(n: Int): Unit = {}
          def f(n: Int)(g: => Unit): Unit = {}
          def f(s: String, n: Int = 0)(using c: C): Unit = {}
          def run(): Unit = {
            f(1)
            f(1) { }
            f(n = 2, s = "b")
            f(1, 2, 3)
          }
        }
        """
    )
    targets = {edge.line: edge for edge in linked(files) if edge.kind == "calls"}
    assert [targets[line].target for line in (6, 7, 8)] == [1, 2, 3]
    assert targets[9].resolved_by == "ambiguous"
