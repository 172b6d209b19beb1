package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.limiter.Limiter;
import dev.weir.benchmarks.limiter.WeirLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Measures memory: fills a limiter, and takes its {@link Footprint} less that of an empty one. Weir's time is set by
 * hand through a minute of arrivals; the peers keep counters, whose size does not depend on the time.
 */
public final class Memory {
    private static final String IDLE = "100/1m";
    private static final String BUSY = "1000000/1m";
    private static final String FINE = " resolution=1us";

    private final int keys;
    private final int entries;
    private final Consumer<String> progress;

    /** Measures with so many idle keys, and so many entries in a busy key, and tells how far it is. */
    public Memory(int keys, int entries, Consumer<String> progress) {
        this.keys = keys;
        this.entries = entries;
        this.progress = progress;
    }

    /** Measures everyone. */
    public MemoryFigures measure() {
        List<MemoryFigures.Row> rows = new ArrayList<>();
        HandTimeSource time = new HandTimeSource();
        Function<String, Limiter> weir = limit -> new WeirLimiter(Limits.parse(limit), time);
        rows.add(row("Weir", weir, IDLE, BUSY, time));
        rows.add(row("Weir, 1 µs", weir, IDLE + FINE, BUSY + FINE, time));
        for (Contestant peer : Contestant.peers()) {
            rows.add(row(peer.title(), limit -> peer.make(Limits.parse(limit)), IDLE, BUSY, time));
        }
        Decision decision = Decision.allowed(Limit.parse(IDLE), 0, 0, 0, 0);
        return new MemoryFigures(Footprint.ofOne(decision), entries, rows);
    }

    private MemoryFigures.Row row(
            String title, Function<String, Limiter> maker, String idle, String busy, HandTimeSource time) {
        progress.accept("memory: " + title);
        return new MemoryFigures.Row(
                title, idleKeyBytes(maker.apply(idle), time), busyKeyBytes(maker.apply(busy), time));
    }

    private double idleKeyBytes(Limiter limiter, HandTimeSource time) {
        time.put(0);
        long empty = Footprint.of(limiter.state());
        for (int i = 0; i < keys; i++) {
            limiter.tryAcquire("user-" + i);
        }
        return (double) (Footprint.of(limiter.state()) - empty) / keys;
    }

    private long busyKeyBytes(Limiter limiter, HandTimeSource time) {
        time.put(0);
        long empty = Footprint.of(limiter.state());
        for (long instant : Arrivals.in(Limit.parse(BUSY).windowNanos(), entries)) {
            time.put(instant);
            limiter.tryAcquire("user-0");
        }
        return Footprint.of(limiter.state()) - empty;
    }
}
