package dev.weir.algorithm;

import dev.weir.algorithm.Rule.Kind;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What a random trace runs on: limiters, their keys and the limits that they may have; and how its steps are drawn. */
final class Scenario {
    /** All kinds of limits. */
    static final List<Kind> ALL = List.of(Kind.values());

    /** The kinds whose ticks may be far shorter than a window. */
    static final List<Kind> FINE = List.of(
            Kind.LOG,
            Kind.ATTEMPTS,
            Kind.CLASSIC,
            Kind.ALIGNED,
            Kind.FIRST,
            Kind.TOKEN_BUCKET,
            Kind.GCRA,
            Kind.LEAKY_BUCKET,
            Kind.UNLIMITED);

    /** The kinds that keep a log. */
    static final List<Kind> LOGS =
            List.of(Kind.LOG, Kind.LOG, Kind.LOG, Kind.CONSERVATIVE, Kind.CLASSIC, Kind.ATTEMPTS);

    /**
     * The kinds of limits that there are, and how large everything gets.
     *
     * @param kinds the kinds of limits
     * @param limiters the most limiters
     * @param keys the most keys of a limiter
     * @param rules the most limits of a key
     * @param permits the most permits of a limit
     * @param leastWindow the shortest window in nanoseconds
     * @param mostWindow the longest window in nanoseconds
     * @param steps the most steps of a trace
     * @param times the most times that a step is repeated
     * @param maxWindowsToWait the most windows that a reservation may wait
     */
    record Size(
            List<Kind> kinds,
            int limiters,
            int keys,
            int rules,
            long permits,
            long leastWindow,
            long mostWindow,
            int steps,
            int times,
            int maxWindowsToWait) {

        /** Short windows and few permits, where everything happens at once. */
        static Size small(List<Kind> kinds, int limiters, int keys, int rules) {
            return new Size(kinds, limiters, keys, rules, 8, 5, 40, 60, 1, 3);
        }

        /** Hundreds of runs and of pending reservations. */
        static Size deep(List<Kind> kinds, int rules) {
            return new Size(kinds, 1, 1, rules, 300, 50, 3_000, 80, 80, 12);
        }

        /** More reservations than may be pending. */
        static Size full() {
            return new Size(ALL.subList(0, 6), 1, 1, 2, 2, 3, 20, 60, 600, 5_000);
        }

        /** Windows of up to two years, clocks that jump by as much. */
        static Size wide(int rules) {
            return new Size(ALL, 2, 1, rules, 8, 1_000, Long.MAX_VALUE / 128, 40, 1, 3);
        }

        /** Windows of up to 73 years, within a few microseconds. */
        static Size vast(int rules) {
            return new Size(FINE, 2, 1, rules, 8, VAST / 8, VAST, 40, 1, 3);
        }
    }

    /** What a step does. */
    enum Op {
        TRY,
        RESERVE,
        JOINT,
        PEEK,
        INSPECT,
        CANCEL,
        REFUND,
        CHANGE,
        BLOCK,
        UNBLOCK,
        RESET
    }

    /** Advances the clock by {@code pass}, then does {@code op} with these numbers; all of it {@code times} times. */
    record Step(int times, long pass, Op op, long permits, long nanos, int which) {}

    final long start;
    final int keys; // of each limiter
    final List<List<List<Rule>>> limits = new ArrayList<>(); // for each limiter, what its limits may change to
    private final Size size;
    private boolean changing; // whether the limits that are drawn are changed later

    /** The longest window with its margin: 73 years. */
    private static final long LONGEST = Duration.ofDays(73 * 365).toNanos();

    private static final long VAST = LONGEST - 4;

    /** The engine adds longer blocks to the time with overflow: a fixed window then admits a waiter while blocked. */
    private static final long LONGEST_BLOCK = Long.MAX_VALUE / 8;

    Scenario(Size size, long seed) {
        this.size = size;
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        start = switch (random.nextInt(4)) {
            case 0 -> isVast() ? 0 : -random.nextLong(5_000);
            case 1 -> 1_700_000_000_000_000_000L + random.nextLong(5_000);
            default -> 1_000;
        };
        keys = 1 + random.nextInt(size.keys);
        int limiters = 1 + random.nextInt(size.limiters);
        for (int i = 0; i < limiters; i++) {
            limits.add(alternatives(random));
        }
    }

    /** One key under these limits, for a trace that is made by hand. */
    Scenario(List<Rule> rules) {
        size = Size.small(ALL, 1, 1, 1);
        start = 0;
        keys = 1;
        limits.add(List.of(rules));
    }

    private List<List<Rule>> alternatives(SplittableRandom random) {
        boolean named = random.nextInt(3) == 0;
        int changes = random.nextInt(3);
        changing = changes > 0;
        List<Rule> rules = new ArrayList<>();
        for (int i = 1 + random.nextInt(size.rules); i > 0; i--) {
            Kind kind = kind(random);
            boolean idle = kind == Kind.UNLIMITED && rules.isEmpty();
            rules.add(rule(random, idle ? Kind.LOG : kind, named ? "n" + i : ""));
        }
        List<List<Rule>> alternatives = new ArrayList<>(List.of(rules));
        for (int i = changes; i > 0; i--) {
            alternatives.add(changed(rules, random));
        }
        return alternatives;
    }

