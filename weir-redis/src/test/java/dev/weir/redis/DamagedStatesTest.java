package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged states: a script rejects those that no script writes. Its answers never have a negative number. */
final class DamagedStatesTest {
    private static final long LONG_WAIT = TimeUnit.DAYS.toNanos(1);
    private static final byte[] KEY = "weir:{test:key}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] BLOCKS = "weir:{test:key}b".getBytes(StandardCharsets.UTF_8);

    private static final int CHANGES = Integer.getInteger("weir.mutations", 200); // of each state

    private static StoreAtTime at;
    private static RedisCommands<byte[], byte[]> redis;
    private static RedisStore store;

    private @Nullable String rejection; // of the latest request
    private int decided;

    @BeforeAll
    static void start() {
        at = StoreAtTime.start();
        redis = at.commands(ByteArrayCodec.INSTANCE);
        store = at.store;
    }

    @AfterAll
    static void stop() {
        at.close();
    }

    /** How a key came into its state. */
    private enum History {
        LOG("20/10s resolution=1us", 5, 2, 0),
        TWO_LOGS("20/10s resolution=1us name=a & 20/11s resolution=1us name=b", 5, 2, 0),
        WAITING("5/10s resolution=1us", 65, 1, LONG_WAIT), // in two groups
        LONG_LOG("240/10s resolution=1us", 120, 2, 0), // with two blocks of 48 runs
        LONG_WAITING("240/10s resolution=1us", 150, 2, LONG_WAIT), // the latest 30 requests
        TOKEN_BUCKET("token-bucket 20/10s", 5, 2, 0),
        FIXED_WINDOW("fixed-window 20/10s", 5, 2, 0);

        private final String limits;
        private final int requests;
        private final long permits;
        private final long maxWait;

        History(String limits, int requests, long permits, long maxWait) {
            this.limits = limits;
            this.requests = requests;
            this.permits = permits;
            this.maxWait = maxWait;
        }

        Limits limits() {
            return Limits.parse(limits.split(" & "));
        }

        void happen() {
            redis.flushall();
            at.set(StoreAtTime.START);
            for (int i = 0; i < requests; i++) {
                at.pass(1_000);
                assertThat(store.reserve(List.of(Request.of("test", limits(), "key", permits)), maxWait)
                                .decision()
                                .allowed())
                        .isTrue();
            }
        }
    }

    /** The numbers in a state are described in the Lua file of its algorithm; each row is found by one check of the scripts. */
    @ParameterizedTest(name = "{0}, {1} {2} {3}")
    @CsvSource({
        // what, history, part, place, bytes, what is added, permits of the request, whether it may wait, milliseconds
        // before
        "next is after newest, LOG, state, -40, 7, 10000000, 20, true, 0",
        "next is after newest, LOG, state, -40, 7, 10000000, 11, false, 0",
        "next is after newest, TWO_LOGS, state, -40, 7, 10000000, 11, false, 0",
        "weight before next is more than all, LOG, state, -26, 7, 100, 20, true, 0",
        "weight before next is more than all, LOG, state, -26, 7, 100, 1, false, 0",
        "closed is after newest, LOG, state, -19, 7, 10000000, 20, true, 0",
        "closed is after newest, LOG, state, -19, 7, 10000000, 1, false, 1",
        "newest is too late, LOG, state, -61, 7, 18014398509481984, 1, false, 0",
        "newest is too late, TWO_LOGS, state, -61, 7, 18014398509481984, 1, false, 0",
        "weights are too large, LOG, state, -54, 7, 18014398509481984, 1, false, 0",
        "tail is longer, LOG, state, -10, 1, 1, 20, true, 0",
        "run weighs more than all, LOG, state, -62, 1, 100, 1, false, 9999",
        "first section has no bytes, TWO_LOGS, state, 33, 2, -108, 1, false, 0",
        "fraction is more than 1, TOKEN_BUCKET, state, -31, 7, 1000000, 1, false, 0",
        "rate is 0, TOKEN_BUCKET, state, -21, 7, -20, 1, false, 0",
        "arrival is too late, TOKEN_BUCKET, state, -38, 7, 18014398509481984, 1, false, 0",
        "forgotten is in the future, WAITING, rare, 24, 7, 1800000000000000, 1, false, 0",
        "weight before block 0 is more than all, LONG_LOG, rare, 98, 7, 1000, 140, false, 0",
        "weight before the tail is more than all, LONG_LOG, rare, 56, 7, 1000, 140, false, 0",
        "block is after newest, LONG_LOG, 1, 0, 7, 100000000, 140, false, 0",
        "run of a block weighs more than all, LONG_LOG, 1, 116, 1, 253, 140, false, 0",
        "weight of a group is twice, WAITING, q, 24, 8, 4503599627370496, 1, true, 0",
        "first stamp of a group is later, WAITING, q2, 0, 8, 4, 1, true, 0",
        "last stamp of a group is later, WAITING, q2, -24, 8, 4, 1, true, 0",
        "weight of a reservation is twice, WAITING, q2, 8, 8, 4503599627370496, 1, true, 0",
        "block is too early, LONG_WAITING, 1, 0, 7, -20000000, 40, true, 0"
    })
    void state_damaged_isRejected(
            String what,
            History history,
            String part,
            int place,
            int bytes,
            long more,
            long permits,
            boolean waits,
            long millis) {
        history.happen();
        byte[] state = redis.get(KEY);
        int front = Byte.toUnsignedInt(state[state.length - 9]);
        switch (part) {
            case "state" -> redis.set(KEY, added(state, place, bytes, more));
            case "rare" -> redis.set(KEY, added(state, 27 + front + place, bytes, more));
            default -> redis.hset(BLOCKS, field(part), added(redis.hget(BLOCKS, field(part)), place, bytes, more));
        }
        at.pass(1_000 * millis);

        decide(history.limits(), permits, waits ? LONG_WAIT : 0);

        assertThat(rejection).contains("WEIR state is damaged");
    }

