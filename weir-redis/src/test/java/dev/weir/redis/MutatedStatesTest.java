package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged states, truncated or with bytes changed or added: a script rejects one, or decides as if it were valid. It never loops,
 * and never answers with a negative number.
 */
final class MutatedStatesTest {
    private static final int MUTATIONS = Integer.getInteger("weir.mutations", 700); // of each state
    private static final long LONG_WAIT = TimeUnit.DAYS.toNanos(1);
    private static final byte[] KEY = "weir:{test:key}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] BLOCKS = "weir:{test:key}b".getBytes(StandardCharsets.UTF_8);
    private static final String STORE = """
            redis.call('DEL', KEYS[2])
            if ARGV[2] then redis.call('HSET', KEYS[2], unpack(ARGV, 2)) end
            return redis.call('SET', KEYS[1], ARGV[1])""";
    private static StoreAtTime at;
    private static RedisCommands<byte[], byte[]> redis;
    private static RedisStore store;

    private int rejected;
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3/10s resolution=1us",
                "20/10s resolution=1us",
                "400/10s resolution=1us", // with blocks
                "token-bucket 20/10s",
                "fixed-window 20/10s align=first",
                "20/10s resolution=1us & gcra 20/1s burst=20 & fixed-window 30/1m"
            })
    void state_mutated_isRejectedOrDecided(String text) {
        Limits limits = Limits.parse(text.split(" & "));
        redis.flushall();
        at.set(StoreAtTime.START);
        Request request = Request.of("test", limits, "key", 1);
        long most = limits.list().get(0).permits();
        for (int i = 0; i < most * 3 / 2; i++) {
            at.pass(1_000);
            store.reserve(List.of(request), i < most || most == 3 ? LONG_WAIT : 0);
        }
        byte[] state = redis.get(KEY);
        Map<byte[], byte[]> blocks = redis.hgetall(BLOCKS);
        SplittableRandom random = new SplittableRandom(text.hashCode());
        for (int i = 0; i < MUTATIONS; i++) {
            List<byte[]> stored = new ArrayList<>(List.of(state));
            blocks.forEach((field, value) -> stored.addAll(List.of(field, value)));
            int which = blocks.isEmpty() || random.nextInt(3) > 0 ? 0 : 2 + 2 * random.nextInt(blocks.size());
            stored.set(which, mutated(stored.get(which), random));
            redis.eval(STORE, ScriptOutputType.STATUS, new byte[][] {KEY, BLOCKS}, stored.toArray(byte[][]::new));
            at.pass(random.nextInt(3) == 0 ? random.nextInt(10_000_000) : 0);
            decide(request.limits(), random.nextLong(1, most + 1), random.nextBoolean() ? LONG_WAIT : 0);
            at.set(StoreAtTime.START + 1_000 * (most * 3 / 2));
        }
        assertThat(rejected).as("rejected").isPositive();
        assertThat(decided).as("decided").isPositive();
        assertThat(rejected + decided).isEqualTo(MUTATIONS);
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
        try {
            Decision decision = store.reserve(List.of(request), maxWait).decision();
            assertThat(decision.remaining()).isNotNegative();
            assertThat(decision.waitNanos()).isNotNegative();
            assertThat(decision.retryAfterNanos()).isNotNegative();
            assertThat(decision.resetAfterNanos()).isNotNegative();
            decided++;
        } catch (StoreException damaged) {
            assertThat(damaged).hasMessageContaining("Redis refused: ");
            rejected++;
        }
    }

    private static byte[] mutated(byte[] bytes, SplittableRandom random) {
        int at = random.nextInt(bytes.length);
        byte[] changed;
        switch (random.nextInt(3)) {
            case 0 -> changed = Arrays.copyOf(bytes, at);
            case 1 -> {
                changed = bytes.clone();
                changed[at] ^= (byte) (1 + random.nextInt(255));
            }
            default -> {
                changed = Arrays.copyOf(bytes, bytes.length + 1);
                System.arraycopy(bytes, at, changed, at + 1, bytes.length - at);
                changed[at] = (byte) random.nextInt(256);
            }
        }
        return changed;
    }
}
