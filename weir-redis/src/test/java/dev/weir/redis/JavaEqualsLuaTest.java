package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testkit.ManualClock;
import dev.weir.testkit.TraceProperty;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory and Redis decide alike: random traces through both, every field of every decision compared. Memory counts in
 * nanoseconds and the server in microseconds, so a limit of 20 ns there is one of 20 us here.
 */
final class JavaEqualsLuaTest {
    private static final int CASES = 150;
    private static final int STEPS = 60;
    private static final long START = 1_000_000;

    private static final RedisClient CLIENT = RedisClient.create();
    private static final List<RedisServer> SERVERS = new ArrayList<>();
    private static final List<RedisStore> STORES = new ArrayList<>();
    private static final List<StatefulRedisConnection<byte[], byte[]>> CONNECTIONS = new ArrayList<>();
    private static long time;
    private static int traces;

    private enum Op {
        TRY,
        RESERVE,
        PEEK,
        GIVE_BACK,
        CHANGE,
        TOGETHER,
        BATCH,
        BLOCK,
        RESET,
        BACK // the last: most traces do without
    }

    private record Question(List<Claim> claims, long maxWaitNanos) implements Ask {}

    private record Step(long pass, Op op, long permits, long maxWait, int which) {}

    private static final List<Function<SplittableRandom, Limit>> LIMITS = List.of(
            random -> new Limit.SlidingLog(
                    "", permits(random), 20, 1 + random.nextInt(20), Limit.Count.ADMITTED, random.nextInt(3)),
            random -> new Limit.SlidingLog("", permits(random), 20, 1 + random.nextInt(6), Limit.Count.ATTEMPTS, 0),
            random -> new Limit.SlidingWindow(
                    "", permits(random), 20, 1 + random.nextInt(6), Limit.Estimate.CONSERVATIVE),
            random -> new Limit.SlidingWindow("", permits(random), 20, 1 + random.nextInt(6), Limit.Estimate.CLASSIC),
            random -> new Limit.FixedWindow("", permits(random), 10 + random.nextInt(20), Limit.Align.CLOCK),
            random -> new Limit.FixedWindow("", permits(random), 10 + random.nextInt(20), Limit.Align.FIRST),
            random -> new Limit.Gcra("", permits(random), 5 + random.nextInt(20), 1 + random.nextInt(4)),
            random -> new Limit.TokenBucket("", permits(random), 5 + random.nextInt(20), 1 + random.nextInt(8)),
            random -> new Limit.LeakyBucket("", permits(random), 5 + random.nextInt(20), 1 + random.nextInt(8)),
            random -> new Limit.SlidingLog(
                    "", 500 + random.nextInt(500), 700 + random.nextInt(800), 1, Limit.Count.ADMITTED, 0),
            random -> new Limit.SlidingLog(
                    "", 1 + random.nextInt(50), 60, 1 + random.nextInt(3), Limit.Count.ADMITTED, random.nextInt(2)),
            random -> new Limit.SlidingWindow(
                    "", 1 + random.nextInt(250), 400, 1 + random.nextInt(400), Limit.Estimate.CONSERVATIVE));

    @BeforeAll
    static void start() {
        for (Path binary : RedisServer.binaries()) {
            RedisServer server = RedisServer.start(binary);
            SERVERS.add(server);
            CONNECTIONS.add(CLIENT.connect(ByteArrayCodec.INSTANCE, RedisURI.create(server.uri())));
            STORES.add(RedisStore.builder(server.uri())
                    .timeout(Duration.ofSeconds(5))
                    .clock(() -> 1_000 * time)
                    .connect());
        }
    }

    @AfterAll
    static void stop() {
        CLIENT.shutdown();
        STORES.forEach(RedisStore::close);
        SERVERS.forEach(RedisServer::close);
    }

    private static long permits(SplittableRandom random) {
        return random.nextLong(1, 8);
    }

