package dev.weir.benchmarks.memory;

import dev.weir.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.openjdk.jol.info.GraphStats;

/**
 * The memory that a limiter takes, without the strings of its keys: what it leads to when it is filled, minus what it led to when it
 * was empty. Weir's time is set to each of the arrivals of a minute; the peers keep counters, whose size does not depend on the time.
 *
 * @param title the limiter, and its setting
 * @param idleKeyBytes the bytes of a key that has had one request
 * @param busyKeyBytes the bytes of a key that has had {@code entries} requests in its window
 */
record Footprint(String title, double idleKeyBytes, long busyKeyBytes, int entries) {
    private static final String IDLE = "100/1m";
    private static final String BUSY = "1000000/1m";
    private static final String FINE = " resolution=1us";
    private static final long START = 1_767_225_600_000_000_000L; // 2026-01-01T00:00:00Z
    private static final long MINUTE = 60_000_000_000L;
    private static final long SEED = 1;

    double bytesPerEntry() {
        return (double) busyKeyBytes / entries;
    }

    /** Measures all contestants, Weir first, with the given numbers of idle keys and of requests for a busy key. */
    static List<Footprint> ofAll(int keys, int entries, Consumer<String> progress) {
        AtomicLong time = new AtomicLong();
        Function<String, Limiter> weir = limit -> Contestant.WEIR.make(Limits.parse(limit), time::get);
        List<Footprint> all = new ArrayList<>();
        progress.accept("memory: Weir");
        all.add(of("Weir", weir.apply(IDLE), weir.apply(BUSY), keys, entries, time));
        all.add(of("Weir, 1 µs", weir.apply(IDLE + FINE), weir.apply(BUSY + FINE), keys, entries, time));
        for (Contestant peer : Contestant.peers()) {
            progress.accept("memory: " + peer.title);
            Limiter busy = peer.make(Limits.parse(BUSY));
            all.add(of(peer.title, peer.make(Limits.parse(IDLE)), busy, keys, entries, time));
        }
        return all;
    }

    private static Footprint of(String title, Limiter idle, Limiter busy, int keys, int entries, AtomicLong time) {
        String[] names = IntStream.range(0, keys).mapToObj(Keys::name).toArray(String[]::new);
        time.set(START);
        long none = bytes(idle, names);
        for (String name : names) {
            idle.tryAcquire(name);
        }
        double idleKeyBytes = (double) (bytes(idle, names) - none) / keys;
        busy.tryAcquire("another"); // creates what keys share
        long before = bytes(busy, names[0]);
        for (long instant : arrivals(MINUTE, entries)) {
            time.set(START + instant);
            busy.tryAcquire(names[0]);
        }
        return new Footprint(title, idleKeyBytes, bytes(busy, names[0]) - before, entries);
    }

    /** Returns the bytes of all objects that a limiter leads to, each once, and of some names. */
    private static long bytes(Limiter limiter, String... names) {
        return GraphStats.parseInstance(limiter, names).totalSize();
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
