package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rare states: damaged ones, ones whose parts could expire at different times, and the largest numbers. */
final class OddStatesTest {
    private static final long SECOND = 1_000_000; // in microseconds
    private static final String KEY = "weir:{test:key}";
    private static final String BLOCKS = KEY + "b";
    private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static StoreAtTime at;
    private static RedisCommands<String, String> redis;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        at = StoreAtTime.start();
        redis = at.commands(StringCodec.UTF8);
        store = at.store;
    }

    @AfterAll
    static void stop() {
        at.close();
    }

    @BeforeEach
    void flush() {
        redis.flushall();
        at.set(StoreAtTime.START);
    }

    private static Request request(Limits limits, long permits) {
        return Request.of("test", limits, "key", permits);
    }

    private static StoreReservation reserve(Limits limits, long permits, long maxWaitNanos) {
        return store.reserve(List.of(request(limits, permits)), maxWaitNanos);
    }

    private static boolean admitted(Limits limits) {
        return reserve(limits, 1, 0).decision().allowed();
    }

    private static List<StoreReservation> fill(Limits limits, int requests, long apartMicros) {
        List<StoreReservation> reservations = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            at.pass(apartMicros);
            reservations.add(reserve(limits, 1, 0));
            assertThat(reservations.get(i).decision().allowed())
                    .as("request %s", i)
                    .isTrue();
        }
        return reservations;
    }

    /** The expiry of the key is renewed each second because of the short limit only. */
    @Test
    void key_ofAShortLimitAndLongOnes_isKeptForEach() {
        Limits limits = Limits.parse("100/1s", "token-bucket 1000/100d", "fixed-window 900/30d align=first");
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            at.pass(random.nextInt(3) * random.nextLong(SECOND));
            Decision decision = reserve(limits, 1 + random.nextInt(3), 0).decision();
            assertThat(decision.allowed()).isTrue();
            long ttlMillis = redis.pttl(KEY);
            assertThat(decision.statuses())
                    .allSatisfy(status -> assertThat(ttlMillis)
                            .isGreaterThan(TimeUnit.NANOSECONDS.toMillis(status.resetAfterNanos())));
        }
    }

    /** The state holds the expiry of limits that a script does not decode; a write of another part must not shorten it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void key_withLimitsThatAreNotDecoded_keepsItsExpiry(boolean blocked) {
        Limits limits = Limits.parse("10/192s", "20/192s");
        assertThat(admitted(limits)).isTrue();
        long before = redis.pttl(KEY);

        at.pass(24_700_000); // an eighth of the window
        if (blocked) {
            store.blockAsync(request(limits, 1), 1_000_000).join();
        } else {
            assertThat(admitted(Limits.parse("1000/2s name=other"))).isTrue();
        }

        assertThat(redis.pttl(KEY)).isGreaterThan(before - 20_000);
    }

    /** The hash holds the blocks of all logs of a key, so it must not expire with the shortest window. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blocks_ofAShortWindowAndALong_areKeptForTheLong(boolean longFirst) {
        String first = longFirst ? "1000/3h resolution=1us" : "400/1s resolution=1us";
        String second = longFirst ? "400/1s resolution=1us" : "1000/3h resolution=1us";
        Limits limits = Limits.parse(first, second);
        List<StoreReservation> reservations = fill(limits, 390, 1_000);

        assertThat(redis.pttl(BLOCKS)).isGreaterThan(3 * HOUR_MILLIS - 10_000);
        reservations.get(100).refund(1);
        assertThat(Blocking.peek(store, request(limits, 1)).remaining()).isEqualTo(11);
        assertThat(redis.pttl(BLOCKS)).isGreaterThan(3 * HOUR_MILLIS - 10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000/1s resolution=1us", "sliding-window 1000/1s buckets=1000"})
    void blocks_windowGrows_areKeptForTheLonger(String limit) {
        fill(Limits.parse(limit), 500, 1_000);
        assertThat(redis.pttl(BLOCKS)).isPositive();

        assertThat(admitted(Limits.parse(limit.replace("/1s", "/3h")))).isTrue();

        assertThat(redis.pttl(BLOCKS)).isGreaterThan(3 * HOUR_MILLIS - 10_000);
        assertThat(redis.pttl(KEY)).isGreaterThan(3 * HOUR_MILLIS - 10_000);
    }

    @Test
    void blocks_ofARenamedLimit_areDeletedWhenItsGrantsExpired() {
        fill(Limits.parse("1000/1s resolution=1us name=old", "gcra 1/1us burst=1000"), 500, 1_000);
        assertThat(redis.exists(BLOCKS)).isEqualTo(1);
        Limits renamed = Limits.parse("1000/1s resolution=1us name=new", "gcra 1/1us burst=1000");
        assertThat(admitted(renamed)).isTrue();
        assertThat(redis.exists(BLOCKS))
                .as("while grants under the old name count")
                .isEqualTo(1);

        at.pass(2 * SECOND);
        assertThat(admitted(renamed)).isTrue();

        assertThat(redis.exists(BLOCKS)).isZero();
    }

    @Test
    void names_ofOneHash_areRejected() {
        Limits limits = Limits.parse("5/1s name=plumless", "5/1s name=buckeroo");

        assertThatThrownBy(() -> admitted(limits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'plumless' and 'buckeroo'");
    }

    /** For example after an eviction. The permits of a lost block count for up to a window longer. */
    @ParameterizedTest
    @ValueSource(ints = {450, 500})
    void blocks_lost_limitHolds_andAllPermitsReturnAWindowLater(int granted) {
        Limits limits = Limits.parse("500/10s resolution=1us");
        fill(limits, granted, 10_000);
        redis.del(BLOCKS);
        long firstExpires = at.now() - 10_000L * granted + 10 * SECOND;

        int more = 0;
        for (; at.now() < firstExpires; at.pass(50_000)) {
            more += admitted(limits) ? 1 : 0;
            assertThat(reserve(limits, 500, 0).decision().retryAfterNanos()).isPositive();
        }
        assertThat(more).isEqualTo(500 - granted);
        at.pass(10 * SECOND);
        assertThat(Blocking.peek(store, request(limits, 1)).remaining()).isEqualTo(500);
        fill(limits, 500, 1);
    }

    /** Later blocks start after the permits that expired and those that were lost. */
    @Test
    void blocks_lostAfterSomeExpired_laterOnesAreFound() {
        Limits limits = Limits.parse("1000/10s resolution=1us");
        fill(limits, 600, 20_000); // of which 500 count
        redis.del(BLOCKS);
        fill(limits, 400, 1_000);

        Decision denied = reserve(limits, 700, 0).decision(); // fits if 600 expired: 100 of the 400

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfterNanos()).isEqualTo(1_000 * (10 * SECOND - 300 * 1_000));
    }

    @Test
    void blocks_lostUnderFullLoad_allPermitsReturnTwoWindowsLater() {
        Limits limits = Limits.parse("500/10s resolution=1us");
        fill(limits, 450, 10_000);
        redis.del(BLOCKS);
        int admitted = 0;
        for (int i = 0; i < 6_000; i++) {
            at.pass(5_000);
            admitted += admitted(limits) && i >= 4_000 ? 1 : 0;
        }

        assertThat(admitted).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2})
    void block_forEver_retryAfterIsCenturies(long nanos) {
        Limits limits = Limits.parse("5/10s");
        Blocking.block(store, request(limits, 1), nanos);

        Decision denied = reserve(limits, 1, 0).decision();

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfterNanos()).isGreaterThan(TimeUnit.DAYS.toNanos(140 * 365));
    }

    private static List<Request> onManyKeys(int keys, int limitsOfKey) {
        Limits limits = Limits.parse(IntStream.rangeClosed(1, limitsOfKey)
                .mapToObj(i -> "gcra 100/" + i + "s burst=5")
                .toArray(String[]::new));
        return IntStream.range(0, keys)
                .mapToObj(i -> Request.of("test", limits, "key" + i, 1))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"64, 2, 128", "5, 16, 80", "64, 16, 1024"})
    void reserve_moreThan64Limits_isRejected(int keys, int limitsOfKey, int all) {
        List<Request> requests = onManyKeys(keys, limitsOfKey);

        assertThatThrownBy(() -> store.reserve(requests, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a request on Redis may have at most 64 limits on all its keys together, had " + all);
        assertThatThrownBy(() -> store.reserveAsync(requests, 0).join())
                .hasCauseInstanceOf(IllegalArgumentException.class);
        assertThat(redis.dbsize()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"64, 1", "4, 16"})
    void reserve_64Limits_isAnswered(int keys, int limitsOfKey) {
        List<Request> requests = onManyKeys(keys, limitsOfKey);

        StoreReservation reservation = store.reserve(requests, 0);

        assertThat(reservation.decision().allowed()).isTrue();
        reservation.refund(1);
        assertThat(Blocking.peek(store, requests.get(requests.size() - 1)).remaining())
                .isEqualTo(5);
    }

    /** After the clock went backwards, pending reservations count at once, because the time that really passed is unknown. */
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "block", "refund", "other limits"})
    void clock_backwardsBeforeAnyCall_countsPendingReservations(String first) {
        Limits limits = Limits.parse("2/10s resolution=1us name=a");
        List<StoreReservation> reservations = fill(limits, 2, 0);
        assertThat(reserve(limits, 2, TimeUnit.HOURS.toNanos(1)).decision().waitNanos())
                .isEqualTo(TimeUnit.SECONDS.toNanos(10));
        Limits others = Limits.parse("9/10s name=b");
        if (first.equals("other limits")) {
            assertThat(admitted(others)).isTrue();
        }
        at.pass(-100 * SECOND);

        switch (first) {
            case "block" -> Blocking.block(store, request(limits, 1), 0);
            case "refund" -> reservations.get(0).refund(1);
            case "other limits" -> assertThat(admitted(others)).isTrue();
            default -> {}
        }

        assertThat(admitted(limits)).isFalse();
        reservations.get(1).refund(1);
        assertThat(admitted(limits)).isFalse();
    }

    @Test
    void clock_backwardsAfterUnblock_timeOfTheKeyDoesNot() {
        Limits limits = Limits.parse("5/10s name=a", "9/20s name=b");
        fill(limits, 1, 0);
        at.pass(SECOND);
        Blocking.block(store, request(limits, 1), SECOND);
        Blocking.unblock(store, request(limits, 1));
        at.pass(-SECOND / 2);
        assertThat(reserve(limits, 1, 0).decision().timeNanos()).isEqualTo(1_000 * (at.now() + SECOND / 2));
    }

    /** The server's numbers can hold 2^53 - 1 permits of one reservation, but not the sum of many pending ones. */
    @Test
    void reserve_pendingBeyondTheServersNumbers_isDenied() {
        Limits limits = Limits.parse("5000000000000000/1s resolution=1us");
        long most = 5_000_000_000_000_000L;
        assertThat(reserve(limits, most, 0).decision().allowed()).isTrue();

        Decision ahead = reserve(limits, most, TimeUnit.HOURS.toNanos(1)).decision();

        assertThat(ahead.allowed()).isFalse();
        assertThat(ahead.retryAfterNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        at.pass(SECOND);
        assertThat(reserve(limits, most, 0).decision().remaining()).isZero();
    }

    /** The total weight of a log, which includes expired runs, must not exceed the server's numbers. */
    @Test
    void log_totalBeyondTheServersNumbers_continues() {
        Limits limits = Limits.parse("2000000000000000/1s");
        int parts = 200; // so that there are blocks
        int granted = 0;
        for (int i = 0; i < 12 * parts; i++) {
            at.pass(1_000_000 / parts + 1_000);
            granted += reserve(limits, 2_000_000_000_000_000L / parts, 0)
                            .decision()
                            .allowed()
                    ? 1
                    : 0;
        }

        assertThat(granted).isGreaterThan(8 * parts);
    }

    @Test
    void deniedAttempts_beyondTheServersNumbers_areDenied() {
        Limits attempts = Limits.parse("4000000000000000/1h count=attempts");
        Limits few = Limits.parse("10/1m");
        assertThat(reserve(attempts, 4_000_000_000_000_000L, 0).decision().allowed())
                .isTrue();
        assertThat(reserve(few, 10, TimeUnit.HOURS.toNanos(2)).decision().allowed())
                .isTrue();

        for (int i = 0; i < 4; i++) {
            assertThat(reserve(attempts, 4_000_000_000_000_000L, 0).decision().allowed())
                    .isFalse();
        }
        assertThat(reserve(attempts, 1, 0).decision().allowed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "hello",
                "a text of another program",
                "{\"json\": [1, 2, 3]}",
                "\u0000",
                "\u0001",
                "\u0002abc"
            })
    void state_ofAnotherProgram_isReportedAndKept(String text) {
        for (String limit :
                List.of("5/10s", "token-bucket 5/10s", "fixed-window 5/10s", "5/10s resolution=1us count=attempts")) {
            redis.set(KEY, text);

            assertThatThrownBy(() -> admitted(Limits.parse(limit)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("WEIR state of another format");
            assertThat(redis.get(KEY)).isEqualTo(text);
        }
    }

    @Test
    void oneKeyOfMany_invalidState_othersAreDecided() {
        redis.set("weir:{test:odd}", "what is this");
        Limits limits = Limits.parse("1/1h");
        List<CompletableFuture<StoreReservation>> futures = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String key = i % 50 == 7 ? "odd" : "key " + i;
            futures.add(store.reserveAsync(List.of(Request.of("test", limits, key, 1)), 0));
        }
        for (int i = 0; i < 500; i++) {
            if (i % 50 == 7) {
                assertThatThrownBy(futures.get(i)::join)
                        .hasCauseInstanceOf(StoreException.class)
                        .hasMessageContaining("Redis refused: ");
            } else {
                assertThat(futures.get(i).join().decision().allowed()).isTrue();
            }
        }
        assertThat(redis.get("weir:{test:odd}")).isEqualTo("what is this");
    }
}
