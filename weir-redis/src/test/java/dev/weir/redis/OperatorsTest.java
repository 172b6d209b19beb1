package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import dev.weir.testkit.ManualTimeSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks, statuses and snapshots of keys. */
final class OperatorsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);

    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<byte[], byte[]> redis;

    private final ManualTimeSource time = new ManualTimeSource();
    private RedisStore store; // caches denials
    private RedisStore timed;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        client = RedisClient.create(server.uri());
        redis = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void connect() {
        server.command("FLUSHALL");
        store = RedisStore.builder(server.uri())
                .timeout(TIMEOUT)
                .denialMemory(Duration.ofMinutes(1))
                .connect();
        timed = RedisStore.builder(server.uri())
                .timeout(TIMEOUT)
                .timeSource(time)
                .connect();
    }

    @AfterEach
    void close() {
        store.close();
        timed.close();
    }

    private static RateLimiter limiter(RedisStore store, String... limits) {
        return RateLimiter.builder()
                .name("test")
                .limits(Limits.parse(limits))
                .store(store)
                .build();
    }

    @Test
    void block_cachedDenial_isBlocked() {
        RateLimiter limiter = limiter(store, "5/1h");
        limiter.block("key", Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key").blocked()).isTrue();
        long before = server.calls("evalsha");
        for (int i = 0; i < 5; i++) {
            Decision cached = limiter.tryAcquire("key");
            assertThat(cached.blocked()).isTrue();
            assertThat(cached.remaining()).isZero();
            assertThat(cached.retryAfter()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
        }
        assertThat(server.calls("evalsha")).isEqualTo(before);

        limiter.unblock("key");
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(4);
    }

    /** A denial that outlasts the block must not be reported as blocked after it. */
    @Test
    void block_endsBeforeTheDenial_isNoLongerReported() {
        try (RedisStore longCache = RedisStore.builder(server.uri())
                .timeout(TIMEOUT)
                .denialMemory(HOUR)
                .connect()) {
            RateLimiter limiter = limiter(longCache, "1/1h");
            assertThat(limiter.tryAcquire("key").allowed()).isTrue();
            limiter.block("key", Duration.ofSeconds(2));
            assertThat(limiter.tryAcquire("key").blocked()).isTrue();
            Await.until("the end of the block", () -> !limiter.tryAcquire("key").blocked());
            assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        }
    }

    @Test
    void block_anyKeyOfAJointRequest_isReported() {
        RateLimiter user = limiter(timed, "5/1h");
        RateLimiter tenant =
                RateLimiter.builder().name("tenant").limit("9/1h").store(timed).build();
        tenant.block("acme", HOUR);

        Decision denied = RateLimiter.tryAcquireAll(user.request("alice", 1), tenant.request("acme", 2));

        assertThat(denied.blocked()).isTrue();
        assertThat(denied.retryAfter()).isEqualTo(HOUR);
        assertThat(denied.statuses())
                .containsExactly(
                        new Status(0, Limit.parse("5/1h"), 5, 0, 0),
                        new Status(1, Limit.parse("9/1h"), 0, HOUR.toNanos(), 0));
    }

    @Test
    void unblock_keepsGrants_andRemovesAStateThatOnlyBlocked() {
        RateLimiter limiter = limiter(timed, "5/1h");
        limiter.block("only", HOUR);
        assertThat(server.command("EXISTS", "weir:{test:only}")).isEqualTo(1L);
        limiter.unblock("only");
        limiter.unblock("never seen");
        assertThat(server.command("DBSIZE")).isEqualTo(0L);

        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        limiter.block("key", HOUR);
        limiter.unblock("key");
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(3);
    }

    @Test
    void statuses_ofADenialBySeveralLimits_areNeverStale() {
        RateLimiter limiter = limiter(store, "1/1h name=a", "5/1h name=b");
        assertThat(remaining(limiter.tryAcquire("key"))).containsExactly(0L, 4L);
        assertThat(remaining(limiter.tryAcquire("key"))).containsExactly(0L, 4L);

        try (RedisStore elsewhere =
                RedisStore.builder(server.uri()).timeout(TIMEOUT).connect()) {
            assertThat(limiter(elsewhere, "5/1h name=b").tryAcquire("key").remaining())
                    .isEqualTo(3);
        }

        assertThat(remaining(limiter.tryAcquire("key"))).containsExactly(0L, 3L);
    }

    private static byte[] decided(List<PendingRequest> calls) {
        return redis.eval(
                Script.deciding(calls.get(0).requests()).text(),
                ScriptOutputType.VALUE,
                new Keys("weir", null).of(calls.get(0).requests()),
                PackedRequests.of(PackedRequests.SERVER_TIME, List.of(calls), false));
    }

    private static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(Status::remaining).toList();
    }

    /** Equal requests of one script share an entry; the remaining permits fall by those of each request. */
    @Test
    void statuses_ofRequestsInOneScript_fallWithEach() {
        Limits limits = Limits.parse("10/1h name=a", "fixed-window 30/1h name=c");
        List<PendingRequest> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(new PendingRequest(0, List.of(Request.of("test", limits, "key", 2)), 0, false, 0, 1));
        }
        byte[] reply = decided(calls);
        List<Answer> answers = Reply.answers(reply, List.of(calls));

        assertThat(reply.length).as("two entries").isLessThan(300);
        for (int i = 0; i < 5; i++) {
            Decision allowed = answers.get(i).decision();
            assertThat(remaining(allowed)).containsExactly(8L - 2L * i, 28L - 2L * i);
            assertThat(allowed.remaining()).isEqualTo(8 - 2 * i);
        }
        assertThat(answers.get(5).decision().allowed()).isFalse();
        assertThat(remaining(answers.get(5).decision())).containsExactly(0L, 20L);
    }

    @Test
    void statuses_ofOneLimitAndKey_addNothingToTheAnswer() {
        List<PendingRequest> calls = List.of(new PendingRequest(
                0, List.of(Request.of("test", Limits.parse("5/1h count=attempts"), "key", 1)), 0, false, 0, 1));
        byte[] reply = decided(calls);

        assertThat(reply).hasSize(1 + 4 + 3 * 7 + 1 + 14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5/1h", "fixed-window 5/1h", "gcra 5/1h burst=2", "unlimited"})
    void unlimited_amongOthers_isNotStored(String other) {
        RateLimiter limiter = limiter(timed, "unlimited name=free", other);
        Decision allowed = limiter.tryAcquire("key");
        assertThat(allowed.allowed()).isTrue();
        assertThat(remaining(allowed).get(0)).isEqualTo(Long.MAX_VALUE);
        boolean stored = !other.equals("unlimited");
        assertThat(server.command("DBSIZE")).isEqualTo(stored ? 1L : 0L);
        assertThat(allowed.remaining()).isEqualTo(remaining(allowed).get(1));

        limiter.block("key", HOUR);
        assertThat(limiter.tryAcquire("key").blocked()).isTrue();
        limiter.unblock("key");
        limiter.reserve("key", 1, Duration.ZERO).cancel();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    /** The script does not read all 10,000 runs of the log, and the result is exact. */
    @Test
    void inspect_longLog_isBoundedAndExact() {
        int permits = 10_000;
        RateLimiter limiter = limiter(timed, permits + "/1h resolution=1us");
        Instant start = Instant.ofEpochSecond(0, time.nanos());
        Request one = limiter.request("key", 1);
        long filled = RepeatedScript.decide(redis, one, permits, time.nanos() / 1_000, 1_000);
        time.advanceNanos(filled * 1_000 - time.nanos());
        Instant now = Instant.ofEpochSecond(0, time.nanos());

        long before = server.calls("hget");
        LimitSnapshot log = limiter.inspect("key", 3).limits().get(0);
        assertThat(server.calls("hget") - before).isLessThan(60);
        assertThat(log.truncated()).isTrue();
        assertThat(log.remaining()).isZero();
        assertThat(log.runs())
                .containsExactly(new Run(now.minusMillis(2), 1), new Run(now.minusMillis(1), 1), new Run(now, 1));
        assertThat(log.fits().get(0)).isEqualTo(new Fit(1, start.plusMillis(1).plus(HOUR)));
        assertThat(log.fits().get(3)).isEqualTo(new Fit(permits, now.plus(HOUR)));
        assertThat(log.fits()).allSatisfy(fit -> assertThat(fit.at()).isEqualTo(fitOf(limiter, fit.permits(), now)));

        assertThat(limiter.reserve("key", 2, HOUR).decision().waitTime()).isGreaterThan(Duration.ofMinutes(59));
        log = limiter.inspect("key", 3).limits().get(0);
        assertThat(log.pending()).containsExactly(new Run(start.plusMillis(2).plus(HOUR), 2));
        assertThat(log.fits()).allSatisfy(fit -> assertThat(fit.at()).isEqualTo(fitOf(limiter, fit.permits(), now)));

        for (String window : List.of("30m", "90m")) { // each request counts the runs again until one of them writes
            RateLimiter changed = limiter(timed, permits + "/" + window + " resolution=1us");
            before = server.calls("hget");
            log = changed.inspect("key", 3).limits().get(0);
            assertThat(server.calls("hget") - before).isLessThan(60);
            assertThat(log.truncated()).isTrue();
            assertThat(log.remaining()).isEqualTo(changed.peek("key").remaining());
            assertThat(log.fits())
                    .allSatisfy(fit -> assertThat(fit.at()).isEqualTo(fitOf(changed, fit.permits(), now)));
        }

        time.advance(HOUR.multipliedBy(2));
        before = server.calls("hget");
        log = limiter.inspect("key", 3).limits().get(0);
        assertThat(server.calls("hget") - before).isLessThan(60);
        assertThat(log.runs()).isEmpty();
        assertThat(log.truncated()).isFalse();
        assertThat(log.remaining()).isEqualTo(permits);
    }

    /** A script moves few of the reservations that are due; the others count where they are. */
    @Test
    void inspect_manyReservationsDue_reportsThoseThatCount() {
        RateLimiter limiter = limiter(timed, "1/1s resolution=1us");
        Instant start = Instant.ofEpochSecond(0, time.nanos());
        reserve(limiter, 40);
        time.advance(Duration.ofMillis(30_500));

        LimitSnapshot log = limiter.inspect("key").limits().get(0);
        assertThat(log.runs()).containsExactly(new Run(start.plusSeconds(30), 1));
        assertThat(log.pending())
                .hasSize(9)
                .startsWith(new Run(start.plusSeconds(31), 1))
                .endsWith(new Run(start.plusSeconds(39), 1));
        assertThat(log.truncated()).isFalse();
    }

    @Test
    void inspect_emptyWindowBeforeAnother_isNotReported() {
        RateLimiter limiter = limiter(timed, "fixed-window 1/1s align=first");
        Instant start = Instant.ofEpochSecond(0, time.nanos());
        reserve(limiter, 3).get(1).cancel(); // does not wait for the server
        Await.until(() -> limiter.inspect("key").limits().get(0).pending().size() == 1);

        LimitSnapshot windows = limiter.inspect("key").limits().get(0);
        assertThat(windows.runs()).containsExactly(new Run(start, 1));
        assertThat(windows.pending()).containsExactly(new Run(start.plusSeconds(2), 1));
    }

    /** The script reads a bounded number of blocks, also if nothing is left in them. */
    @Test
    void inspect_manyRunsRefunded_saysThatOlderOnesMayBeLeft() {
        RateLimiter limiter = limiter(timed, "2000/1h resolution=1us");
        List<Reservation> granted = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            time.advanceNanos(1_000_000);
            granted.add(limiter.reserve("key", 1, Duration.ZERO));
        }
        granted.subList(50, granted.size()).forEach(Reservation::cancel); // does not wait for the server
        Await.until(() -> limiter.peek("key").remaining() == 1_950);

        LimitSnapshot log = limiter.inspect("key", 3).limits().get(0);
        assertThat(log.runs()).isEmpty();
        assertThat(log.truncated()).isTrue();
    }

    private static List<Reservation> reserve(RateLimiter limiter, int number) {
        return Stream.generate(() -> limiter.reserve("key", 1, HOUR))
                .limit(number)
                .toList();
    }

    private static Instant fitOf(RateLimiter limiter, long permits, Instant now) {
        return now.plus(limiter.peek("key", permits).retryAfter());
    }

    @Test
    void inspect_writesNothing_andLeavesCachedDenials() {
        RateLimiter limiter = limiter(store, "1/1h");
        assertThat(limiter.inspect("other").limits().get(0).remaining()).isEqualTo(1);
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        Object state = server.command("DUMP", "weir:{test:key}");

        KeySnapshot snapshot = limiter.inspect("key");
        assertThat(snapshot.limits().get(0).runs()).hasSize(1);
        assertThat(server.command("DUMP", "weir:{test:key}")).isEqualTo(state);
        long before = server.calls("evalsha");
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(server.calls("evalsha")).as("still cached").isEqualTo(before);
    }

    @Test
    void inspect_storeCloses_failsWithStoreException() {
        RateLimiter limiter = limiter(store, "1/1h");
        store.close();
        assertThatThrownBy(() -> limiter.inspect("key")).isInstanceOf(StoreException.class);
        assertThat(limiter.inspectAsync("key")).isCompletedExceptionally();
        assertThatThrownBy(() -> limiter.unblock("key")).isInstanceOf(StoreException.class);
        Request request = Request.of("test", Limits.parse("1/1h"), "key", 1);
        assertThat(store.peekAsync(request)).isCompletedExceptionally();
        assertThat(store.resetAsync(request)).isCompletedExceptionally();
        assertThat(store.blockAsync(request, 1)).isCompletedExceptionally();
        assertThat(store.reserveAsync(List.of(request), 0)).isCompletedExceptionally();
    }
}
