package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.testing.RedisServer;
import io.lettuce.core.CopyArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No script runs longer than 5 ms, whatever it is asked. Times are the server's, by {@code commandstats}. A call that seems too slow
 * is repeated on a copy of its key, because the machine may be busy with something else; the fastest run counts.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
final class BoundedScriptsTest {
    private static final long BOUND_MICROS = 5_000;
    private static final long SECONDS = Long.getLong("weir.worst.seconds", 7);
    private static final Pattern MICROS = Pattern.compile("cmdstat_evalsha:calls=\\d+,usec=(\\d+)");
    private static final Keys KEYS = new Keys("weir", null);
    private static final long DAY = TimeUnit.DAYS.toNanos(1);

    private static RedisServer server;
    private static RedisClient client;
    private static StatefulRedisConnection<byte[], byte[]> connection;
    private static RedisCommands<byte[], byte[]> redis;

    private long now = 1_700_000_000_000_000L; // microseconds
    private final List<Granted> grants = new ArrayList<>();
    private long slowest;

    private record Question(List<Request> requests, long maxWaitNanos) implements JointRequest {}

    private record Granted(Limits limits, byte[] handle) {}

    private record Invocation(Script script, List<Request> requests, byte[][] values) {}

    private record Timed(long micros, byte[] answer) {}

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        client = RedisClient.create();
        connection = client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(server.uri()));
        redis = connection.sync();
        for (Script script : Script.values()) {
            redis.scriptLoad(script.text());
        }
    }

    @AfterAll
    static void stop() {
        connection.close();
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void forgetEverything() {
        redis.flushall();
    }

    private static Request request(Limits limits, String key, long permits) {
        return Request.of("test", limits, key, permits);
    }

    private Invocation deciding(Limits limits, long permits, long maxWaitNanos, boolean look) {
        List<Request> requests = List.of(request(limits, "key", permits));
        List<List<Question>> groups = List.of(List.of(new Question(requests, maxWaitNanos)));
        return new Invocation(
                Script.deciding(requests), requests, PackedRequests.of(PackedRequests.time(now), groups, look));
    }

    private static Object run(Invocation call, String key) {
        List<Request> requests = call.requests.stream()
                .map(each -> request(each.limits(), key, each.permits()))
                .toList();
        return redis.evalsha(call.script.digest(), call.script.output(), KEYS.of(requests), call.values);
    }

    /** Runs a call on copies of the key until it is fast enough. Returns its time in microseconds. */
    private long micros(Invocation call, long bound) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 8 && least > bound; i++) {
            byte[][] from = KEYS.of(List.of(request(Limits.parse("1/1s"), "key", 1)));
            byte[][] to = KEYS.of(List.of(request(Limits.parse("1/1s"), "copy", 1)));
            redis.del(to);
            redis.copy(from[0], to[0], CopyArgs.Builder.replace(true));
            redis.copy(from[1], to[1], CopyArgs.Builder.replace(true));
            redis.configResetstat();
            run(call, "copy");
            least = Math.min(least, micros());
        }
        slowest = Math.max(slowest, least);
        return least;
    }

    private void assertBounded(Invocation call, long bound, String what) {
        assertThat(micros(call, bound)).as(what).isLessThanOrEqualTo(bound);
    }

    /** Runs a call on the key itself, and remembers it if it was granted. */
    private void apply(Invocation call) {
        Object answer = run(call, "key");
        if (answer instanceof byte[] packed && call.script.decides()) {
            Answer first = Reply.answers(packed, List.of(List.of(new Question(call.requests, 0))))
                    .get(0);
            if (first.handle().length > 0) {
                grants.add(new Granted(call.requests.get(0).limits(), first.handle()));
            }
        }
    }

    /** Grants single permits, the given time apart. */
    private void fill(Limits limits, int count, long apartMicros) {
        List<RedisFuture<Object>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            now += apartMicros;
            Invocation call = deciding(limits, 1, 0, false);
            sent.add(connection
                    .async()
                    .evalsha(call.script.digest(), ScriptOutputType.VALUE, KEYS.of(call.requests), call.values));
            if (sent.size() == 1_000) {
                await(sent);
            }
        }
        await(sent);
    }

    private static void await(List<RedisFuture<Object>> sent) {
        sent.forEach(each -> assertThat(each.toCompletableFuture()
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join())
                .isNotNull());
        sent.clear();
    }

    private void wait(Limits limits, int waiters, long permits) {
        for (int i = 0; i < waiters; i++) {
            apply(deciding(limits, permits, DAY, false));
        }
    }

    private Invocation refund(int which, long permits) {
        Granted granted = grants.get(which % grants.size());
        List<Request> requests = List.of(request(granted.limits, "key", permits));
        return new Invocation(
                Script.REFUND,
                requests,
                PackedRequests.refund(PackedRequests.time(now), requests, List.of(permits), granted.handle, true));
    }

    private Invocation acting(Script script, Limits limits, byte[]... more) {
        byte[][] values = new byte[1 + more.length][];
        values[0] = PackedRequests.time(now);
        System.arraycopy(more, 0, values, 1, more.length);
        return new Invocation(script, List.of(request(limits, "key", 1)), values);
    }

    @Test
    void longLog_expiredOrDeniedOrChanged_takesTwoMilliseconds() {
        Limits limits = Limits.parse("200000/20s resolution=1us");
        fill(limits, 200_000, 60);
        assertBounded(deciding(limits, 200_000, 0, false), 2_000, "denial of all permits");
        assertBounded(deciding(limits, 100_000, 0, false), 2_000, "denial of half");
        assertBounded(deciding(Limits.parse("200000/20001ms resolution=1us"), 1, 0, false), 2_000, "longer window");
        assertBounded(deciding(Limits.parse("200000/10s resolution=1us"), 1, 0, false), 2_000, "half the window");
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
        assertBounded(deciding(limits, 1, 0, false), 600, "denied");
        assertBounded(deciding(limits, 60_000, 0, false), 600, "denied all");
        assertBounded(deciding(limits, 1, 0, true), 600, "peeked");
        assertBounded(deciding(limits, 1, DAY, false), 600, "reserved");
        assertBounded(refund(500, 1), 600, "cancelled");
        assertBounded(deciding(Limits.parse("60000/61s resolution=1us"), 1, 0, false), BOUND_MICROS, "changed window");
        assertBounded(acting(Script.INSPECT, limits, inspection(limits)), BOUND_MICROS, "inspected");
        now += 10_000_000;
        assertBounded(deciding(limits, 1, DAY, false), BOUND_MICROS, "after some started");
    }

    /** A script stops when it has worked for long enough, but decides on some of the keys. */
    @ParameterizedTest
    @CsvSource({"fixed-window 1/1s, 0", "fixed-window 1/1s align=first, 0", "fixed-window 1/1s, 1", "1/1s, 0"})
    void batchOfKeysWithManyWaiters_isBounded(String text, long maxWaitDays) {
        Limits limits = Limits.parse(text);
        wait(limits, 1_000, 1);
        List<Request> requests = onKeys(32, limits);
        List<List<Question>> groups = requests.stream()
                .map(each -> List.of(new Question(List.of(each), maxWaitDays * DAY)))
                .toList();
        Timed fastest = fastest(requests, groups);
        assertThat(fastest.micros).isLessThanOrEqualTo(BOUND_MICROS);
        assertThat(Reply.answers(fastest.answer, groups))
                .anyMatch(answer -> !answer.isUndecided())
                .allMatch(answer -> answer.isUndecided() || answer.decision().allowed() == (maxWaitDays > 0));
    }

    /** The largest joint requests, whatever is asked: they cannot be divided. */
    @ParameterizedTest
    @CsvSource({"1000/1s resolution=1us, 600", "1/1s, 1000", "sliding-window 100/1s buckets=10 estimate=classic, 1000"})
    void jointRequest_onLogsWithManyWaiters_isBounded(String text, int waiters) {
        Limits limits = Limits.parse(text);
        fill(limits, (int) limits.list().get(0).permits(), 1);
        wait(limits, waiters, 1);
        for (String asked : List.of(text, text.replace("/1s", "/2s"))) {
            List<Request> requests = onKeys(Decider.MAX_LIMITS, Limits.parse(asked));
            for (long maxWaitNanos : new long[] {0, DAY}) {
                List<List<Question>> groups = List.of(List.of(new Question(requests, maxWaitNanos)));
                assertThat(fastest(requests, groups).micros)
                        .as("%s, at most %s ns", asked, maxWaitNanos)
                        .isLessThanOrEqualTo(BOUND_MICROS);
            }
        }
    }

    private static List<Request> onKeys(int number, Limits limits) {
        return IntStream.range(0, number)
                .mapToObj(i -> request(limits, "key" + i, 1))
                .toList();
    }

    /** Runs a script on copies of the key until it is fast enough. */
    private Timed fastest(List<Request> requests, List<List<Question>> groups) {
        byte[][] from = KEYS.of(List.of(request(Limits.parse("1/1s"), "key", 1)));
        byte[][] to = KEYS.of(requests);
        Timed fastest = null;
        for (int i = 0; i < 8 && (fastest == null || fastest.micros > BOUND_MICROS); i++) {
            redis.del(to);
            for (int name = 0; name < to.length; name++) {
                redis.copy(from[name % 2], to[name], CopyArgs.Builder.replace(true));
            }
            Timed timed = timed(groups, false);
            fastest = fastest == null || timed.micros < fastest.micros ? timed : fastest;
        }
        return fastest;
    }

    /** Runs a script that decides. */
    private Timed timed(List<List<Question>> groups, boolean look) {
        List<Request> requests =
                groups.stream().flatMap(each -> each.get(0).requests().stream()).toList();
        Script script = Script.deciding(requests);
        redis.configResetstat();
        byte[] answer = redis.evalsha(
                script.digest(),
                script.output(),
                KEYS.of(requests),
                PackedRequests.of(PackedRequests.time(now), groups, look));
        return new Timed(micros(), answer);
    }

    /** Returns the time of scripts since the statistics were reset, in microseconds. */
    private static long micros() {
        Matcher micros = MICROS.matcher(redis.info("commandstats"));
        assertThat(micros.find()).isTrue();
        return Long.parseLong(micros.group(1));
    }

    /** The largest joint requests, on several times as many keys: the fastest of each counts. */
    @ParameterizedTest
    @CsvSource({"64, 1", "4, 16"})
    void largestJointRequest_anyAnswer_isBounded(int keys, int limitsOfKey) {
        assertThat(keys * limitsOfKey).isEqualTo(Decider.MAX_LIMITS);
        for (List<String> kinds : List.of(
                List.of("%d/10s resolution=1us"),
                List.of("%d/10s", "gcra %d/10s burst=3", "fixed-window %d/10s", "sliding-window %d/10s"))) {
            long[] least = new long[5];
            Arrays.fill(least, Long.MAX_VALUE);
            for (int i = 0; i < 6; i++) {
                String start = "joint" + i + "-";
                Limits limits = several(kinds, limitsOfKey);
                long[] micros = {
                    joint(start, keys, limits, 0, 1),
                    joint(start, keys, limits, 0, 1),
                    joint(start, keys, limits, 0, 5), // does not fit
                    joint(start, keys, limits, DAY, 1),
                    joint(start, keys, several(kinds, limitsOfKey, "/11s"), DAY, 3)
                };
                Arrays.setAll(least, j -> Math.min(least[j], micros[j]));
            }
            assertThat(Arrays.stream(least).max().orElseThrow())
                    .as("admitted, again, denied, waiting, changed: %s under %s", Arrays.toString(least), kinds)
                    .isLessThanOrEqualTo(BOUND_MICROS);
        }
    }

    private static Limits several(List<String> kinds, int number, String... window) {
        return Limits.of(IntStream.range(0, number)
                .mapToObj(i -> Limit.parse(kinds.get(i % kinds.size())
                                .replace("%d", Integer.toString(3 + i % 2))
                                .replace("/10s", window.length == 0 ? "/10s" : window[0]))
                        .named("n" + i))
                .toArray(Limit[]::new));
    }

    /** Returns the time of a joint request, in microseconds. */
    private long joint(String start, int keys, Limits limits, long maxWaitNanos, long permits) {
        now += 100;
        List<Request> requests = IntStream.range(0, keys)
                .mapToObj(i -> request(limits, start + i, permits))
                .toList();
        return timed(List.of(List.of(new Question(requests, maxWaitNanos))), false).micros;
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
        "fixed-window 10/1s align=first, 10, 10, 1024"
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
                assertBounded(call, BOUND_MICROS, text + ", seed " + seed + ", call " + i + ", " + call.script);
                if (call.script != Script.RESET) {
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
        Limits asked = limits;
        if (random.nextInt(8) == 0) {
            asked = Limits.parse(text.replaceFirst("/\\d+s", "/" + random.nextInt(1, 20) + "s"));
        } else if (random.nextInt(8) == 0) {
            asked = Limits.parse(
                    text + " name=a", "gcra 5/1s burst=3 name=b", text.replaceFirst("/\\d+s", "/30s") + " name=c");
        }
        return switch (random.nextInt(10)) {
            case 0 -> deciding(asked, permits, 0, true);
            case 1 -> grants.isEmpty() ? acting(Script.UNBLOCK, asked) : refund(random.nextInt(1 << 20), 1);
            case 2 ->
                acting(
                        Script.BLOCK,
                        asked,
                        Long.toString(random.nextLong(2_000_000)).getBytes(StandardCharsets.US_ASCII));
            case 3 -> acting(Script.INSPECT, asked, inspection(asked));
            case 4 -> acting(Script.RESET, asked);
            case 5, 6 -> deciding(asked, permits, 0, false);
            default -> deciding(asked, permits, random.nextInt(3) == 0 ? DAY : random.nextLong(2_000_000_000L), false);
        };
    }
}
