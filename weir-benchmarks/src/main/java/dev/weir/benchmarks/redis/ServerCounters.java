package dev.weir.benchmarks.redis;

import dev.weir.testing.RedisServer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The counters that the server reports, read on connections of their own. */
record ServerCounters(RedisServer server) {
    private static final double MICROS_PER_SECOND = 1e6;

    /** The time of the processor that it has used. */
    double cpuMicros() {
        String text = String.valueOf(server.command("INFO", "cpu"));
        return Stream.of("used_cpu_sys", "used_cpu_user")
                        .mapToDouble(name -> Double.parseDouble(RedisServer.field(text, name)))
                        .sum()
                * MICROS_PER_SECOND;
    }

    /** How many scripts it has run. */
    long scripts() {
        return Stream.of("eval", "evalsha", "evalsha_ro", "fcall")
                .mapToLong(server::calls)
                .sum();
    }

    /** The bytes of all keys together. */
    long keyBytes() {
        List<?> keys = (List<?>) Objects.requireNonNull(server.command("KEYS", "*"));
        return keys.stream().mapToLong(key -> bytes(String.valueOf(key))).sum();
    }

    private long bytes(String key) {
        return (Long) Objects.requireNonNull(server.command("MEMORY", "USAGE", key, "SAMPLES", "0"));
    }

    /** Forgets all keys. */
    void flush() {
        Object unused = server.command("FLUSHALL");
    }
}
