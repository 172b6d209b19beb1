package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.internal.Futures;
import dev.weir.redis.SlotBySlot.Part;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store on Redis, for any number of processes. A decision is one script: atomic, one round trip, on the server's clock.
 * Thread-safe; create one per server and share it among limiters.
 *
 * <p>Requests for one key share scripts, in order of arrival. A denial is cached in this process until its retry-after, at most
 * for {@link RedisStoreBuilder#denialMemory}.
 *
 * <p>A request that Redis does not answer within {@link RedisStoreBuilder#timeout} fails with {@link StoreException}; while Redis
 * is known not to answer, requests fail at once. A request that may have run is never repeated. A reservation that is answered
 * too late is refunded. Limits with numbers beyond 2^53 are refused with {@link IllegalArgumentException} when a limiter is built
 * or its limits change; those that depend on the key, when they are used.
 *
 * <p>On a cluster, requests for keys of different slots are decided together as well, but without waiting.
 *
 * <p>What is stored, what it costs and what it bounds: <a href="https://github.com/weir-dev/weir/blob/main/docs/redis.md">
 * docs/redis.md</a>.
 */
public final class RedisStore implements Store {
    private static final long START_MILLIS = 1_000;
    private static final int MAX_RUNS = 10_000;

    private final Link link;
    private final Keys keys;
    private final Combiner combiner;
    private final Supplier<byte[]> time;
    private final TimeSource timeSource;
    private final EventThread events;
    private final Executor callbacks;

    RedisStore(RedisStoreBuilder settings) {
        keys = settings.keys();
        time = settings.time();
        timeSource = settings.timeSource();
        events = settings.events();
        Connecting connecting = settings.connecting(events);
        link = connecting.link();
        callbacks = connecting.callbacks();
        combiner = new Combiner(link, keys, settings);
        start(Math.max(START_MILLIS, settings.timeout().toMillis()));
    }

    /** Waits for the first connection, and peeks once to load classes and scripts, so that the first decisions are in time. */
    private void start(long mostMillis) {
        Request any = Request.of("weir", Limits.parse("1/1s"), "start", 1);
        link.start()
                .thenCompose(tried -> combiner.look(List.of(any), false).handle((seen, failure) -> seen != null))
                .completeOnTimeout(false, mostMillis, TimeUnit.MILLISECONDS)
                .join();
    }

    /**
     * Creates a store with the default settings.
     *
     * @param uri see {@link #builder}
     * @return the store
     * @throws IllegalArgumentException if the URI is not valid
     */
    public static RedisStore connect(String uri) {
        return builder(uri).connect();
    }

    /**
     * Creates a builder. The URI is {@code redis://host:6379}, {@code rediss://} for TLS, {@code
     * redis-sentinel://host:26379,host:26379/0#name} for a primary that sentinels name, or {@code
     * redis-cluster://host:7000,host:7001} and {@code rediss-cluster://}. Each accepts {@code user:password@} before the hosts.
     *
     * @param uri the URI of the server or servers
     * @return the builder
     * @throws IllegalArgumentException if the URI is not valid
     */
    public static RedisStoreBuilder builder(String uri) {
        return new RedisStoreBuilder(uri);
    }

    @Override
    public TimeSource timeSource() {
        return timeSource;
    }

    /**
     * Checks that the scripts can count to the numbers of the limits.
     *
     * @throws IllegalArgumentException if a limit has a number beyond 2^53
     */
    @Override
    public void check(Limits limits) {
        PackedLimits.of(limits);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        Decision denied = combiner.denied(limiter, limits, key, permits, 0);
        if (denied != null) {
            return denied;
        }
        check(limits); // before other requests share the script
        return answered(Futures.join(combiner.decide(Request.of(limiter, limits, key, permits), 0)))
                .decision();
    }

    private static Answer answered(@Nullable Answer answer) {
        return Objects.requireNonNull(answer, "a script that decides has an answer");
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return Futures.join(reserved(requests, maxWaitNanos));
    }

    @Override
    public CompletableFuture<StoreReservation> reserveAsync(List<Request> requests, long maxWaitNanos) {
        return result(() -> reserved(requests, maxWaitNanos), unwanted -> unwanted.cancel(0));
    }

    private CompletableFuture<StoreReservation> reserved(List<Request> requests, long maxWaitNanos) {
        requests.forEach(request -> check(request.limits()));
        if (requests.size() > 1) {
            return reservedTogether(requests, maxWaitNanos);
        }
        Request only = requests.get(0);
        Decision denied = combiner.denied(only.limiter(), only.limits(), only.key(), only.permits(), maxWaitNanos);
        return denied != null
                ? CompletableFuture.completedFuture(new Denied(denied))
                : combiner.decide(only, maxWaitNanos).thenApply(answer -> reservation(requests, answer));
    }

    private CompletableFuture<StoreReservation> reservedTogether(List<Request> requests, long maxWaitNanos) {
        List<Part> parts = link.joinsSlots() ? List.of() : parts(requests);
        if (parts.size() <= 1) {
            return combiner.decideTogether(requests, maxWaitNanos, false)
                    .thenApply(answer -> reservation(requests, answer));
        }
        return new SlotBySlot(
                        parts,
                        (part, look) -> (look ? combiner.look(part, true) : combiner.decideTogether(part, 0, true))
                                .thenApply(answer -> reservation(part, answer)))
                .reserve();
    }

    /** Splits requests by the slots of their keys. */
    private List<Part> parts(List<Request> requests) {
        Map<Integer, Part> bySlot = new TreeMap<>();
        IntStream.range(0, requests.size())
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> requests.get(i).limiter())
                        .thenComparing(i -> requests.get(i).key()))
                .forEach(i -> {
                    int slot = Keys.slot(keys.of(List.of(requests.get(i))));
                    Part part = bySlot.computeIfAbsent(slot, s -> new Part(new ArrayList<>(), new ArrayList<>()));
                    part.requests().add(requests.get(i));
                    part.positions().add(i);
                });
        return List.copyOf(bySlot.values());
    }

    private RedisReservation reservation(List<Request> requests, @Nullable Answer answer) {
        return new RedisReservation(this, requests, answered(answer));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return result(() -> {
            check(request.limits());
            return combiner.look(List.of(request), false)
                    .thenApply(answer -> answered(answer).decision());
        });
    }

    /**
     * Describes the state of the request's key in one atomic step, and writes nothing. The server's work is bounded: it reports at
     * most 10,000 runs of a limit, and visits at most a few thousand more. If the log of a limit is longer than that, its
     * snapshot is marked as truncated and errs on the safe side: {@code remaining} may be too low, and {@code fits} too late.
     */
    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return result(() -> {
            byte[][] values = PackedRequests.inspect(time.get(), request, Math.min(maxRuns, MAX_RUNS));
            Call call = combiner.run(Script.INSPECT, List.of(request), values);
            return call.thenApply(none -> {
                byte[] raw = call.raw();
                if (raw == null) {
                    throw new StoreException("the answer of Redis is unreadable");
                }
                return SnapshotReply.read(request.limits(), raw);
            });
        });
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return changed(Script.RESET, request);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        long longest = Math.min(PackedLimits.micros(nanos), PackedLimits.LONGEST_BLOCK);
        return changed(Script.BLOCK, request, Long.toString(longest).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return changed(Script.UNBLOCK, request);
    }

    private CompletableFuture<Void> changed(Script script, Request request, byte[]... more) {
        return result(() -> {
            byte[][] values = new byte[1 + more.length][];
            values[0] = time.get();
            System.arraycopy(more, 0, values, 1, more.length);
            return combiner.run(script, List.of(request), values).thenAccept(done -> {});
        });
    }

    private <T extends @Nullable Object> CompletableFuture<T> result(Supplier<CompletableFuture<T>> call) {
        return result(call, unwanted -> {});
    }

    /**
     * Returns the future of a call, whose failure does not run the caller's stages on the thread of deadlines. If the caller
     * has cancelled the future when the value arrives, {@code unwanted} receives the value.
     */
    private <T extends @Nullable Object> CompletableFuture<T> result(
            Supplier<CompletableFuture<T>> call, Consumer<T> unwanted) {
        CompletableFuture<T> answer = Futures.attempt(call);
        if (answer.isDone()) {
            return answer;
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<T> unused = answer.whenComplete((value, failure) -> {
            if (failure != null) {
                callbacks.execute(() -> result.completeExceptionally(Futures.cause(failure)));
            } else if (!result.complete(value)) {
                unwanted.accept(value);
            }
        });
        return result;
    }

    /** Refunds permits without waiting for the answer; a failure is reported to the listeners. */
    void refund(List<Request> requests, List<Long> permits, byte[] handle, boolean first) {
        var unused = combiner.refund(requests, permits, handle, first).whenComplete((done, failure) -> {
            if (failure != null && Futures.cause(failure) instanceof StoreException lost) {
                requests.forEach(request ->
                        events.notifyEach(listener -> listener.refundLost(request.limiter(), request.key(), lost)));
            }
        });
    }

    /** Closes its connections, and the client if it is the store's own. Requests fail with {@link StoreException} after that. */
    @Override
    public void close() {
        link.close();
    }

    /** A cached denial: there is nothing to refund. */
    private record Denied(Decision decision) implements StoreReservation {
        @Override
        public void refund(long permits) {}

        @Override
        public void cancel(long refunded) {}
    }
}
