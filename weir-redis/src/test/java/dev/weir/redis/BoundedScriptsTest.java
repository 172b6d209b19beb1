package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import io.lettuce.core.CopyArgs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No script runs longer than 5 ms, whatever its arguments. A call that seems too slow is repeated on a copy of its key, because the
 * machine may be busy with something else; the fastest run counts. Bounds on single steps are counted in commands or seen in answers.
 */
final class BoundedScriptsTest extends TimedScripts {
    private static final long SECONDS = Long.getLong("weir.worst.seconds", 7);

    private long slowest;

    /** Runs a call on copies of the key until it is fast enough. Returns its time in microseconds. */
    private long micros(Invocation call, long bound) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 8 && least > bound; i++) {
            byte[][] from = KEYS.of(List.of(request(Limits.parse("1/1s"), "key", 1)));
            byte[][] to = KEYS.of(List.of(request(Limits.parse("1/1s"), "copy", 1)));
            redis.del(to);
            redis.copy(from[0], to[0], CopyArgs.Builder.replace(true));
            redis.copy(from[1], to[1], CopyArgs.Builder.replace(true));
            least = Math.min(least, timed(() -> run(call, "copy"), bound).micros());
        }
        slowest = Math.max(slowest, least);
        return least;
    }

    private void assertBounded(Invocation call, long bound, String what) {
        assertThat(micros(call, bound)).as(what).isLessThanOrEqualTo(bound);
    }

    private Invocation refund(int which, long permits) {
        Granted granted = grants.get(which % grants.size());
        List<Request> requests = List.of(request(granted.limits(), "key", permits));
        return new Invocation(
                Script.REFUND,
                requests,
                PackedRequests.refund(PackedRequests.time(now), requests, List.of(permits), granted.handle(), true));
    }

    private Invocation acting(Script script, Limits limits, byte[]... more) {
        byte[][] values = new byte[1 + more.length][];
        values[0] = PackedRequests.time(now);
        System.arraycopy(more, 0, values, 1, more.length);
        return new Invocation(script, List.of(request(limits, "key", 1)), values);
    }

    @Test
    void longLog_expiredOrDeniedOrChanged_takesTwoMilliseconds() {
        Limits limits = Limits.parse("100000/20s resolution=1us");
        fill(limits, 100_000, 120);
        assertBounded(deciding(limits, 100_000, 0, false), 2_000, "denial of all permits");
        assertBounded(deciding(limits, 50_000, 0, false), 2_000, "denial of half");
        assertBounded(deciding(Limits.parse("100000/20001ms resolution=1us"), 1, 0, false), 2_000, "longer window");
        assertBounded(deciding(Limits.parse("100000/10s resolution=1us"), 1, 0, false), 2_000, "half the window");
        assertBounded(acting(Script.RESET, limits), 2_000, "reset");
        now += 15_000_000;
        assertBounded(deciding(limits, 1, 0, false), 2_000, "first call after most expired");
        now += 30_000_000;
        assertBounded(deciding(limits, 1, 0, false), 2_000, "first call after all expired");
    }

    @Test
    void longLog_withManyWaiters_isDecidedQuickly() {
        Limits limits = Limits.parse("60000/60s resolution=1us");
        fill(limits, 60_000, 900);
        wait(limits, 1_000, 1);
        assertThat(grants).hasSize(1_000);
        assertBounded(deciding(limits, 1, 0, false), 800, "denied");
        assertBounded(deciding(limits, 60_000, 0, false), 800, "denied all");
        assertBounded(deciding(limits, 1, 0, true), 800, "peeked");
        assertBounded(deciding(limits, 1, DAY, false), 800, "reserved");
        assertBounded(refund(500, 1), 800, "cancelled");
        assertBounded(deciding(Limits.parse("60000/61s resolution=1us"), 1, 0, false), BOUND_MICROS, "changed window");
        assertBounded(acting(Script.INSPECT, limits, inspection(limits, 1_000)), BOUND_MICROS, "inspected");
        now += 10_000_000;
        assertBounded(deciding(limits, 1, DAY, false), BOUND_MICROS, "after some started");
    }

    /** One of two logs that expired; counts commands, because their time is less than the machine's noise. */
    @Test
    void longLogs_expired_fewBlocksAreDroppedAtOnce() {
        Limits limits = Limits.parse("30000/10s resolution=1us name=a", "30000/10s resolution=1us name=b");
        fill(limits, 30_000, 100);
        assertThat(redis.hlen(KEYS.of(List.of(request(limits, "key", 1)))[1])).isGreaterThan(2 * 200);
        now += 60_000_000;
        assertThat(hashCommands(() -> apply(deciding(limits, 1, 0, false)))).isBetween(64L, 80L);
    }

    /** The first request after a burst leaves most of its blocks, and later ones may find their runs in the tail. */
    @Test
    void longLog_expiredAndSeldomUsed_allBlocksAreDropped() {
        Limits limits = Limits.parse("30000/1h resolution=1us");
        fill(limits, 30_000, 100);
        byte[] blocks = KEYS.of(List.of(request(limits, "key", 1)))[1];
        assertThat(redis.hlen(blocks)).isGreaterThan(200);
        now += 7_200_000_000L;
        for (int i = 0; i < 5; i++) {
            now += 60_000_000;
            apply(deciding(limits, 1, 0, false));
        }
        assertThat(redis.exists(blocks)).isZero();
    }

    /** Reservations that are due are moved to the past in parts, so that few of their groups are read and written. */
    @Test
    void reservations_allDue_fewAreMovedAtOnce() {
        Limits limits = Limits.parse("1/1s");
        wait(limits, 1_000, 1);
        now += 900_000_000;
        assertThat(hashCommands(() -> apply(deciding(limits, 1, 0, false)))).isBetween(3L, 10L);
    }

    @Test
    void longLog_oneRunInspected_fewBlocksAreRead() {
        Limits limits = Limits.parse("30000/10s resolution=1us");
        fill(limits, 30_000, 100);
        assertThat(hashCommands(() -> run(acting(Script.INSPECT, limits, inspection(limits, 1)), "key")))
                .isBetween(1L, 6L);
    }

    private static long hashCommands(Runnable call) {
        server.command("CONFIG", "RESETSTAT");
        call.run();
        return server.calls("hget") + server.calls("hset") + server.calls("hdel");
    }

    /** Two permits fit nowhere between reservations that are 1.5 s apart, but none of the gaps is shorter than the window. */
    @Test
    void search_amongManyGaps_stops() {
        wait(Limits.parse("1/1500ms resolution=1us"), 300, 1);
        assertThat(isAllowed(deciding(Limits.parse("2/1s resolution=1us"), 2, DAY, false)))
                .isFalse();
    }

    /** Of four limits one is full in each even second, another in each odd one. */
    @Test
    void search_ofLimitsThatDoNotAgree_stops() {
        for (int free = 0; free < 2; free++) {
            Limits one = Limits.parse("fixed-window 1/1s name=n" + free);
            grants.clear();
            wait(one, 60, 1);
            for (int i = free; i < grants.size(); i += 2) {
                Object unused = run(refund(i, 1), "key");
            }
        }
        Limits all = Limits.parse(IntStream.range(0, 4)
                .mapToObj(i -> "fixed-window 1/1s name=n" + i)
                .toArray(String[]::new));
        assertThat(isAllowed(deciding(all, 1, DAY, false))).isFalse();
    }

    @Test
    void windows_thatHaveNotEnded_areAtMost64() {
        wait(Limits.parse("fixed-window 1/1s"), 100, 1);
        assertThat(grants).hasSize(64);
    }

    @Test
    void limits_renamed_atMost64OthersAreKept() {
        for (int i = 0; i < 100; i++) {
            apply(deciding(Limits.parse("9/1h name=n" + i), 1, 0, false));
        }
        assertThat(redis.strlen(KEYS.of(List.of(request(Limits.parse("1/1s"), "key", 1)))[0]))
                .isEqualTo(25 + 65 * (10 + 88));
    }

    private static boolean isAllowed(Invocation call) {
        List<List<JointRequest>> groups = List.of(List.of(JointRequest.of(call.requests(), 0)));
        return Reply.answers((byte[]) run(call, "key"), groups)
                .get(0)
                .decision()
                .allowed();
    }

    private static byte[][] inspection(Limits limits, int maxRuns) {
        byte[][] values = PackedRequests.inspect(PackedRequests.time(0), request(limits, "key", 1), maxRuns);
        return new byte[][] {values[1], values[2]};
    }

    /** Random histories of all kinds of calls, and the slowest call of each. */
    @ParameterizedTest
    @CsvSource({
        "1000000/1s resolution=1us, 20000, 40, 1000",
        "10000000/60s resolution=1us, 60000, 900, 1",
        "1/1s, 1, 1, 1000",
        "100/10s resolution=1us, 100, 90000, 1000",
        "50000/10s resolution=1us count=attempts, 60000, 150, 0",
        "sliding-window 5000/10s buckets=60 estimate=classic, 5000, 1000, 500",
        "fixed-window 10/1s align=first, 10, 10, 1300"
    })
    void anyHistory_anyCall_isBounded(String text, int filled, long apartMicros, int waiters) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS) / 7;
        for (long seed = 0; seed == 0 || System.nanoTime() < deadline; seed++) {
            SplittableRandom random = new SplittableRandom(seed + 31L * text.hashCode());
            redis.flushall();
            grants.clear();
            Limits limits = Limits.parse(text);
            fill(limits, filled, apartMicros);
            wait(limits, waiters, 1);
            for (int i = 0; i < 40; i++) {
                now += random.nextInt(4) == 0 ? random.nextLong(1, 3_000_000) : random.nextLong(1_000);
                Invocation call = anyCall(limits, text, random);
                assertBounded(call, BOUND_MICROS, text + ", seed " + seed + ", call " + i + ", " + call.script());
                if (call.script() != Script.RESET) {
                    apply(call);
                }
            }
        }
        System.getLogger(BoundedScriptsTest.class.getName())
                .log(System.Logger.Level.INFO, "slowest of {0}: {1} us", text, slowest);
    }

    private Invocation anyCall(Limits limits, String text, SplittableRandom random) {
        long most = limits.list().get(0).permits();
        long permits = random.nextInt(3) > 0 ? 1 : random.nextLong(1, most + 1);
        Limits used = limits;
        if (random.nextInt(8) == 0) {
            used = Limits.parse(text.replaceFirst("/\\d+s", "/" + random.nextInt(1, 20) + "s"));
        } else if (random.nextInt(8) == 0) {
            used = Limits.parse(
                    text + " name=a", "gcra 5/1s burst=3 name=b", text.replaceFirst("/\\d+s", "/30s") + " name=c");
        }
        return switch (random.nextInt(10)) {
            case 0 -> deciding(used, permits, 0, true);
            case 1 -> grants.isEmpty() ? acting(Script.BLOCK, used) : refund(random.nextInt(1 << 20), 1);
            case 2 ->
                acting(
                        Script.BLOCK,
                        used,
                        Long.toString(random.nextLong(2_000_000)).getBytes(StandardCharsets.US_ASCII));
            case 3 -> acting(Script.INSPECT, used, inspection(used, 1_000));
            case 4 -> acting(Script.RESET, used);
            case 5, 6 -> deciding(used, permits, 0, false);
            default -> deciding(used, permits, random.nextInt(3) == 0 ? DAY : random.nextLong(2_000_000_000L), false);
        };
    }
}