    /** Bytes are changed, added or cut off. Such a state is rejected, or decides as if it were valid; no script loops. */
    @ParameterizedTest
    @EnumSource
    void state_changedAtRandom_isRejectedOrDecided(History history) {
        SplittableRandom random = new SplittableRandom(history.limits.hashCode());
        int rejected = 0;
        decided = 0;
        history.happen();
        byte[] state = redis.get(KEY);
        List<Map.Entry<byte[], byte[]>> blocks =
                List.copyOf(redis.hgetall(BLOCKS).entrySet());
        for (int i = 0; i < CHANGES; i++) {
            redis.flushall();
            redis.set(KEY, state);
            blocks.forEach(block -> redis.hset(BLOCKS, block.getKey(), block.getValue()));
            if (blocks.isEmpty() || random.nextBoolean()) {
                redis.set(KEY, changed(state, random));
            } else {
                Map.Entry<byte[], byte[]> block = blocks.get(random.nextInt(blocks.size()));
                redis.hset(BLOCKS, block.getKey(), changed(block.getValue(), random));
            }
            at.set(StoreAtTime.START + 1_000L * history.requests + random.nextInt(10_000_000));
            decide(history.limits(), random.nextLong(1, 21), random.nextBoolean() ? LONG_WAIT : 0);
            rejected += rejection == null ? 0 : 1;
        }
        assertThat(rejected).isPositive();
        assertThat(decided).isPositive().isEqualTo(CHANGES - rejected);
    }

    private static byte[] changed(byte[] bytes, SplittableRandom random) {
        int from = random.nextInt(bytes.length);
        int length = 1 + random.nextInt(Math.min(8, bytes.length - from));
        byte[] others = new byte[random.nextInt(3) > 0 ? length : random.nextInt(9)];
        random.nextBytes(others);
        int behind = bytes.length - from - length;
        return ByteBuffer.allocate(from + others.length + behind)
                .put(bytes, 0, from)
                .put(others)
                .put(bytes, from + length, behind)
                .array();
    }

    /** Adds to a number of a stored value, at a place that is counted from the end if negative. */
    private static byte[] added(byte[] value, int place, int bytes, long more) {
        int from = place < 0 ? value.length + place : place;
        byte[] changed = value.clone();
        BigInteger number = new BigInteger(1, Arrays.copyOfRange(value, from, from + bytes));
        BigInteger sum = number.add(BigInteger.valueOf(more));
        for (int i = 0; i < bytes; i++) {
            changed[from + i] = sum.shiftRight(8 * (bytes - 1 - i)).byteValue();
        }
        return changed;
    }

    /** Returns the name of a field, which begins with the kind and the name of its limit. */
    private static byte[] field(String part) {
        return redis.hkeys(BLOCKS).stream()
                .filter(name -> new String(name, 4, name.length - 4, StandardCharsets.US_ASCII).equals(part))
                .findFirst()
                .orElseThrow();
    }

