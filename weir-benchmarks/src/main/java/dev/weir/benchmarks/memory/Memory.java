package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.limiter.Limiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Measures memory: fills a limiter, and takes its {@link Footprint} minus that of an empty one. Weir's time is set to each of the
 * arrivals of a minute; the peers keep counters, whose size does not depend on the time.
 */
public final class Memory {
    private static final String IDLE = "100/1m";
    private static final String BUSY = "1000000/1m";
    private static final String FINE = " resolution=1us";
    private static final long START = 1_767_225_600_000_000_000L; // 2026-01-01T00:00:00Z
    private static final long SEED = 1;

    private final int keys;
    private final int entries;
    private final Consumer<String> progress;
    private final AtomicLong time = new AtomicLong();

    /** Prepares a measurement with the given numbers of idle keys and of entries in a busy key; reports its progress. */
    public Memory(int keys, int entries, Consumer<String> progress) {
        this.keys = keys;
        this.entries = entries;
        this.progress = progress;
    }

    /** Measures all contestants. */
    public MemoryFigures measure() {
        List<MemoryFigures.Row> rows = new ArrayList<>();
        Function<String, Limiter> weir = limit -> Contestant.weir(Limits.parse(limit), time::get);
        rows.add(row("Weir", weir, IDLE, BUSY));
        rows.add(row("Weir, 1 µs", weir, IDLE + FINE, BUSY + FINE));
        for (Contestant peer : Contestant.peers()) {
            rows.add(row(peer.title(), limit -> peer.make(Limits.parse(limit)), IDLE, BUSY));
        }
        Decision decision = Decision.allowed(Limit.parse(IDLE), 0, 0, 0, 0);
        return new MemoryFigures(Footprint.ofOne(decision), entries, rows);
    }

    private MemoryFigures.Row row(String title, Function<String, Limiter> maker, String idle, String busy) {
        progress.accept("memory: " + title);
        return new MemoryFigures.Row(title, idleKeyBytes(maker.apply(idle)), busyKeyBytes(maker.apply(busy)));
    }

    private double idleKeyBytes(Limiter limiter) {
        time.set(START);
        long empty = Footprint.of(limiter.state());
        for (int i = 0; i < keys; i++) {
            limiter.tryAcquire("user-" + i);
        }
        return (double) (Footprint.of(limiter.state()) - empty) / keys;
    }

    private long busyKeyBytes(Limiter limiter) {
        time.set(START);
        long empty = Footprint.of(limiter.state());
        for (long instant : arrivals(Limit.parse(BUSY).windowNanos(), entries)) {
            time.set(START + instant);
            limiter.tryAcquire("user-0");
        }
        return Footprint.of(limiter.state()) - empty;
    }

    /** Returns the arrivals of a Poisson process whose number is known, in order: independent and uniform; the same each time. */
    static long[] arrivals(long spanNanos, int count) {
        return new Random(SEED)
                .doubles(count)
                .mapToLong(part -> (long) (part * spanNanos))
                .sorted()
                .toArray();
    }
}
