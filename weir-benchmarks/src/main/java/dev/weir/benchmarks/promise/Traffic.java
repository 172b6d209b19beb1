package dev.weir.benchmarks.promise;

import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogReader;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Requests for one permit each, in the order of their times. */
final class Traffic {
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long MICRO = 1_000;
    /** 2026-01-01T00:00:00Z, the start of a minute by the clock. */
    private static final long START = 1_767_225_600 * SECOND;

    private static final int SCANNERS = 20;
    private static final int SCAN_MINUTES = 20;
    private static final int DEMAND_MINUTES = 10;
    private static final long DEMAND_EVERY = 10_000_000; // 10 ms

    private final String name;
    private final String description;
    private final int clients;
    private long[] times = new long[1 << 16];
    private int[] client = new int[1 << 16];
    private int size;

    private Traffic(String name, String description, int clients) {
        this.name = name;
        this.description = description;
        this.clients = clients;
    }

    /**
     * The requests of a log, each address a client.
     *
     * @throws IOException if it cannot be read, with a message for the user
     */
    static Traffic log(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                Trace trace = LogReader.read(in, LogOptions.DEFAULT, bytes -> {})) {
            Traffic traffic = new Traffic("log", "the requests of " + file.getFileName() + " by address", trace.keys());
            trace.forEach((timeNanos, key, permits) -> traffic.add(timeNanos, key));
            return traffic;
        }
    }

    /**
     * Scanners that look for vulnerabilities. Each sends its first request at the start of a minute, so that every window of a
     * minute begins there, whether it follows the clock or the first request. Then it sends bursts of 50 to 300 requests, 40 to 400
     * a second; each second burst begins up to 2 s before the end of a minute, the others after a pause of up to a minute.
     */
    static Traffic scan() {
        Traffic traffic = new Traffic(
                "scan",
                SCANNERS + " scanners for " + SCAN_MINUTES
                        + " minutes: bursts of 50 to 300 requests, half of them around the end of a minute",
                SCANNERS);
        SplittableRandom random = new SplittableRandom(15);
        for (int scanner = 0; scanner < SCANNERS; scanner++) {
            traffic.add(START, scanner);
            long time = START;
            while (time < START + SCAN_MINUTES * MINUTE) {
                long pause = random.nextLong(SECOND, MINUTE);
                long boundary = (time / MINUTE + 1) * MINUTE - random.nextLong(2 * SECOND);
                time = random.nextBoolean() ? Math.max(time, boundary) : time + pause;
                long gap = SECOND / random.nextLong(40, 401);
                for (long left = random.nextLong(50, 301); left > 0; left--) {
                    time += random.nextLong(gap / 2, gap * 3 / 2);
                    traffic.add(time / MICRO * MICRO, scanner);
                }
            }
        }
        traffic.sort();
        return traffic;
    }

    /** One client with a request every 10 ms, which begins in the middle of a minute by the clock. */
    static Traffic fullDemand() {
        Traffic traffic =
                new Traffic("full demand", "one client for " + DEMAND_MINUTES + " minutes: a request every 10 ms", 1);
        for (long after = 0; after < DEMAND_MINUTES * MINUTE; after += DEMAND_EVERY) {
            traffic.add(START + MINUTE / 2 + after, 0);
        }
        return traffic;
    }

    /** Returns requests of one client at these times. */
    static Traffic of(long... timesNanos) {
        Traffic traffic = new Traffic("test", "test", 1);
        LongStream.of(timesNanos).forEach(time -> traffic.add(time, 0));
        return traffic;
    }

    private void add(long timeNanos, int clientNumber) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            client = Arrays.copyOf(client, 2 * size);
        }
        times[size] = timeNanos;
        client[size] = clientNumber;
        size++;
    }

    private void sort() {
        int[] order = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingLong(request -> times[request]))
                .mapToInt(Integer::intValue)
                .toArray();
        times = Arrays.stream(order).mapToLong(request -> times[request]).toArray();
        client = Arrays.stream(order).map(request -> client[request]).toArray();
    }

    String name() {
        return name;
    }

    String description() {
        return description;
    }

    /** Returns the number of requests. */
    int size() {
        return size;
    }

    /** Returns the number of clients. */
    int clients() {
        return clients;
    }

    /** Returns the time of a request in nanoseconds since the epoch. */
    long time(int request) {
        return times[request];
    }

    /** Returns the client of a request. */
    int client(int request) {
        return client[request];
    }
}
