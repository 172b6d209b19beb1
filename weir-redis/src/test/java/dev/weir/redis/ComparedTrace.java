package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import dev.weir.testing.RedisServer;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A random trace that is run in memory and on Redis; the answers must be equal. Memory counts in nanoseconds and the
 * server in microseconds, so a limit of 20 ns in memory is one of 20 us on Redis.
 */
final class ComparedTrace {
    private static final List<StoreAtTime> STORES = new ArrayList<>();
    private static final List<RedisCommands<byte[], byte[]>> COMMANDS = new ArrayList<>();
    private static final Keys NAMES = new Keys("weir", null);
    private static int traces;

    private record Place(Step step, long now, Limits limits) {}

    static void startServers() {
        for (Path binary : RedisServer.binaries()) {
            StoreAtTime store = StoreAtTime.start(binary);
            STORES.add(store);
            COMMANDS.add(store.commands(ByteArrayCodec.INSTANCE));
        }
    }

    static void stopServers() {
        STORES.forEach(StoreAtTime::close);
        STORES.clear();
        COMMANDS.clear();
    }

    /** Returns connections to all servers. */
    static List<RedisCommands<byte[], byte[]>> servers() {
        return COMMANDS;
    }

    private final List<Step> trace;
    private final List<Limits> choices = new ArrayList<>();
    private long now; // of the server's clock, in units; memory's time does not advance if it is set back
    private final Store memory = MemoryStore.builder().timeSource(() -> now).build();
    private final int server;
    private final StoreAtTime at;
    private final RedisStore redis;
    private final String key = "key" + traces++;
    private final ScaledLimits scaled = new ScaledLimits();
    private final List<StoreReservation[]> reservations = new ArrayList<>();
    private final List<Long> refundable = new ArrayList<>();
    private Limits current;
    private long latest; // request
    private boolean wrote; // on the server, at the latest request

    /**
     * Prepares to run a trace.
     *
     * @param change whether limits change; if not, they are only added and removed
     * @param start the time of the first step
     * @param limits creates the limits of the key
     */
    ComparedTrace(boolean change, List<Step> trace, long start, List<Function<SplittableRandom, Limit>> limits) {
        this.trace = trace;
        this.now = start;
        this.server = trace.get(0).which() % STORES.size();
        this.at = STORES.get(server);
        this.redis = at.store;
        for (int i = 0; i < 4; i++) {
            SplittableRandom random =
                    new SplittableRandom((change ? i : 0) + 31L * trace.get(0).which());
            List<Limit> list = new ArrayList<>();
            for (Function<SplittableRandom, Limit> limit : limits) {
                list.add(limit.apply(random).named("n" + list.size()));
            }
            if (i == 3 && list.size() > 1) {
                list.remove(trace.get(0).which() % list.size());
            }
            choices.add(Limits.of(list.toArray(Limit[]::new)));
        }
        current = choices.get(0);
    }

    void check() {
        for (Step step : trace) {
            now += step.pass();
            at.set(now);
            switch (step.op()) {
                case TRY ->
                    same(
                            memory.decide("m", current, key, step.permits()),
                            redis.decide("m", scaled.of(current), key, step.permits()),
                            step);
                case PEEK -> {
                    boolean before = wrote && now <= latest;
                    same(Blocking.peek(memory, here(key, step)), Blocking.peek(redis, there(key, step)), step);
                    wrote = before;
                }
                case BACK -> {
                    if (wrote) {
                        now = latest - 1 - step.which() % 5;
                    }
                }
                case RESERVE -> reserve(List.of(here(key, step)), List.of(there(key, step)), step, maxWait(step));
                case TOGETHER ->
                    reserve(
                            List.of(here(key, step), here(key + "-2", step)),
                            List.of(there(key, step), there(key + "-2", step)),
                            step,
                            step.maxWait());
                case BATCH -> batch(step);
                case REFUND -> refund(step);
                case CHANGE -> current = choices.get(step.which() % choices.size());
                case BLOCK -> {
                    Blocking.block(memory, here(key, step), step.maxWait());
                    Blocking.block(redis, there(key, step), step.maxWait() * 1000);
                }
                case UNBLOCK -> {
                    Blocking.unblock(memory, here(key, step));
                    Blocking.unblock(redis, there(key, step));
                }
                case INSPECT -> {
                    int maxRuns = step.which() % 2 == 0 ? step.which() / 2 % 4 : 1_000;
                    SameAnswers.assertSame(
                            Blocking.inspect(redis, there(key, step), maxRuns),
                            Blocking.inspect(memory, here(key, step), maxRuns),
                            place(step));
                    wrote = wrote && now <= latest;
                    latest = Math.max(latest, now);
                }
                case RESET -> {
                    if (step.which() % 4 == 0) {
                        Blocking.reset(memory, here(key, step));
                        Blocking.reset(redis, there(key, step));
                        now++; // a reset and another call never have the same time
                    }
                }
            }
        }
    }

    private Request here(String key, Step step) {
        return Request.of("m", current, key, step.permits());
    }

    private Request there(String key, Step step) {
        return Request.of("m", scaled.of(current), key, step.permits());
    }

    /** Returns 0 after the clock went backwards: a request that may wait makes the server compensate that, memory never does. */
    private long maxWait(Step step) {
        return latest > now ? 0 : step.maxWait();
    }

