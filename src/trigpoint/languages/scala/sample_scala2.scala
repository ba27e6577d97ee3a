/* The forms of Scala 2 that outlines tend to lose. */
package mill.yard

import mill.{Grain, Sack => Bag, Hidden => _}
import mill.tools._

sealed abstract class Mill[T <: Grain : Ordering, -U](
    private val stock: List[T],
    var name: String = "none",
    plain: Int
)(implicit clock: Clock)
    extends yard.Base[T](stock)
    with Runnable
    with (T => Flour) { self =>

  import clock.now

  private[this] var level: Int = _
  val enum = stock.iterator
  def this(count: Int) = { this(Nil, "made", count); open() }
  def size: Int = stock.size
  def size_=(count: Int): Unit = { level = count }
  def :+(other: Mill[T, U]): Mill[T, U] = other
  protected[yard] def grind(grain: T): Flour
  def both(parts: (Int, T) => Flour, late: => Int): PartialFunction[T, Flour] = {
    case grain if grain.ok => parts(late, grain)
  }

  override def run(): Unit = {
    for { (index, grain) <- stock.zipWithIndex if grain.ok; flour = grind(grain) } yield flour.sift(index)
    while (enum.hasNext) enum.next
    stock map grind foreach { flour => flour.tip() }
    val watcher = new Watcher(1) with Closeable { def close() = seen.clear() }
    val scale: Flour => Int = _.weight
    try load() catch { case e: GateError => throw new MillError(e) } finally { close() }
    do { turn() } while (level > 1)
    if (level > 2 && done) stop() else leave()
    <load kilos={ size.toString }>{ name }</load>
  }

  class Wheel { def turn(): Unit = Mill.this.run() }
}

object Mill extends Factory {
  implicit val order: Ordering[Mill[_, _]] = Ordering.by(_.size)
  implicit def fromName(name: String): Mill[Grain, Any] = apply(name)
  implicit class MillOps[T](private val mill: T) extends AnyVal {
    def shown: String = mill.toString
  }
  def apply(name: String): Mill[Grain, Any] = new WindMill(name)
  def unapply(mill: Mill[_, _]): Option[String] = Some(mill.name)
  def inlined(call: Call) = inline(call)
  case object Empty extends Load
  final case class Full(kilos: Int) extends Load

  trait Load { this: Cargo with Weighed =>
    type Unit <: { def grams: Int }
    val (net, gross) = weigh()
  }
}

package object tools {
  type Grains[T] = List[T]
  val Unit = 3
  def macros(): Int = macro Macros.impl

  "a test" should {
    "keep its vals to itself" in {
      val local = new Mill(1)
      local.run()
    }
  }
}

package inner {
  class Deep
}
