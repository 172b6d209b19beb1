package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Runs scripts on keys with long histories and returns their times: those of the server's processor, which other processes do not
 * lengthen. A time that is too long is compared with that of a script whose time on an idle machine is known, because a busy one has
 * less of its caches left.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
abstract class TimedScripts {
    static final long BOUND_MICROS = 5_000;
    private static final Pattern SECONDS = Pattern.compile("used_cpu_(?:user|sys)_main_thread:([0-9.]+)");
    private static final String YARDSTICK = """
            local call, key, sum = redis.call, KEYS[1], 0
            call('DEL', key)
            for i = 1, 40 do
              local state = call('GET', key) or string.rep('0', 63)
              local a, b, c, d, e, f, g, h, j = struct.unpack('>I7I7I7I7I7I7I7I7I7', state)
              local m = { a = a, b = b, c = c, d = d, e = e, f = f, g = g, h = h, j = j, parts = {} }
              for n = 1, 9 do m.parts[#m.parts + 1] = struct.pack('>I7', state:byte(n) + i) end
              call('SET', key, table.concat(m.parts), 'PX', 60000)
              sum = sum + m.a
            end
            return sum""";
    private static final int YARDSTICK_MICROS = 250; // on an idle AMD EPYC
    static final Keys KEYS = new Keys("weir", null);
    static final long DAY = TimeUnit.DAYS.toNanos(1);

    static RedisServer server;
    static RedisClient client;
    static StatefulRedisConnection<byte[], byte[]> connection;
    static RedisCommands<byte[], byte[]> redis;

    long now = 1_700_000_000_000_000L; // microseconds
    final List<Granted> grants = new ArrayList<>();

    record Granted(Limits limits, byte[] handle) {}

    record Timed(long micros, Object answer) {}

    record Invocation(Script script, List<Request> requests, byte[][] values) {}

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
    void flush() {
        redis.flushall();
    }

    static Request request(Limits limits, String key, long permits) {
        return Request.of("test", limits, key, permits);
    }

    Invocation deciding(Limits limits, long permits, long maxWaitNanos, boolean peek) {
        List<Request> requests = List.of(request(limits, "key", permits));
        List<List<JointRequest>> groups = List.of(List.of(JointRequest.of(requests, maxWaitNanos)));
        return new Invocation(
                Script.deciding(requests), requests, PackedRequests.of(PackedRequests.time(now), groups, peek));
    }

    static Object run(Invocation call, String key) {
        List<Request> requests = call.requests.stream()
                .map(each -> request(each.limits(), key, each.permits()))
                .toList();
        return redis.evalsha(call.script.digest(), call.script.output(), KEYS.of(requests), call.values);
    }

    /** Runs a call on the key itself, and records the grant if there is one. */
    void apply(Invocation call) {
        Object answer = run(call, "key");
        if (answer instanceof byte[] packed && call.script.decides()) {
            Answer first = Reply.answers(packed, List.of(List.of(JointRequest.of(call.requests, 0))))
                    .get(0);
            if (first.handle().length > 0) {
                grants.add(new Granted(call.requests.get(0).limits(), first.handle()));
            }
        }
    }

    /** Grants single permits, the given time apart. */
    void fill(Limits limits, int count, long apartMicros) {
        now = RepeatedScript.decide(redis, request(limits, "key", 1), count, now, apartMicros);
    }

    void wait(Limits limits, int waiters, long permits) {
        for (int i = 0; i < waiters; i++) {
            apply(deciding(limits, permits, DAY, false));
        }
    }

    /** Runs a script. Its time in microseconds is that of an idle machine if it is above a bound. */
    static Timed timed(Supplier<Object> script, long bound) {
        Timed timed = timed(script);
        return timed.micros <= bound ? timed : new Timed((long) (timed.micros / slowness()), timed.answer);
    }

    /** Returns how many times longer than on an idle machine scripts take now; at least 1. */
    private static double slowness() {
        long fastest = Long.MAX_VALUE;
        byte[][] key = {"yardstick".getBytes(StandardCharsets.US_ASCII)};
        for (int i = 0; i < 4; i++) {
            Timed timed = timed(() -> redis.eval(YARDSTICK, ScriptOutputType.INTEGER, key));
            fastest = Math.min(fastest, timed.micros);
        }
        return Math.max(1.0, (double) fastest / YARDSTICK_MICROS);
    }

    private static Timed timed(Supplier<Object> script) {
        double before = processorSeconds();
        Object answer = script.get();
        return new Timed(Math.round((processorSeconds() - before) * 1e6), answer);
    }

    private static double processorSeconds() {
        double seconds = SECONDS.matcher(redis.info("cpu"))
                .results()
                .mapToDouble(part -> Double.parseDouble(part.group(1)))
                .sum();
        assertThat(seconds).isPositive();
        return seconds;
    }
}
