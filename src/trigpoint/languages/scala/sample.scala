/* The forms of Scala 3 that outlines tend to lose. */
package mill
package yard

import mill.Grain
import mill.tools.*
import mill.{Sack as Bag, Hidden as _, Flour, given}
import scala.collection.mutable, java.util.List as JList

export mill.Tools.{weigh, Gauge as Meter}

/** A mill that grinds.
  *
  * More words.
  */
@Table(name = "mills")
trait Mill[T <: Grain](val name: String)(using clock: Clock) extends yard.Base[T], Runnable:
  self: Keeper =>

  type Load = List[T]
  type Output <: Flour
  val stock: Load
  private var level = 1
  lazy val bell: Bell = new Bell("brass")
  val (low, high) = range()
  val Some(first) = stock.headOption: @unchecked
  val onStop = (code: Int) =>
    ring(code)

  /** Grinds. */
  def grind(grain: T, times: Int*): Flour

  @tailrec
  final override def run(): Unit =
    for
      (index, grain) <- stock.zipWithIndex
      if grain.ok && index > 0
      flour = grind(grain)
      part <- flour.parts
    do sift(part)
    kept match
      case Fine(mesh) if mesh > 1 => mesh.tidy()
      case bag: Bag => bag.close()
      case load @ Pair(left: Flour, _) => load.tip(left)
      case Keys.Main | Empty => leave
      case head :: rest => head
      case _ => none()
    try open(gate)
    catch
      case problem: GateError => throw problem
    finally close()
    stock.map: grain =>
      grain.weight
    stock.foreach(grind(_)).map(_.parts)
    val watcher = new Watcher(1) with Closeable:
      def close() = seen.clear()
    while level > 1 || done do turn()
    if level > 2 then stop() else this.level = Gauge.read[Int](level)
    run()

  inline def twice(inline step: Int): Int = ${ doubled('step) }
end Mill

object Mill extends Factory:
  val LIMIT = 3
  def apply[T <: Grain](name: String): Mill[T] = build(name)
  private def build[T <: Grain](name: String) = new WindMill[T](name)

enum Wind(val force: Int) extends Blowing:
  /** No wind. */
  case Calm extends Wind(0)
  case Gust, Storm
  case Mixed(parts: List[Wind], name: String)

  def blow: Int = this match
    case Mixed(parts, _) => parts.map(_.force).sum
    case _ => force

case class Load(what: Grain, kilos: Option[Int])(val at: Place) extends Cargo derives Show, Eq:
  def heavier(other: Load): Boolean = kilos.exists(_ > other.kilos.getOrElse(0))

trait Show[A]:
  def show(one: A): String
  extension (one: A)
    def shown: String = show(one)

given Show[Int] with
  def show(one: Int) = one.toString

given grainOrder: Ordering[Grain] = Ordering.by(_.weight)

given [A](using inner: Show[A]): Show[List[A]] with
  def show(one: List[A]) = one.map(inner.show).mkString

extension (text: String)
  def grams: Int = text.length * Tools.unit
  infix def beside(other: String): String = s"${text.trim} $other"

extension [A](items: List[A])(using order: Ordering[A]) def heaviest: A = items.max

opaque type Id = Long

object Id:
  def apply(value: Long): Id = value

type Part[X] = X match
  case Int => Grain
  case String => Flour

val registry: Map[String, Mill[?]] = Map.empty
private lazy val turns = counter().asInstanceOf[Turns]

@main def start(arguments: String*): Unit =
  def local(depth: Int): Int = if depth > 0 then local(depth - 1) else arguments.size
  println(local(1) |+| arguments.size)
