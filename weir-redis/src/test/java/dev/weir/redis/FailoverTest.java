package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A primary watched by sentinels fails, and its replica takes over. */
final class FailoverTest {
    private static final int PERMITS = 200;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final String LIMIT = PERMITS + "/10s resolution=1us";
    private static final Duration TIMEOUT = Duration.ofSeconds(1); // long enough for a busy machine
    private static final int DOWN_AFTER_MILLIS = 2_000; // long enough that a busy machine does not count as down

    /**
     * The worst case: the replica has none of the primary's writes. The limit counts from zero once: a window
     * that spans the failover holds up to 2N, any other N.
     */
    @Test
    void primaryKilled_writesLost_atMostOnceTheLimitMore() {
        try (RedisSentinels redis = RedisSentinels.start(RedisServer.binaries().get(0), DOWN_AFTER_MILLIS);
                RedisStore store =
                        RedisStore.builder(redis.uri()).timeout(TIMEOUT).connect()) {
            redis.stopReplication();
            try (Hammer hammer = new Hammer(store, LIMIT, 4, "key")) {
                Await.until("a full window", () -> hammer.trace().permits() == PERMITS);
                hammer.awaitAnswers(100);
                redis.primary().kill();
                hammer.awaitFailures(1);
                redis.awaitFailover();
                Await.until("recovery", () -> hammer.trace().permits() > PERMITS);
                hammer.awaitAnswers(1_000);
                hammer.stop();

                long between = hammer.trace().firstNanos()
                        + (hammer.trace().lastNanos() - hammer.trace().firstNanos()) / 2;
                Limit limit = Limit.parse(LIMIT);
                hammer.trace().between(Long.MIN_VALUE, between).assertHolds(limit);
                hammer.trace().between(between, Long.MAX_VALUE).assertHolds(limit);
                hammer.trace().assertHolds(Limit.slidingLog(2 * PERMITS, WINDOW));
                assertThat(hammer.trace().permits())
                        .as("permits in the worst case")
                        .isGreaterThan(PERMITS);
            }
        }
    }

    /** The sentinels leave the former primary as it is for ten seconds, in which it answers as before. */
    @Test
    void plannedFailover_formerPrimaryStillAnswers_newOneIsUsed() {
        List<String> events = new CopyOnWriteArrayList<>();
        try (RedisSentinels redis = RedisSentinels.start(RedisServer.binaries().get(0), DOWN_AFTER_MILLIS);
                RedisStore store = RedisStore.builder(redis.uri())
                        .timeout(TIMEOUT)
                        .listener(new StoreEvents(events))
                        .connect()) {
            Await.until("a connection", () -> answers(store));
            events.clear();

            redis.firstSentinel().command("SENTINEL", "FAILOVER", RedisSentinels.NAME);
            redis.awaitFailover();
            Await.until("a decision of the new primary", () -> {
                answers(store);
                return redis.replica().calls("evalsha") > 0;
            });

            assertThat(events).as("the connection was not lost").isEmpty();
        }
    }

    /** The replica has all writes. The primary's connections stay open, so the store must notice the failure itself. */
    @Test
    void primaryHangs_everythingReplicated_theLimitHolds() {
        try (RedisSentinels redis = RedisSentinels.start(RedisServer.binaries().get(0), DOWN_AFTER_MILLIS);
                RedisStore store = RedisStore.builder(redis.uri())
                        .timeout(Duration.ofSeconds(5))
                        .connect()) {
            Await.until("a connection", () -> answers(store));
            for (int i = 0; i < 3; i++) {
                assertThat(allowed(store)).isTrue();
            }
            redis.awaitReplication();

            redis.primary().pause();
            redis.awaitFailover();
            Await.until("recovery", () -> answers(store));

            assertThat(allowed(store)).isTrue();
            assertThat(allowed(store)).isTrue();
            assertThat(allowed(store)).isFalse();
            redis.primary().resume();
        }
    }

    /** Charts for Kubernetes usually configure sentinels this way. */
    @Test
    void sentinelsWithThePasswordOfTheServer_areUsed() {
        try (RedisSentinels redis = RedisSentinels.start(RedisServer.binaries().get(0), DOWN_AFTER_MILLIS)) {
            String withPassword = redis.uri().replace("://", "://:secret@");
            try (RedisStore store =
                    RedisStore.builder(withPassword).timeout(TIMEOUT).connect()) {
                Await.until("a connection without a password", () -> answers(store));
            }
            redis.setPassword("secret");
            try (RedisStore store =
                            RedisStore.builder(withPassword).timeout(TIMEOUT).connect();
                    RedisStore without =
                            RedisStore.builder(redis.uri()).timeout(TIMEOUT).connect()) {
                Await.until("a connection", Duration.ofSeconds(30), () -> answers(store));
                assertThat(answers(without)).isFalse();
            }
        }
    }

    /** The sentinel may be on the failed primary's machine. By default the client waits for it for a minute. */
    @Test
    void sentinelHangs_connectionLost_anotherOneIsUsed() {
        try (RedisSentinels redis = RedisSentinels.start(RedisServer.binaries().get(0), DOWN_AFTER_MILLIS);
                RedisStore store =
                        RedisStore.builder(redis.uri()).timeout(TIMEOUT).connect()) {
            Await.until("a connection", () -> answers(store));
            redis.firstSentinel().pause();
            redis.primary().command("CLIENT", "KILL", "TYPE", "normal");
            Await.until("the loss", () -> !answers(store));

            Await.until("recovery", Duration.ofSeconds(30), () -> answers(store));
            redis.firstSentinel().resume();
        }
    }

    /** For example after a restart without its state, or if it cannot reach the others and misses a failover. */
    @Test
    void sentinelDoesNotKnowThePrimary_anotherOneIsUsed() {
        AtomicInteger losses = new AtomicInteger();
        try (RedisSentinels redis = RedisSentinels.start(RedisServer.binaries().get(0), DOWN_AFTER_MILLIS);
                RedisStore store = RedisStore.builder(redis.uri())
                        .timeout(TIMEOUT)
                        .listener(new StoreListener() {
                            @Override
                            public void storeDown(StoreException failure) {
                                losses.incrementAndGet();
                            }
                        })
                        .connect()) {
            Await.until("a connection", () -> answers(store));

            redis.firstSentinel().command("SENTINEL", "REMOVE", RedisSentinels.NAME);
            try (RedisStore another =
                    RedisStore.builder(redis.uri()).timeout(TIMEOUT).connect()) {
                Await.until("a connection", Duration.ofSeconds(30), () -> answers(another));
            }
            redis.firstSentinel()
                    .command(
                            "SENTINEL",
                            "MONITOR",
                            RedisSentinels.NAME,
                            "127.0.0.1",
                            Integer.toString(redis.replica().port()),
                            "3");
            int before = losses.get();
            redis.primary().command("CLIENT", "KILL", "TYPE", "normal");
            Await.until("the loss", () -> losses.get() > before); // it may be over when this thread runs again
            Await.until("recovery", Duration.ofSeconds(30), () -> answers(store));
        }
    }

    private static boolean allowed(RedisStore store) {
        return store.decide("test", Limits.parse("5/1h"), "key", 1).allowed();
    }

    private static boolean answers(RedisStore store) {
        try {
            store.decide("test", Limits.parse("5/1h"), "probe", 1);
            return true;
        } catch (StoreException notYet) {
            return false;
        }
    }
}
