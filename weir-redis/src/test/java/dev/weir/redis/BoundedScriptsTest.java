package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import io.lettuce.core.CopyArgs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No script runs longer than 5 ms, whatever its arguments. A call that seems too slow is repeated on a copy of its key, because the
 * machine may be busy with something else; the fastest run counts.
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
        assertBounded(acting(Script.INSPECT, limits, inspection(limits)), BOUND_MICROS, "inspected");
        now += 10_000_000;
        assertBounded(deciding(limits, 1, DAY, false), BOUND_MICROS, "after some started");
    }

    private static byte[][] inspection(Limits limits) {
        byte[][] values = PackedRequests.inspect(PackedRequests.time(0), request(limits, "key", 1), 1_000);
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
            case 3 -> acting(Script.INSPECT, used, inspection(used));
            case 4 -> acting(Script.RESET, used);
            case 5, 6 -> deciding(used, permits, 0, false);
            default -> deciding(used, permits, random.nextInt(3) == 0 ? DAY : random.nextLong(2_000_000_000L), false);
        };
    }
}
