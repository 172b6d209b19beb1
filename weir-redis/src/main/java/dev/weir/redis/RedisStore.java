package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.internal.Futures;
import dev.weir.internal.MonotonicTime;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.store.StoreReservation;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A store on Redis, for any number of processes. A decision is one script: atomic, one round trip, on the server's clock.
 * Thread-safe; create one per server and share it among limiters.
 *
 * <p>Requests for one key share scripts, in order of arrival. A denial is cached in this process until its retry-after, at most
 * for {@link Builder#denialMemory}.
 *
 * <p>A request that Redis does not answer within {@link Builder#timeout} fails with {@link StoreException}; while Redis is known
 * not to answer, requests fail at once. A request that may have run is never repeated. A reservation that is answered too late is
 * refunded. Limits with numbers beyond 2^53 are refused with {@link IllegalArgumentException} when a limiter is built or its
 * limits change; those that depend on the key, when they are used. On a cluster, requests for keys of different slots are decided
 * together as well, but without waiting.
 *
 * <p>What is stored, what it costs and what it bounds: <a href="https://github.com/weir-dev/weir/blob/main/docs/redis.md">
 * docs/redis.md</a>.
 */
public final class RedisStore implements Store {
    private static final long START_MILLIS = 1_000;
    private static final int MAX_RUNS = 1_000; // of all limits, so that the script takes at most a few milliseconds

    private final Link link;
    private final Keys keys;
    private final Combiner combiner;
    private final Supplier<byte[]> time;
    private final TimeSource timeSource;
    private final EventThread events;
    private final Results results;

    private RedisStore(Builder settings) {
        keys = new Keys(settings.prefix, settings.secret);
        time = settings.time;
        timeSource = settings.timeSource;
        events = new EventThread(settings.listeners);
        Connecting connecting = Connecting.to(settings.uri, settings.client, events);
        link = connecting.link();
        results = new Results(connecting.callbacks());
        combiner = new Combiner(link, keys, time, settings.timeout, settings.effectiveDenialMemory());
        start(Math.max(START_MILLIS, settings.timeout.toMillis()));
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
    public static Builder builder(String uri) {
        return new Builder(uri);
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
        return results.of(() -> reserved(requests, maxWaitNanos), unwanted -> unwanted.cancel(0));
    }

    private CompletableFuture<StoreReservation> reserved(List<Request> requests, long maxWaitNanos) {
        requests.forEach(request -> check(request.limits()));
        if (requests.size() > 1) {
            return reservedTogether(requests, maxWaitNanos);
        }
        Request only = requests.get(0);
        Decision denied = combiner.denied(only.limiter(), only.limits(), only.key(), only.permits(), maxWaitNanos);
        return denied != null
                ? CompletableFuture.completedFuture(StoreReservation.of(denied, List.of()))
                : combiner.decide(only, maxWaitNanos).thenApply(answer -> reservation(requests, answer));
    }

    private CompletableFuture<StoreReservation> reservedTogether(List<Request> requests, long maxWaitNanos) {
        List<SlotBySlot.Part> parts = link.joinsSlots() ? List.of() : SlotBySlot.parts(requests, keys);
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

    private RedisReservation reservation(List<Request> requests, @Nullable Answer answer) {
        return new RedisReservation(this::refund, requests, answered(answer));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return results.of(() -> {
            check(request.limits());
            return combiner.look(List.of(request), false)
                    .thenApply(answer -> answered(answer).decision());
        });
    }

    /**
     * Describes the state of the request's key in one atomic step, and writes nothing. The server's work is bounded: it reports at
     * most 1,000 runs in total, the newest of each limit; if older ones are left out, the snapshot of the limit is marked as
     * truncated. {@code remaining} and {@code fits} are exact.
     */
    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return results.of(() -> {
            byte[][] values = PackedRequests.inspect(
                    time.get(),
                    request,
                    Math.min(maxRuns, MAX_RUNS / request.limits().list().size()));
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
        return results.of(() -> {
            byte[][] values = new byte[1 + more.length][];
            values[0] = time.get();
            System.arraycopy(more, 0, values, 1, more.length);
            return combiner.run(script, List.of(request), values).thenAccept(done -> {});
        });
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

    /** A builder of {@link RedisStore}. Everything but the URI has a default. Not thread-safe. */
    public static final class Builder {
        private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
        private static final Duration LONGEST = Duration.ofHours(1);

        private final String uri;
        private @Nullable AbstractRedisClient client;
        private String prefix = "weir";
        private @Nullable String secret;
        private final List<StoreListener> listeners = new ArrayList<>();
        private Duration timeout = Duration.ofMillis(50);
        private Duration denialMemory = Duration.ofSeconds(1);
        private TimeSource timeSource = TimeSource.system();
        private Supplier<byte[]> time = () -> PackedRequests.SERVER_TIME;

        Builder(String uri) {
            this.uri = Connecting.checked(uri);
        }

        /**
         * Sets how long a request waits for Redis before the failure policy decides.
         *
         * @param timeout from 1 ms to 1 hour; by default 50 ms
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = checked("timeout", timeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets how long a denial may be cached in this process, at most until its retry-after. Until then it answers requests for as
         * many permits or more of the same key; what other processes refund, reset, unblock or raise is noticed afterwards. A
         * request for more permits than were denied gets the same retry-after, the least that it may be. Denials by a key with
         * several limits, and by limits that count attempts, are not cached.
         *
         * @param denialMemory from zero, which turns caching off, to 1 hour; by default 1 s
         * @return this builder
         */
        public Builder denialMemory(Duration denialMemory) {
            this.denialMemory = checked("denialMemory", denialMemory, Duration.ZERO);
            return this;
        }

        private static Duration checked(String what, Duration value, Duration least) {
            Objects.requireNonNull(value, what + " must not be null");
            if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        what + " must be from " + least.toMillis() + " ms to 1 hour, was " + value);
            }
            return value;
        }

        /**
         * Sets the prefix of all names of keys on the server, which a colon follows.
         *
         * @param prefix 1 to 64 letters, digits, and {@code . _ : -}; by default {@code weir}
         * @return this builder
         */
        public Builder prefix(String prefix) {
            Objects.requireNonNull(prefix, "prefix must not be null");
            if (!PREFIX.matcher(prefix).matches()) {
                throw new IllegalArgumentException(
                        "prefix must be 1 to 64 letters, digits, '.', '_', ':' or '-', was '" + prefix + "'");
            }
            this.prefix = prefix;
            return this;
        }

        /**
         * Stores keys as 128 bits of their HMAC-SHA-256, for keys that are personal data. All processes need the same secret. By
         * default keys are stored as they are.
         *
         * @param secret the secret of the HMAC, not empty
         * @return this builder
         */
        public Builder hashKeys(String secret) {
            Objects.requireNonNull(secret, "secret must not be null");
            if (secret.isEmpty()) {
                throw new IllegalArgumentException("secret must not be empty");
            }
            this.secret = secret;
            return this;
        }

        /**
         * Sets an existing client, on which the store makes its own connection. The store does not shut it down.
         *
         * @param client by default a client of the store's own
         * @return this builder
         */
        public Builder client(RedisClient client) {
            this.client = Objects.requireNonNull(client, "client must not be null");
            return this;
        }

        /**
         * Sets an existing client of a cluster. The store does not shut it down, and does not use the URI.
         *
         * @param client by default a client of the store's own
         * @return this builder
         * @throws IllegalArgumentException if the client repeats requests after a reconnect, which would count them twice: it needs
         *     the option {@code replayFilter(command -> true)} or {@code autoReconnect(false)}
         */
        public Builder client(RedisClusterClient client) {
            this.client = Connecting.checked(Objects.requireNonNull(client, "client must not be null"));
            return this;
        }

        /**
         * Adds a listener. It is notified on a thread of its own, one event after the other, so that it may call a limiter. Without
         * a listener, the {@link System.Logger} {@code dev.weir.redis} logs when Redis does not answer and when it answers again.
         *
         * @param listener the listener
         * @return this builder
         */
        public Builder listener(StoreListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
            return this;
        }

        /**
         * Sets the time that decisions use instead of the server's clock, for tests and for replaying a trace. It counts in
         * microseconds; if it goes backwards, the store's time stands still. Denials are not cached then, and keys stay on the
         * server for an hour longer.
         *
         * @param timeSource by default, and with {@link TimeSource#system}, the server's clock
         * @return this builder
         */
        public Builder timeSource(TimeSource timeSource) {
            this.timeSource = Objects.requireNonNull(timeSource, "timeSource must not be null");
            LongSupplier clamped = MonotonicTime.of(timeSource);
            time = timeSource == TimeSource.system()
                    ? () -> PackedRequests.SERVER_TIME
                    : () -> PackedRequests.time(Math.floorDiv(clamped.getAsLong(), 1_000));
            return this;
        }

        /** Sets the time argument of scripts, which unlike a time source may go backwards, as a server's clock does. For tests. */
        Builder scriptTime(Supplier<byte[]> time) {
            this.time = time;
            return this;
        }

        /**
         * Creates the store. Waits up to 1 s, or the timeout if that is longer, for the first connection; without one, limiters
         * follow their failure policies until Redis answers.
         *
         * @return the store
         */
        public RedisStore connect() {
            return new RedisStore(this);
        }

        /** Returns how long denials are cached: not at all on a time source that may not advance as fast as this process. */
        private Duration effectiveDenialMemory() {
            return timeSource == TimeSource.system() ? denialMemory : Duration.ZERO;
        }
    }
}
