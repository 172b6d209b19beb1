package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts that receive the name of a key's state in place of that of its hash, as while a slot moves: each answers as
 * usual, or fails and writes nothing. Random calls run as usual on one key; on another one first without the hash, and with it if they fail.
 */
final class ScriptsWithoutHashTest extends TimedScripts {
    private static final int CASES = 3;
    private static final int STEPS = 60;

    private int done;
    private int failed;
    private int divided;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
    void oneLimit_randomCalls_sameAnswerOrFailure(int kind) {
        for (int seed = 0; seed < CASES; seed++) {
            check(new SplittableRandom(1_000L * kind + seed), kind);
        }
        assertThat(done).isGreaterThan(CASES);
    }

    @Test
    void severalLimits_randomCalls_sameAnswerOrFailure() {
        for (int seed = 0; seed < 4 * CASES; seed++) {
            check(new SplittableRandom(seed), seed % 15, (seed + 3) % 15);
        }
        assertThat(done).isGreaterThan(CASES);
        assertThat(divided).isGreaterThan(CASES);
        assertThat(failed).isGreaterThan(CASES);
    }

    /** Most requests need only the state, although the log has blocks. */
    @Test
    void longLog_randomCalls_failOnlyIfTheyNeedTheHash() {
        for (int seed = 0; seed < CASES; seed++) {
            redis.flushall();
            Limits limits = limits(new SplittableRandom(seed), 9);
            runBoth(limits, 300);
            check(new SplittableRandom(seed), limits);
        }
        assertThat(done).isGreaterThan(10 * failed);
        assertThat(failed).isGreaterThan(CASES);
    }

    /** The state of an earlier limit expires and its hash must be removed, which needs the hash. */
    @Test
    void expiredLongLogOfAnotherLimit_needsTheHash() {
        runBoth(Limits.parse("1000/1s resolution=1us"), 300);
        Limits limits = Limits.parse("5/1s name=other");
        runBoth(limits, 1);
        now += Duration.ofHours(2).toMillis() * 1_000;
        failed = 0;

        runBoth(limits, 3);

        assertThat(failed).isEqualTo(1);
    }

    /** The window was longer, which only the states of long and of changed logs contain; this one has no blocks. */
    @Test
    void shortLogOfAChangedLimit_doesNotNeedTheHash() {
        runBoth(Limits.parse("9/2s resolution=1us"), 3);

        runBoth(Limits.parse("9/1s resolution=1us"), 3);

        assertThat(failed).isZero();
    }

    private void runBoth(Limits limits, int times) {
        for (int i = 0; i < times; i++) {
            now += 3;
            runBoth(deciding(List.of(JointRequest.of(List.of(request(limits, "key", 1)), 0)), false));
        }
    }

    private static Limits limits(SplittableRandom random, int... kinds) {
        Limit[] limits = new Limit[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            limits[i] = RandomLimits.KINDS.get(kinds[i]).apply(random);
            limits[i] = i == 0 ? limits[i] : limits[i].named("limit" + i);
        }
        return RandomLimits.scaled(Limits.of(limits));
    }

    private void check(SplittableRandom random, int... kinds) {
        redis.flushall();
        grants.clear();
        check(random, limits(random, kinds));
    }

