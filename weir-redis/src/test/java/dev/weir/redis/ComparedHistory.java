package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.store.StoreReservation;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A history of one key, on Redis and in memory. */
abstract class ComparedHistory {
    static final long SECOND = 1_000_000; // in microseconds, like all times here

    static final byte[] KEY = "weir:{test:key}".getBytes(StandardCharsets.US_ASCII);
    static final byte[] BLOCKS = "weir:{test:key}b".getBytes(StandardCharsets.US_ASCII);

    static StoreAtTime at;
    static RedisCommands<byte[], byte[]> commands;
    static RedisStore redis;

    final MemoryStore memory =
            MemoryStore.builder().timeSource(() -> at.now() * 1_000).build();

    /** A reservation on Redis and in memory. */
    record Pair(StoreReservation there, StoreReservation here) {
        void refund(long permits) {
            there.refund(permits);
            here.refund(permits);
        }

        void assertEqual() {
            assertThat(described(there.decision())).isEqualTo(described(here.decision()));
        }

        private static String described(Decision decision) {
            return decision.allowed() + ", remaining " + decision.remaining() + ", wait " + decision.waitNanos()
                    + ", retry after " + decision.retryAfterNanos() + ", reset after " + decision.resetAfterNanos();
        }
    }

    @BeforeAll
    static void start() {
        at = StoreAtTime.start();
        commands = at.commands(ByteArrayCodec.INSTANCE);
        redis = at.store;
    }

    @AfterAll
    static void stop() {
        at.close();
    }

    @BeforeEach
    void reset() {
        at.set(StoreAtTime.START);
        Blocking.reset(redis, request(Limits.parse("1/1s"), 1));
    }

    static Request request(Limits limits, long permits) {
        return Request.of("test", limits, "key", permits);
    }

    Pair reserve(Limits limits, long permits, long maxWait) {
        List<Request> requests = List.of(request(limits, permits));
        return new Pair(redis.reserve(requests, maxWait * 1_000), memory.reserve(requests, maxWait * 1_000));
    }

    /** Reserves a permit at the end of a block, so at any instant that has room. */
    Pair reserveAfter(Limits limits, long micros) {
        block(limits, micros);
        Pair pair = reserve(limits, 1, 3_600 * SECOND);
        unblock(limits);
        pair.assertEqual();
        return pair;
    }

    void block(Limits limits, long micros) {
        Blocking.block(memory, request(limits, 1), micros * 1_000);
        Blocking.block(redis, request(limits, 1), micros * 1_000);
    }

    void unblock(Limits limits) {
        Blocking.unblock(memory, request(limits, 1));
        Blocking.unblock(redis, request(limits, 1));
    }

    /** Grants single permits, the given time apart. */
    void fill(Limits limits, int count, long apart) {
        long last = RepeatedScript.decide(commands, request(limits, 1), count, at.now(), apart);
        for (int i = 0; i < count; i++) {
            at.pass(apart);
            assertThat(memory.decide("test", limits, "key", 1).allowed()).isTrue();
        }
        assertThat(at.now()).isEqualTo(last);
    }

    static boolean isAllowed(Limits limits, long permits, long maxWait) {
        return redis.reserve(List.of(request(limits, permits)), maxWait * 1_000)
                .decision()
                .allowed();
    }

    static long waitOf(Pair pair) {
        return pair.there.decision().waitNanos() / 1_000;
    }
}
