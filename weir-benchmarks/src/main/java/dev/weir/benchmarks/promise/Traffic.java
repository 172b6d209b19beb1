package dev.weir.benchmarks.promise;

import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogReader;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Requests for one permit each, in the order of their times. */
record Traffic(String name, String description, int clients, List<Sent> requests) {
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long MICRO = 1_000;
    /** 2026-01-01T00:00:00Z, the start of a minute by the clock. */
    private static final long START = 1_767_225_600 * SECOND;

    private static final int SCANNERS = 20;
    private static final int SCAN_MINUTES = 20;
    private static final int DEMAND_MINUTES = 10;
    private static final long DEMAND_EVERY = 10_000_000; // 10 ms

    /** A request of a client, at a time in nanoseconds since the epoch. */
    record Sent(long time, int client) {}

    /**
     * The requests of a log, each address a client.
     *
     * @throws IOException if it cannot be read, with a message for the user
     */
    static Traffic log(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                Trace trace = LogReader.read(in, LogOptions.DEFAULT, bytes -> {})) {
            List<Sent> requests = new ArrayList<>();
            trace.forEach((timeNanos, key, permits) -> requests.add(new Sent(timeNanos, key)));
            return new Traffic("log", "the requests of " + file.getFileName() + " by address", trace.keys(), requests);
        }
    }

    /**
     * Scanners that look for vulnerabilities. Each sends its first request at the start of a minute, so that every window of a
     * minute begins there, whether it follows the clock or the first request. Then it sends bursts of 50 to 300 requests, 40 to 400
     * a second; each second burst begins up to 2 s before the end of a minute, the others after a pause of up to a minute.
     */
    static Traffic scan() {
        List<Sent> requests = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(15);
        for (int scanner = 0; scanner < SCANNERS; scanner++) {
            requests.add(new Sent(START, scanner));
            long time = START;
            while (time < START + SCAN_MINUTES * MINUTE) {
                long pause = random.nextLong(SECOND, MINUTE);
                long boundary = (time / MINUTE + 1) * MINUTE - random.nextLong(2 * SECOND);
                time = random.nextBoolean() ? Math.max(time, boundary) : time + pause;
                long gap = SECOND / random.nextLong(40, 401);
                for (long left = random.nextLong(50, 301); left > 0; left--) {
                    time += random.nextLong(gap / 2, gap * 3 / 2);
                    requests.add(new Sent(time / MICRO * MICRO, scanner));
                }
            }
        }
        requests.sort(Comparator.comparingLong(Sent::time));
        String description = SCANNERS + " scanners for " + SCAN_MINUTES
                + " minutes: bursts of 50 to 300 requests, half of them around the end of a minute";
        return new Traffic("scan", description, SCANNERS, requests);
    }

    /** One client with a request every 10 ms, which begins in the middle of a minute by the clock. */
    static Traffic fullDemand() {
        String description = "one client for " + DEMAND_MINUTES + " minutes: a request every 10 ms";
        LongStream times = LongStream.range(0, DEMAND_MINUTES * MINUTE / DEMAND_EVERY)
                .map(i -> START + MINUTE / 2 + i * DEMAND_EVERY);
        return ofOneClient("full demand", description, times);
    }

    /** Returns requests of one client at these times. */
    static Traffic ofOneClient(String name, String description, LongStream timesNanos) {
        List<Sent> requests = timesNanos.mapToObj(time -> new Sent(time, 0)).toList();
        return new Traffic(name, description, 1, requests);
    }
}
