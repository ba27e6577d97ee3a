/* The forms of Java that outlines tend to lose. */
package mill.yard;

import java.util.*;
import java.util.function.Function;
import mill.Grain.Wheat;

import static java.lang.Math.max;
import static mill.Tools.*;

/**
 * A mill that grinds.
 *
 * <p>More words.
 */
@Deprecated
@Table(name = "mills", keys = {Keys.MAIN})
public abstract sealed class Mill<T extends Grain & Comparable<T>> extends yard.Base<T>
        implements Runnable, Iterable<List<T>>
        permits WindMill, Mill.WaterMill {

    public static final int LIMIT = max(1, 2), LEAST = 1;
    private static final Comparator<Grain> ORDER = (left, right) -> compare(left, right);
    protected List<T> stock = new ArrayList<>();
    int[] counts, spare[];
    private final Runnable bell = new Runnable() {
        @Override
        public void run() {
            ring(LIMIT);
        }
    };

    static {
        register(Mill.class);
    }

    /** Makes a mill. */
    protected Mill(final String name, T... grains) throws MillException {
        super(name, LEAST);
        this.stock = List.of(grains);
    }

    Mill() {
        this("none");
    }

    @Override
    public void run() {
        for (T grain : stock) {
            grind(grain).flour().sift(this.stock);
        }
        stock.forEach(this::grind);
        stock.stream().map(Wheat::sacks).map(Sack::new).map(super::pour).map(mill.Tools::weigh);
    }

    protected abstract Flour grind(T grain);

    native int weight();

    public <R extends Flour> Optional<R> find(Map<String, ? super R> by, Function<T, R> how) {
        var key = by.keySet().iterator().next();
        Flour kept = (Flour) by.get(key);
        try (Gate gate = Gate.open(key); var lock = gate.lock()) {
            if (kept instanceof Fine fine && fine.isFine() || LIMIT > 2) {
                return Optional.of(how.apply(fine.of()));
            }
        } catch (GateException | RuntimeException problem) {
            throw new MillException(problem);
        } finally {
            close();
        }
        do {
            key = key == null ? Keys.MAIN : key.next();
        } while (key != null);
        String said = switch (kept) {
            case Fine f -> f.name();
            case Pair(Flour a, var b) -> a.name();
            case Flour.Coarse c when c.ok() -> c.name();
            default -> "none";
        };
        switch (said) {
            case "a", "b":
            case Keys.LAST:
                break;
            default:
        }
        class Local {
            void tidy() {
                sweep();
            }
        }
        Function<T, R> again = (T one) -> how.apply(one);
        return new Mill.WaterMill("x") {
            int depth = measure();

            Flour grind(Grain grain) {
                return grain.turn(new Stone(), depth);
            }
        }.find(by, how);
    }

    static final class WaterMill extends Mill<Wheat> {
        class Wheel {
            void turn() {
                Mill.this.run();
                outer.new Wheel();
            }
        }
    }
}

interface Sifter<A> extends Filter<A>, java.io.Closeable {
    int MESH = 3;

    A sift(A grain);

    default A twice(A grain) {
        return sift(sift(grain));
    }

    static Sifter<Grain> plain() {
        return Sifters::same;
    }
}

/** A load. */
record Load<T>(@Checked T what, int... kilos) implements Cargo {
    static int made;

    Load {
        check(kilos);
    }

    Load(T what) {
        this(what, 0);
    }

    int sum() {
        return total(kilos());
    }
}

enum Wind implements Blowing {
    /** No wind. */
    CALM,
    @Rare
    STORM(9, Keys.MAIN) {
        @Override
        int force() {
            return gale(level);
        }
    };

    private int level;

    Wind(int... levels) {
        level = levels[0];
    }

    int force() {
        return level;
    }
}

@Retention(RetentionPolicy.RUNTIME)
@interface Table {
    String name() default "";

    Class<? extends Grain>[] kinds() default {Wheat.class};

    int SIZE = 1;
}
