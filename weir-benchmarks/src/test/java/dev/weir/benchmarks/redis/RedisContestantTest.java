package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.benchmarks.redis.Measuring.ManyInFlight;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.testing.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Contestants on a real server: one that does not limit, or not as expected, is reported. All limit: {@link RedisBenchmarkTest}. */
final class RedisContestantTest {
    private static RedisServer server;
    private static ServerCounters counters;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        counters = new ServerCounters(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void check_set_doesNotLimit() {
        try (RemoteClient client = RedisContestant.SET.connect(server.uri())) {
            assertThatThrownBy(new AdmissionCheck(RedisContestant.SET, client)::run)
                    .isInstanceOf(FailedMeasureException.class)
                    .hasMessage("SET does not limit: one at a time must be 10, was 20");
        }
    }

    @Test
    void medianMicros_decidedOtherwise_isRefused() {
        try (RemoteClient client = RedisContestant.ZSET.connect(server.uri())) {
            RemoteLimiter limiter = client.limiter(Limit.parse("5/1h"), List.of("otherwise"));

            assertThat(Measuring.medianMicros(limiter, 1, true, 5)).isPositive();
            assertThatThrownBy(() -> Measuring.medianMicros(limiter, 1, true, 5))
                    .isInstanceOf(FailedMeasureException.class)
                    .hasMessage("a request was denied, not as the scenario says");
        }
    }

    @Test
    void measure_limitTooSmall_isRefused() {
        try (RemoteClient client = RedisContestant.ZSET.connect(server.uri())) {
            RemoteLimiter limiter = client.limiter(Limit.parse("5/1h"), List.of("too-small"));

            assertThatThrownBy(() -> ManyInFlight.measure(limiter, 1, 16, counters, Effort.SMOKE))
                    .isInstanceOf(FailedMeasureException.class)
                    .hasMessageMatching("5 were admitted and \\d+ denied, not as the scenario says");
        }
    }

    /** Expired entries are missing: the others would look as if they were small. */
    @Test
    void entryBytes_entriesExpired_isRefused() {
        try (RemoteClient client = RedisContestant.ZSET.connect(server.uri())) {
            counters.flush();
            assertThat(Measuring.entryBytes(client, Limit.parse("1000000/1h"), List.of("entries"), 500, counters))
                    .isBetween(50.0, 500.0);
            assertThatThrownBy(() ->
                            Measuring.entryBytes(client, Limit.parse("1000000/1ms"), List.of("expired"), 500, counters))
                    .isInstanceOf(FailedMeasureException.class)
                    .hasMessageStartingWith("500 requests took longer than the window of ");
        }
    }

    @Test
    void counters_scriptsAndKeys_areCounted() {
        try (RemoteClient client = RedisContestant.ZSET.connect(server.uri())) {
            RemoteLimiter limiter = client.limiter(Limit.parse("50/1h"), List.of("counted"));
            counters.flush();
            long scripts = counters.scripts();
            double cpu = counters.cpuMicros();
            for (int i = 0; i < 20; i++) {
                limiter.acquire(0);
            }

            assertThat(counters.scripts() - scripts).isEqualTo(20);
            assertThat(counters.cpuMicros()).isGreaterThan(cpu);
            assertThat(counters.keyBytes()).isBetween(200L, 4_000L);
        }
    }
}