    private void check(SplittableRandom random, Limits limits) {
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(20) == 0 ? 2_000 : 20);
            runBoth(call(random, limits));
        }
    }

    /** A call of a script: the requests that it decides, if it does, and its arguments. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Call(Script script, List<JointRequest> requests, byte[][] values, boolean peek) {}

    private Call call(SplittableRandom random, Limits limits) {
        List<JointRequest> joint = requests(random, limits);
        List<Request> requests = joint.get(0).requests();
        byte[] time = PackedRequests.time(now);
        int op = random.nextInt(10);
        if (op == 0 && !grants.isEmpty()) {
            byte[] handle = grants.get(random.nextInt(grants.size())).handle();
            byte[][] values = PackedRequests.refund(time, requests, List.of(1L), handle, random.nextBoolean());
            return new Call(Script.REFUND, joint, values, false);
        } else if (op == 1) {
            byte[] micros = Integer.toString(random.nextInt(30)).getBytes(StandardCharsets.US_ASCII);
            byte[][] values = random.nextBoolean() ? new byte[][] {time} : new byte[][] {time, micros};
            return new Call(Script.BLOCK, joint, values, false);
        } else if (op == 2) {
            return new Call(Script.INSPECT, joint, PackedRequests.inspect(time, requests.get(0), 100), true);
        }
        return deciding(joint, op == 3);
    }

    private static List<JointRequest> requests(SplittableRandom random, Limits limits) {
        List<JointRequest> requests = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            long maxWait = random.nextInt(3) == 0 ? random.nextInt(60_000) : 0;
            requests.add(JointRequest.of(List.of(request(limits, "key", 1 + random.nextInt(2))), maxWait));
        }
        return requests;
    }

    private Call deciding(List<JointRequest> requests, boolean peek) {
        byte[][] values = PackedRequests.of(PackedRequests.time(now), List.of(requests), peek);
        return new Call(Script.deciding(requests.get(0).requests()), requests, values, peek);
    }

    private void runBoth(Call call) {
        Object usual = run(call, names("usual"));
        byte[][] names = names("other");
        String before = stored("other");
        Object other = runWithoutHash(call, names);
        if (other == null) {
            assertThat(stored("other")).isEqualTo(before);
            other = run(call, names);
            failed++;
        } else {
            done++;
        }
        if (call.script.decides()) {
            assertSameAnswers(call, answers(call, usual), answers(call, other), names);
        } else {
            assertThat(other).isEqualTo(usual);
        }
    }

    /** Compares answers; requests that were not decided without the hash are sent again with it. */
    private void assertSameAnswers(Call call, List<Answer> usual, List<Answer> other, byte[][] names) {
        List<Answer> all = new ArrayList<>(other);
        all.removeIf(Answer::isUndecided);
        if (all.size() < usual.size()) {
            assertThat(all).isNotEmpty();
            divided++;
            Call rest = deciding(call.requests.subList(all.size(), usual.size()), call.peek);
            all.addAll(answers(rest, run(rest, names)));
        }
        for (int i = 0; i < usual.size(); i++) {
            assertThat(all.get(i).decision()).isEqualTo(usual.get(i).decision());
            assertThat(all.get(i).handle()).isEqualTo(usual.get(i).handle());
            if (usual.get(i).handle().length > 0) {
                grants.add(new Granted(
                        call.requests.get(i).requests().get(0).limits(),
                        usual.get(i).handle()));
            }
        }
    }

    private static List<Answer> answers(Call call, @Nullable Object reply) {
        return Reply.answers((byte[]) reply, List.of(call.requests));
    }

    private static byte[][] names(String key) {
        return KEYS.of(List.of(request(Limits.parse("1/1s"), key, 1)));
    }

    private static Object run(Call call, byte[][] names) {
        return redis.evalsha(call.script.digest(), call.script.output(), names, call.values);
    }

    /** Returns null if the call fails because it needs the hash. */
    private static @Nullable Object runWithoutHash(Call call, byte[][] names) {
        try {
            return run(call, Keys.withoutHash(names));
        } catch (RedisCommandExecutionException failure) {
            assertThat(Errors.isMoving(failure)).as(failure.getMessage()).isTrue();
            return null;
        }
    }

    /** Returns what the server has of a key. */
    private static String stored(String key) {
        byte[][] names = names(key);
        Map<String, String> blocks = new TreeMap<>();
        redis.hgetall(names[1])
                .forEach((field, value) -> blocks.put(
                        HexFormat.of().formatHex(field), HexFormat.of().formatHex(value)));
        byte[] state = redis.get(names[0]);
        return (state == null ? "none" : HexFormat.of().formatHex(state)) + blocks;
    }
}
