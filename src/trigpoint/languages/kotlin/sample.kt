@file:JvmName("Yards") @file:Suppress("unused")

/* The forms of Kotlin that outlines tend to lose. */
package mill.yard

import mill.Grain
import mill.tools.*
import mill.Sack as Bag

/**
 * A mill that grinds.
 *
 * More words.
 */
@Serializable
@Table(name = "mills", keys = [Keys.MAIN])
public abstract class Mill<T : Grain>(
    private val stock: List<T>,
    @Column var name: String = "none",
    plain: Int,
) : yard.Base<T>(stock), Runnable, Sifter<T> by Plain(), Iterable<List<T>> where T : Comparable<T> {

    val size: Int
        get() = if (stock.isEmpty()) 0 else stock.size

    var level: Int = 1
        private set(value) {
            field = check(value)
        }

    lateinit var gate: Gate
    private val bell by lazy { Bell("brass") }
    val onStop = { code: Int -> ring(code) }
    override val parts get() = bell.parts

    init {
        register(this, Mill::class)
    }

    @Inject
    constructor(count: Int) : this(listOf(), "made", count) {
        this.gate = Gate.open(count)
    }

    /** Turns. */
    @Throws(MillException::class)
    override suspend fun run() {
        for ((index, grain) in stock.withIndex()) grind(grain).flour()?.sift(index)
        stock.forEach(::grind)
        stock.map(Grain::weigh).map(Bag?::sum)
    }

    protected abstract fun grind(grain: T): Flour

    internal inline fun <reified R : Flour> find(crossinline how: (T) -> R, vararg keys: String): R? {
        val (first, rest) = split(keys)
        val key = rest ?: first as Key
        try {
            when (val kept = keep(key)) {
                is Fine, Keys.MAIN -> kept.name()
                in 1..2 -> key.next()
                else -> return null
            }
        } catch (problem: GateException) {
            throw MillException(problem)
        } finally {
            close()
        }
        do { turn() } while (key.more() && level > 1 || done)
        val again = fun(one: T): R { return how(one) }
        stock.sortedBy { (left, right) -> left to right }
        return again(first) as? R ?: suspend { how(first) }.await()
    }

    operator fun plus(other: Mill<T>): Mill<T> = Mill(other.stock)

    infix fun beside(other: Mill<T>) = this.level beside other

    inner class Wheel : Turning() {
        fun turn() = this@Mill.run()
        override fun stop() { super.stop(); super<Turning>.close() }
    }

    companion object Factory : Maker {
        const val LIMIT = 3
        private val ORDER = compareBy<Grain> { it.weight }

        @JvmStatic
        fun make(): Mill<Grain> = build { add(LIMIT) }
    }
}

@Deprecated("old", ReplaceWith("Load"), level = DeprecationLevel.HIDDEN)
data class Load(val what: Grain, val kilos: Int?) : Cargo {
    companion object {
        val EMPTY = Load(Grain.NONE, null)
    }
}

sealed interface Flour {
    data object Coarse : Flour
    class Fine(val mesh: Int) : Flour { fun name() = "fine" }

    val weight: Double

    fun sift(times: Int = 1): Flour = this
}

@JvmInline value class Key(val text: String)

fun interface Sieve<in T> {
    fun pass(one: T): Boolean
}

enum class Wind(val force: Int) : Blowing {
    /** No wind. */
    CALM(0),
    @Rare
    STORM(9) {
        override fun blow() = gale(force)
    }, GUST(5);

    abstract fun blow(): Int
}

@Target(AnnotationTarget.CLASS)
annotation class Table(val name: String, val keys: Array<Key> = [])

object Tools : Closeable {
    val open = mutableListOf<Mill<*>>()

    override fun close() = open.forEach { it.stop() }
}

typealias Grinder<T> = suspend (T) -> Flour

const val PI_ISH = 3
val registry: MutableMap<String, Mill<*>> = HashMap()
var turns = 0; private set

val String.grams: Int
    get() = length * PI_ISH

fun <T : Grain> List<T>?.heaviest(): T? = this?.maxByOrNull { it.weight }

suspend fun main(args: Array<String>) {
    fun local(depth: Int): Int = if (depth > 0) local(depth - 1) else args.size
    val watcher = object : Watcher("main"), Closeable {
        val seen = Seen()

        override fun close() = seen.clear()
    }
    local(1)
    watcher.close()
    println("done ${turns.show()} of $registry")
}

fun Mill.Wheel.`turn twice`() = apply { turn() }