    private static Step step(SplittableRandom random) {
        long pass = random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(8) == 0 ? 60 : 6);
        Op op = Op.values()[random.nextInt(8) < 5 ? random.nextInt(2) : random.nextInt(Op.values().length - 1)];
        return new Step(
                pass, op, 1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 2), random.nextInt(60), random.nextInt(64));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void oneLimit_anyTrace_decidesAlike(int kind) {
        TraceProperty.check(1000L * kind, CASES, STEPS, JavaEqualsLuaTest::step, trace -> new Run(trace, kind).check());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void severalLimits_anyTrace_decidesAlike(int limits) {
        TraceProperty.check(77_000L * limits, 5 * CASES, STEPS, JavaEqualsLuaTest::step, trace -> {
            int[] kinds = new int[limits];
            for (int i = 0; i < limits; i++) {
                kinds[i] = (trace.get(0).which + 3 * i + (int) trace.get(0).permits) % LIMITS.size();
            }
            new Run(trace, kinds).check();
        });
    }

    /** So many bookings that the server keeps most of them in blocks. */
    @Test
    void longLog_anyTrace_decidesAlike() {
        TraceProperty.check(
                5_000_000L,
                CASES / 10,
                20 * STEPS,
                JavaEqualsLuaTest::mostlyBookings,
                trace -> new Run(trace, 9).check());

        for (RedisServer server : SERVERS) {
            RedisClient client = RedisClient.create(server.uri());
            assertThat(client.connect().sync().keys("weir:{m:*}b")).as("blocks").isNotEmpty();
            client.shutdown();
        }
    }

    /** So many that the ends of the log are read and written without the rest, but seldom enough for blocks. */
    @ParameterizedTest
    @ValueSource(ints = {10, 11})
    void mediumLog_anyTrace_decidesAlike(int kind) {
        TraceProperty.check(
                6_000_000L + 1000L * kind,
                CASES / 3,
                8 * STEPS,
                JavaEqualsLuaTest::mostlyBookings,
                trace -> new Run(trace, kind).check());
    }

    /** By less than the shortest window: both sides stand still. Memory remembers having denied, the server does not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void oneLimit_clockStepsBackALittle_decidesAlike(int kind) {
        TraceProperty.check(
                300_000L + 1000L * kind,
                CASES / 2,
                STEPS,
                JavaEqualsLuaTest::withStepsBack,
                trace -> new Run(trace, kind).check());
    }

    private static Step withStepsBack(SplittableRandom random) {
        List<Op> ops = List.of(Op.TRY, Op.TRY, Op.TRY, Op.RESERVE, Op.RESERVE, Op.PEEK, Op.BACK, Op.BACK, Op.CHANGE);
        Op op = ops.get(random.nextInt(ops.size()));
        long pass = op == Op.BACK || random.nextBoolean() ? 0 : random.nextInt(6);
        return new Step(pass, op, 1 + random.nextInt(2), random.nextInt(60), random.nextInt(64));
    }

    private static Step mostlyBookings(SplittableRandom random) {
        int kind = random.nextInt(40);
        Op op = kind == 0 ? Op.CHANGE : kind < 5 ? Op.GIVE_BACK : kind < 7 ? Op.BATCH : kind < 12 ? Op.RESERVE : Op.TRY;
        int which = random.nextInt(1 << 20);
        return new Step(random.nextInt(4), op, random.nextInt(8) == 0 ? 2 : 1, random.nextInt(4) == 0 ? 200 : 0, which);
    }

    private static final class Run {
        private final List<Step> trace;
        private final List<Limits> limits = new ArrayList<>();
        private final ManualClock clock = new ManualClock(START);
        private final Store memory = MemoryStore.builder().clock(clock).build();
        private final RedisStore redis;
        private final String key = "key" + traces++;
        private final List<Booking[]> bookings = new ArrayList<>();
        private final List<Long> left = new ArrayList<>();
        private Limits current;
        private long latest; // request
        private boolean wrote; // on the server, at the latest request

        Run(List<Step> trace, int... kinds) {
            this.trace = trace;
            this.redis = STORES.get(trace.get(0).which % STORES.size());
            for (int i = 0; i < 4; i++) {
                SplittableRandom random = new SplittableRandom(i + 31L * trace.get(0).which);
                List<Limit> list = new ArrayList<>();
                for (int kind : kinds) {
                    list.add(LIMITS.get(kind).apply(random));
                }
                limits.add(Limits.of(list.toArray(Limit[]::new)));
            }
            current = limits.get(0);
        }

        void check() {
            for (Step step : trace) {
                clock.advanceNanos(step.pass);
                time = clock.nanos();
                switch (step.op) {
                    case TRY ->
                        same(
                                memory.decide("m", current, key, step.permits),
                                redis.decide("m", scaled(current), key, step.permits),
                                step);
                    case PEEK -> {
                        boolean before = wrote && clock.nanos() <= latest;
                        same(memory.peek(here(key, step)), redis.peek(there(key, step)), step);
                        wrote = before;
                    }
                    case BACK -> {
                        if (wrote) {
                            clock.setNanos(latest - 1 - step.which % 5);
                        }
                    }
                    case RESERVE -> book(List.of(here(key, step)), List.of(there(key, step)), step, step.maxWait);
                    case TOGETHER ->
                        book(
                                List.of(here(key, step), here(key + "-2", step)),
                                List.of(there(key, step), there(key + "-2", step)),
                                step,
                                step.maxWait);
                    case BATCH -> batch(step);
                    case GIVE_BACK -> giveBack(step);
                    case CHANGE -> current = limits.get(step.which % limits.size());
                    case BLOCK -> {
                        memory.block(here(key, step), step.maxWait);
                        redis.block(there(key, step), step.maxWait * 1000);
                    }
                    case RESET -> {
                        if (step.which % 4 == 0) {
                            memory.reset(here(key, step));
                            redis.reset(there(key, step));
                            clock.advanceNanos(1); // no two calls come at the same time, if one of them is a reset
                        }
                    }
                }
            }
        }

        private Claim here(String key, Step step) {
            return new Claim("m", current, key, step.permits);
        }

        private Claim there(String key, Step step) {
            return new Claim("m", scaled(current), key, step.permits);
        }

        private void book(List<Claim> here, List<Claim> there, Step step, long maxWait) {
            booked(memory.book(here, maxWait), redis.book(there, maxWait * 1000), step.permits, step);
        }

        private void booked(Booking mine, Booking other, long permits, Step step) {
            same(mine.decision(), other.decision(), step);
            if (mine.decision().allowed()) {
                bookings.add(new Booking[] {mine, other});
                left.add(permits);
            }
        }

        /** Several groups in one call, each of several requests, equal ones in a row among them. */
        private void batch(Step step) {
            SplittableRandom random = new SplittableRandom(step.which);
            List<List<String>> keys = List.of(List.of(key), List.of(key + "-2", key + "-3"), List.of(key + "-4"));
            List<List<Question>> groups = new ArrayList<>();
            for (List<String> together : keys.subList(random.nextInt(2), 1 + random.nextInt(1, 3))) {
                List<Question> group = new ArrayList<>();
                for (int kinds = random.nextInt(1, 4); kinds > 0; kinds--) {
                    long unlike = random.nextInt(4) == 0 ? 1 : 0;
                    long permits = random.nextLong(1, 3);
                    long maxWait = random.nextInt(3) == 0 ? random.nextLong(60) : 0;
                    List<Claim> claims = new ArrayList<>();
                    for (String one : together) {
                        claims.add(new Claim("m", current, one, permits + unlike * claims.size()));
                    }
                    group.addAll(Collections.nCopies(random.nextInt(1, 6), new Question(claims, maxWait)));
                }
                groups.add(group);
            }
            List<Answer> answers = askInOneScript(groups.stream()
                    .map(group -> group.stream().map(Run::there).toList())
                    .toList());
            Iterator<Answer> next = answers.iterator();
            for (Question asked : groups.stream().flatMap(List::stream).toList()) {
                Answer answer = next.next();
                List<Claim> claims = there(asked).claims();
                Booking other = new RedisBooking(redis, claims, answer);
                assertThat(answer.nowMicros()).isEqualTo(time);
                booked(
                        memory.book(asked.claims(), asked.maxWaitNanos()),
                        other,
                        asked.claims().get(0).permits(),
                        step);
            }
        }

        private static Question there(Question asked) {
            List<Claim> claims = asked.claims().stream()
                    .map(one ->
                            new Claim(one.limiter(), JavaEqualsLuaTest.scaled(one.limits()), one.key(), one.permits()))
                    .toList();
            return new Question(claims, asked.maxWaitNanos() * 1000);
        }

        private void giveBack(Step step) {
            if (bookings.isEmpty()) {
                return;
            }
            int i = step.which % bookings.size();
            long rest = left.get(i);
            if (rest > 0) {
                for (Booking booking : bookings.get(i)) {
                    booking.giveBack(step.permits == 1 ? rest : 1);
                }
                left.set(i, step.permits == 1 ? 0 : rest - 1);
            }
        }

        private List<Answer> askInOneScript(List<List<Question>> groups) {
            List<Claim> claims = groups.stream()
                    .flatMap(group -> group.get(0).claims().stream())
                    .toList();
            Decision afterGiveBacks = redis.peek(claims.get(0)); // they are on the store's connection
            assertThat(afterGiveBacks.degraded()).isFalse();
            byte[] packed = CONNECTIONS
                    .get(STORES.indexOf(redis))
                    .sync()
                    .eval(
                            Script.DECIDE.text(),
                            ScriptOutputType.VALUE,
                            new Keys("weir", null).of(claims),
                            PackedAsks.of(PackedAsks.time(time), groups, false));
            return Reply.answers(packed, groups);
        }

        private void same(Decision here, Decision there, Step step) {
            wrote = here.allowed() || (wrote && clock.nanos() <= latest);
            latest = Math.max(latest, clock.nanos());
            String place = step + " at " + clock.nanos() + " under " + current;
            assertThat(there.allowed()).as("allowed, %s", place).isEqualTo(here.allowed());
            assertThat(there.limit()).as("limit, %s", place).isEqualTo(scaled(here.limit()));
            assertThat(there.remaining()).as("remaining, %s", place).isEqualTo(here.remaining());
            assertThat(there.waitNanos()).as("wait, %s", place).isEqualTo(micros(here.waitNanos()));
            assertThat(there.retryAfterNanos()).as("retry, %s", place).isEqualTo(micros(here.retryAfterNanos()));
            assertThat(there.resetAfterNanos()).as("reset, %s", place).isEqualTo(micros(here.resetAfterNanos()));
        }
    }

    private static long micros(long units) {
        return units == Long.MAX_VALUE ? units : units * 1000;
    }

    private static Limits scaled(Limits limits) {
        return Limits.of(limits.list().stream().map(JavaEqualsLuaTest::scaled).toArray(Limit[]::new));
    }

    private static Limit scaled(Limit limit) {
        if (limit instanceof Limit.SlidingLog log) {
            return new Limit.SlidingLog(
                    log.name(),
                    log.permits(),
                    log.windowNanos() * 1000,
                    log.resolutionNanos() * 1000,
                    log.count(),
                    log.marginNanos() * 1000);
        } else if (limit instanceof Limit.SlidingWindow window) {
            return new Limit.SlidingWindow(
                    window.name(), window.permits(), window.windowNanos() * 1000, window.buckets(), window.estimate());
        } else if (limit instanceof Limit.FixedWindow window) {
            return new Limit.FixedWindow(window.name(), window.permits(), window.windowNanos() * 1000, window.align());
        } else if (limit instanceof Limit.TokenBucket bucket) {
            return new Limit.TokenBucket(bucket.name(), bucket.permits(), bucket.windowNanos() * 1000, bucket.burst());
        } else if (limit instanceof Limit.LeakyBucket bucket) {
            return new Limit.LeakyBucket(
                    bucket.name(), bucket.permits(), bucket.windowNanos() * 1000, bucket.capacity());
        }
        Limit.Gcra gcra = (Limit.Gcra) limit;
        return new Limit.Gcra(gcra.name(), gcra.permits(), gcra.windowNanos() * 1000, gcra.burst());
    }
}