    /** Other numbers for most of the limits, some dropped, some of another kind, and another order. */
    private List<Rule> changed(List<Rule> rules, SplittableRandom random) {
        List<Rule> changed = new ArrayList<>();
        for (Rule rule : rules) {
            int change = random.nextInt(8);
            if (change > 1 || (change == 0 && changed.isEmpty())) {
                changed.add(change == 7 ? rule : rule(random, rule.kind(), rule.name()));
            } else if (change == 1) {
                changed.add(rule(random, kind(random), rule.name()));
            }
        }
        if (random.nextInt(4) == 0) {
            changed.add(changed.remove(0));
        }
        return changed;
    }

    private boolean isVast() {
        return size.mostWindow == VAST;
    }

    private Kind kind(SplittableRandom random) {
        return size.kinds.get(random.nextInt(size.kinds.size()));
    }

    private Rule rule(SplittableRandom random, Kind kind, String name) {
        long permits = upTo(random, size.permits);
        long window = random.nextLong(size.leastWindow, size.mostWindow);
        if (isVast() && random.nextInt(4) == 0) {
            window = size.mostWindow - random.nextInt(3);
        }
        return switch (kind) {
            case LOG, ATTEMPTS -> {
                long margin = random.nextInt(3) > 0 ? 0 : random.nextLong(4);
                long resolution = random.nextBoolean() ? 1 : upTo(random, isVast() ? 100 : window);
                yield Rule.of(kind, name, permits, window, resolution, margin);
            }
            case CONSERVATIVE, CLASSIC -> sliding(random, kind, name, permits, window);
            case TOKEN_BUCKET, GCRA, LEAKY_BUCKET -> {
                BigInteger most = BigInteger.valueOf(LONGEST)
                        .multiply(BigInteger.valueOf(permits))
                        .divide(BigInteger.valueOf(window));
                long burst =
                        upTo(random, BigInteger.valueOf(size.permits).min(most).longValueExact());
                yield Rule.of(kind, name, permits, window, burst, 0);
            }
            default -> Rule.of(kind, name, permits, window, 0, 0);
        };
    }

    /**
     * A sliding window. If limits change, buckets of the classic estimate are no longer than any window: a longer one starts
     * at a stamp that may have expired, and the engine then refunds what is granted there for what has expired.
     */
    private Rule sliding(SplittableRandom random, Kind kind, String name, long permits, long window) {
        long least = (window - 1) / size.leastWindow + 1;
        if (kind == Kind.CONSERVATIVE || !changing || isVast()) {
            return Rule.of(kind, name, permits, window, upTo(random, Math.min(window, 60)), 0);
        }
        return least > 100
                ? Rule.of(Kind.CONSERVATIVE, name, permits, window, 60, 0)
                : Rule.of(kind, name, permits, window, Math.min(window, least + random.nextInt(20)), 0);
    }

    /** A number from 1 to {@code most}; small numbers are as likely as large ones. */
    private static long upTo(SplittableRandom random, long most) {
        int bits = 64 - Long.numberOfLeadingZeros(most);
        return Math.min(most, 1 + (random.nextLong() >>> 1) % (1L << random.nextInt(1, Math.min(63, bits + 1))));
    }

    int steps() {
        return size.steps;
    }

    Step step(SplittableRandom random) {
        int times = size.times > 1 && random.nextInt(4) == 0 ? 1 + random.nextInt(size.times) : 1;
        Op op = op(random, times);
        long window = isVast() ? 1_000 : size.mostWindow;
        long pass = random.nextInt(3) == 0 ? 0 : random.nextLong(1 + window / (random.nextInt(8) == 0 ? 1 : 7));
        if (times > 1 || random.nextInt(16) == 0) {
            pass = random.nextBoolean() ? 0 : 1 + random.nextLong(1 + window / 400);
        } else if (random.nextInt(20) == 0) {
            pass = -random.nextLong(random.nextInt(3) == 0 ? 3 * window : 7);
        } else if (random.nextInt(60) == 0 && !isVast()) {
            pass = random.nextLong(20 * window);
        }
        long permits = 1L + random.nextInt(random.nextInt(4) == 0 ? 8 : 2);
        if (random.nextInt(30) == 0) {
            permits = upTo(random, size.permits);
        }
        long nanos = isVast()
                ? random.nextLong(Long.MAX_VALUE)
                : random.nextLong(1 + (long) (1 + random.nextInt(size.maxWindowsToWait)) * window);
        nanos = random.nextInt(20) == 0 ? Long.MAX_VALUE - random.nextLong(2) : nanos;
        if (op == Op.BLOCK) {
            nanos = random.nextInt(8) == 0 ? Math.min(nanos, LONGEST_BLOCK) : random.nextLong(1 + window / 2);
        }
        return new Step(times, pass, op, permits, nanos, random.nextInt() >>> 1);
    }

    private Op op(SplittableRandom random, int times) {
        int number = random.nextInt(100);
        if (number < 50 || times > 1) {
            boolean reserves = size.times > 1 && random.nextInt(4) > 0;
            return reserves ? Op.RESERVE : Op.values()[random.nextInt(limits.size() * keys > 1 ? 3 : 2)];
        } else if (number < 60) {
            return random.nextBoolean() ? Op.PEEK : Op.INSPECT;
        } else if (number < 85) {
            return random.nextBoolean() ? Op.CANCEL : Op.REFUND;
        } else if (number < 95 || random.nextInt(size.times) > 0) {
            return size.times > 1 && random.nextInt(4) > 0 ? Op.CANCEL : Op.CHANGE;
        }
        return switch (random.nextInt(4)) {
            case 0 -> Op.UNBLOCK;
            case 1 -> Op.RESET;
            default -> Op.BLOCK;
        };
    }

    @Override
    public String toString() {
        return "from " + start + ", keys of each limiter " + keys + ", limits " + limits;
    }
}