    /** Only the prefix and as many bytes at the end as given are left: fewer than there were, or one more. */
    @ParameterizedTest
    @CsvSource({"LOG, 1", "LOG, 61", "FIXED_WINDOW, 12", "FIXED_WINDOW, 24", "FIXED_WINDOW, 39"})
    void state_ofAnotherLength_isRejected(History history, int end) {
        history.happen();
        byte[] state = redis.get(KEY);
        byte[] changed = Arrays.copyOf(state, 13 + end);
        System.arraycopy(state, state.length - end, changed, 13, end);
        redis.set(KEY, changed);

        decide(history.limits(), 1, 0);

        assertThat(rejection).contains("WEIR state is damaged");
    }

    @ParameterizedTest
    @EnumSource
    void state_ofAnotherFormat_isRejected(History history) {
        history.happen();
        redis.set(KEY, added(redis.get(KEY), 0, 1, 1));

        decide(history.limits(), 1, 0);

        assertThat(rejection).contains("WEIR state of another format");
    }

    @Test
    void treeOfBlocks_missing_isRejected() {
        History.LONG_LOG.happen();
        redis.hdel(BLOCKS, field("1:0"));

        decide(History.LONG_LOG.limits(), 140, 0);

        assertThat(rejection).contains("WEIR state is damaged: a part is missing");
    }

    /** If a changed prefix were accepted, a renamed limit would start without its grants. */
    @ParameterizedTest
    @ValueSource(strings = {"3/10s", "3/10s & token-bucket 3/10s", "fixed-window 3/10s"})
    void prefix_anyByteChanged_isRejected(String text) {
        Limits limits = Limits.parse(text.split(" & "));
        redis.flushall();
        at.set(StoreAtTime.START);
        for (int i = 0; i < 3; i++) {
            store.reserve(List.of(Request.of("test", limits, "key", 1)), 0);
        }
        byte[] state = redis.get(KEY);
        int prefix = limits.list().size() > 1 ? 25 + 10 : 0; // after the head of the key and that of the section
        for (int at = prefix; at < prefix + 13; at++) {
            for (int change = 1; change < 256; change += change < 16 ? 1 : 16) {
                byte[] changed = state.clone();
                changed[at] ^= (byte) change;
                redis.set(KEY, changed);
                decided = 0;
                decide(limits, 1, 0);
                assertThat(decided).as("byte %s changed by %s", at, change).isZero();
            }
        }
    }

    /** If it were kept, the key would expire before its grants. */
    @ParameterizedTest
    @ValueSource(strings = {"9/10s", "token-bucket 9/10s", "fixed-window 9/10s align=first"})
    void expiry_tooFarInTheFuture_isRenewed(String text) {
        Limits limits = Limits.parse(text);
        redis.flushall();
        at.set(StoreAtTime.START);
        decide(limits, 1, 0);
        at.pass(1_000);
        decide(limits, 1, 0);
        byte[] state = redis.get(KEY);
        int expires = 20; // after the prefix and the time of creation
        for (int at = expires; at < expires + 3; at++) {
            byte[] changed = state.clone();
            changed[at] = (byte) (changed[at] + 1);
            redis.set(KEY, changed, SetArgs.Builder.px(1_000));
            decided = 0;
            decide(limits, 1, 0);
            assertThat(decided).isEqualTo(1);
            assertThat(redis.pttl(KEY)).as("time to live, byte %s", at).isGreaterThan(10_000);
        }
    }

    /** Otherwise the fast path could not decide a short window that is stored with a long one. */
    @Test
    void expiry_ofAShortWindowBesideALong_isThatOfTheShort() {
        Limits limits = Limits.parse("1000/1s resolution=1us", "100000/1h");
        redis.flushall();
        at.set(StoreAtTime.START);
        for (int i = 0; i < 200; i++) { // more than one block
            at.pass(1_000);
            decide(limits, 1, 0);
        }
        int expires = 25 + 10 + 20; // after the heads of the key and of the section, the prefix and the creation
        long micros = ByteBuffer.wrap(redis.get(KEY)).getLong(expires - 1) & ((1L << 56) - 1);
        assertThat(decided).isEqualTo(200);
        assertThat(micros - at.now()).isBetween(0L, 5_000_000L);
    }

    private void decide(Limits limits, long permits, long maxWait) {
        Request request = Request.of("test", limits, "key", permits);
        rejection = null;
        try {
            Decision decision = store.reserve(List.of(request), maxWait).decision();
            assertThat(decision.remaining()).isNotNegative();
            assertThat(decision.waitNanos()).isNotNegative();
            assertThat(decision.retryAfterNanos()).isNotNegative();
            assertThat(decision.resetAfterNanos()).isNotNegative();
            decided++;
        } catch (StoreException damaged) {
            assertThat(damaged).hasMessageStartingWith("Redis refused: ");
            rejection = damaged.getMessage();
        }
    }
}