    private void reserve(List<Request> here, List<Request> there, Step step, long maxWait) {
        compareReserved(memory.reserve(here, maxWait), redis.reserve(there, maxWait * 1000), step.permits(), step);
    }

    private void compareReserved(StoreReservation inMemory, StoreReservation onRedis, long permits, Step step) {
        same(inMemory.decision(), onRedis.decision(), step);
        if (inMemory.decision().allowed()) {
            reservations.add(new StoreReservation[] {inMemory, onRedis});
            refundable.add(permits);
        }
    }

    /** Decides several groups in one call, each of several requests, some of them equal and in a row. */
    private void batch(Step step) {
        SplittableRandom random = new SplittableRandom(step.which());
        List<List<String>> keys = List.of(List.of(key), List.of(key + "-2", key + "-3"), List.of(key + "-4"));
        List<List<JointRequest>> groups = new ArrayList<>();
        for (List<String> together : keys.subList(random.nextInt(2), 1 + random.nextInt(1, 3))) {
            List<JointRequest> group = new ArrayList<>();
            for (int kinds = random.nextInt(1, 4); kinds > 0; kinds--) {
                long unlike = random.nextInt(4) == 0 ? 1 : 0;
                long permits = random.nextLong(1, 3);
                long maxWait = random.nextInt(3) == 0 ? random.nextLong(60) : 0;
                List<Request> requests = new ArrayList<>();
                for (String one : together) {
                    requests.add(Request.of("m", current, one, permits + unlike * requests.size()));
                }
                group.addAll(Collections.nCopies(random.nextInt(1, 6), JointRequest.of(requests, maxWait)));
            }
            groups.add(group);
        }
        List<Answer> answers = decideInOneScript(groups.stream()
                .map(group -> group.stream().map(this::there).toList())
                .toList());
        Iterator<Answer> next = answers.iterator();
        for (JointRequest request : groups.stream().flatMap(List::stream).toList()) {
            Answer answer = next.next();
            List<Request> requests = there(request).requests();
            StoreReservation other = new RedisReservation(this::refund, requests, answer);
            compareReserved(
                    memory.reserve(request.requests(), request.maxWaitNanos()),
                    other,
                    request.requests().get(0).permits(),
                    step);
        }
    }

    private JointRequest there(JointRequest request) {
        List<Request> requests = request.requests().stream()
                .map(one -> Request.of(one.limiter(), scaled.of(one.limits()), one.key(), one.permits()))
                .toList();
        return JointRequest.of(requests, request.maxWaitNanos() * 1000);
    }

    private void refund(Step step) {
        if (reservations.isEmpty()) {
            return;
        }
        int i = step.which() % reservations.size();
        long rest = refundable.get(i);
        if (rest > 0) {
            for (StoreReservation reservation : reservations.get(i)) {
                reservation.refund(step.permits() == 1 ? rest : 1);
            }
            refundable.set(i, step.permits() == 1 ? 0 : rest - 1);
        }
    }

    /** Decides in one script, and repeats the requests that the script leaves undecided because it ran for long enough. */
    private List<Answer> decideInOneScript(List<List<JointRequest>> groups) {
        List<JointRequest> all = groups.stream().flatMap(List::stream).toList();
        List<Answer> answers = new ArrayList<>(Collections.nCopies(all.size(), Answer.UNDECIDED));
        while (answers.stream().anyMatch(Answer::isUndecided)) {
            List<List<JointRequest>> rest = new ArrayList<>();
            Iterator<Answer> known = answers.iterator();
            for (List<JointRequest> group : groups) {
                rest.add(group.stream()
                        .filter(each -> known.next().isUndecided())
                        .toList());
            }
            rest.removeIf(List::isEmpty);
            Iterator<Answer> more = runScript(rest).iterator();
            answers.replaceAll(answer -> answer.isUndecided() ? more.next() : answer);
        }
        return answers;
    }

    private List<Answer> runScript(List<List<JointRequest>> groups) {
        List<Request> requests = groups.stream()
                .flatMap(group -> group.get(0).requests().stream())
                .toList();
        byte[][] values = PackedRequests.of(PackedRequests.time(at.now()), groups, false);
        byte[] packed = (byte[]) run(Script.deciding(requests), requests, values);
        return Reply.answers(packed, groups);
    }

    private void refund(List<Request> requests, List<Long> permits, byte[] handle, boolean first) {
        byte[] time = PackedRequests.time(at.now());
        Object unused = run(Script.REFUND, requests, PackedRequests.refund(time, requests, permits, handle, first));
    }

    /** Runs a script on another connection than the store's, after the refunds on that. */
    private Object run(Script script, List<Request> requests, byte[][] values) {
        assertThat(Blocking.peek(redis, requests.get(0)).degraded()).isFalse();
        return COMMANDS.get(server).evalsha(script.digest(), script.output(), NAMES.of(requests), values);
    }

    private void same(Decision here, Decision there, Step step) {
        wrote = here.allowed() || (wrote && now <= latest);
        latest = Math.max(latest, now);
        SameAnswers.assertSame(there, here, scaled, latest - now, place(step));
    }

    private Place place(Step step) {
        return new Place(step, now, current);
    }
}
