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
import dev.weir.store.StoreStatistics;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
 * refunded. Limits that its scripts cannot count, see {@link #checkLimits}, are refused with {@link IllegalArgumentException} when a
 * limiter is built or its limits change; those that depend on the key, when they are used. A joint request with more than 64 limits
 * on all its keys together, or its future, fails with {@link IllegalArgumentException}. On a cluster, requests for keys of different
 * slots are decided together as well, but without waiting.
 *
 * <p>What is stored, what it costs and what it bounds: <a
 * href="https://github.com/weir-dev/weir/blob/main/docs/redis-internals.md">docs/redis-internals.md</a>.
 */
public final class RedisStore implements Store {
    private final RedisConnection connection;
    private final Batcher batcher;
    private final Decider decider;
    private final KeyCommands commands;
    private final DenialCache denials;
    private final TimeSource timeSource;
    private final Timer timer;

    private RedisStore(Builder builder) {
        LettuceCompatibility.check();
        Keys keys = new Keys(builder.prefix, builder.secret);
        ScriptSettings settings = new ScriptSettings(builder.time, builder.timeout.toNanos(), builder.maxInFlight);
        timeSource = builder.timeSource;
        EventNotifier events = new EventNotifier(builder.listeners);
        timer = new Timer();
        try {
            connection = new ConnectionFactory(keys.absent(), events, timer, settings.timeoutNanos())
                    .connect(builder.uri, builder.client, builder.resources);
        } catch (RuntimeException | Error failure) {
            timer.close();
            throw failure;
        }
        ScriptRunner runner = new ScriptRunner(connection, events, timer);
        denials = new DenialCache(builder.effectiveDenialMemory().toNanos(), timer);
        commands = new KeyCommands(runner, keys, denials, events, timer, settings);
        batcher = new Batcher(runner, keys, denials, commands, events, timer, settings);
        decider = new Decider(connection.isCluster(), keys, denials, batcher, commands);
    }

    /**
     * Makes the first connection, and decides a request that no limit ever allows, which stores nothing, to load classes and
     * scripts, so that the first decisions are in time. The future completes when the connection was made or has failed, and does not
     * fail.
     */
    private CompletableFuture<RedisStore> start() {
        Request never = Request.of("weir", Limits.parse("1/1s"), "start", 2);
        long end = timer.nanos() + CircuitBreaker.START_NANOS;
        return connection
                .start()
                .thenCompose(tried -> timer.orTimeout(decider.reserveAsync(List.of(never), 0), end - timer.nanos()))
                .handle((seen, failure) -> this);
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
     * Creates a builder. The URI is {@code redis://host:6379}, {@code redis-sentinel://host:26379,host:26379/0#name} for a primary
     * that sentinels name, or {@code redis-cluster://host:7000,host:7001}; for TLS, it begins with {@code rediss} instead of {@code
     * redis}. Each accepts {@code user:password@} before the hosts.
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

    @Override
    public void check(Limits limits) {
        checkLimits(limits);
    }

    /**
     * Checks that the scripts, whose numbers are below 2^53, can count limits. Needs no connection.
     *
     * @param limits the limits
     * @throws IllegalArgumentException if they cannot: 2^53 permits, for example, or a window of 48 years; or if the names of two
     *     limits have the same hash
     */
    public static void checkLimits(Limits limits) {
        PackedLimits.of(limits);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return decider.decide(limiter, limits, key, permits);
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return decider.reserve(requests, maxWaitNanos);
    }

    /**
     * Decides as {@link #reserve} does, without blocking a thread. The future completes on the I/O thread that receives the answer,
     * or on the common pool if there is none; limiters continue with their own executor.
     */
    @Override
    public CompletableFuture<StoreReservation> reserveAsync(List<Request> requests, long maxWaitNanos) {
        return Futures.attempt(() -> decider.reserveAsync(requests, maxWaitNanos));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return Futures.attempt(() -> commands.peek(List.of(request)));
    }

    /**
     * Describes the state of the request's key in one atomic step, and writes nothing. The server's work is bounded: it reports at
     * most 1,000 runs of all limits, and visits at most a few thousand more. If the log of a limit is longer than that, its
     * snapshot is marked as truncated and errs on the safe side: {@code remaining} may be too low, and {@code fits} too late.
     */
    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return Futures.attempt(() -> commands.inspect(request, maxRuns));
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return commands.reset(request);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return commands.block(request, nanos);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return commands.unblock(request);
    }

    @Override
    public StoreStatistics statistics() {
        return batcher.statistics();
    }

    /** Closes its connections, and the client if it is the store's own. Requests fail with {@link StoreException} after that. */
    @Override
    public void close() {
        connection.close();
        denials.close();
        timer.close();
    }

    /** A builder of {@link RedisStore}. Everything but the URI has a default. Not thread-safe. */
    public static final class Builder {
        private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
        private static final Duration LONGEST = Duration.ofHours(1);

        private final String uri;
        private @Nullable AbstractRedisClient client;
        private @Nullable ClientResources resources;
        private String prefix = "weir";
        private @Nullable String secret;
        private final List<StoreListener> listeners = new ArrayList<>();
        private Duration timeout = Duration.ofMillis(50);
        private int maxInFlight = 65_536;
        private Duration denialMemory = Duration.ofSeconds(1);
        private TimeSource timeSource = TimeSource.system();
        private Supplier<byte[]> time = () -> PackedRequests.SERVER_TIME;

        Builder(String uri) {
            this.uri = RedisUris.checked(uri);
        }

        /**
         * Sets how long a request waits for Redis before the failure policy decides; pauses of this process do not count. For a request
         * that may wait for permits, the time begins when it is sent: after earlier ones, if Redis answers those in the time that it may wait.
         *
         * @param timeout from 1 ms to 1 hour; by default 50 ms
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = checked("timeout", timeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets the largest number of requests for decisions that may be in flight at a time: that wait to be sent, or for their answer.
         * Further ones, and those that would be answered too late, are not sent and fail with a {@link StoreException} that
         * {@linkplain StoreException#isOverload is an overload}, so that the failure policy decides. As many peeks and other
         * operations on keys may be in flight beside them.
         *
         * @param maxInFlight at least 1; by default 65,536
         * @return this builder
         */
        public Builder maxInFlight(int maxInFlight) {
            if (maxInFlight < 1) {
                throw new IllegalArgumentException("maxInFlight must be at least 1, was " + maxInFlight);
            }
            this.maxInFlight = maxInFlight;
            return this;
        }

        /**
         * Sets how long a denial may be cached in this process, at most until its retry-after. Until then it answers requests for as
         * many permits or more of the same key; what other processes refund, reset, unblock or raise is noticed afterwards. A
         * request for more permits than were denied gets the same retry-after, the least that it may be; for several permits,
         * {@code remaining} may be too low. Denials by a key with several limits, and by limits that count attempts, are not cached.
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
         * Stores keys as 128 bits of their HMAC-SHA-256, for keys that are personal data. All processes need the same secret.
         *
         * @param secret the secret of the HMAC, not empty; by default keys are stored as they are
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
         * Sets an existing client, on which the store makes its own connection to the URI, which must not be that of a cluster. The
         * store does not shut it down.
         *
         * @param client by default a client of the store's own
         * @return this builder
         */
        public Builder client(RedisClient client) {
            this.client = Objects.requireNonNull(client, "client must not be null");
            return this;
        }

        /**
         * Sets the threads and event loops of the store's own client, so that it runs on those of the application's server: the
         * futures of {@link RedisStore#reserveAsync} complete on them, and so do those of a limiter whose executor runs tasks
         * directly. Blocking methods must not be called on these event loops. The store does not shut the resources down. They have
         * no effect if the builder has a client.
         *
         * @param resources by default the client's own
         * @return this builder
         */
        public Builder clientResources(ClientResources resources) {
            this.resources = Objects.requireNonNull(resources, "resources must not be null");
            return this;
        }

        /**
         * Sets an existing client of a cluster. The store does not shut it down, and does not use the URI.
         *
         * @param client by default a client of the store's own
         * @return this builder
         * @throws IllegalArgumentException if the client does not reconnect, or repeats requests when it does, which would count
         *     them twice: it needs the option {@code replayFilter(command -> true)}
         */
        public Builder client(RedisClusterClient client) {
            this.client = LettuceCompatibility.checked(Objects.requireNonNull(client, "client must not be null"));
            return this;
        }

        /**
         * Adds a listener. It is notified on a thread of its own, one event after the other, so that it may call a limiter. With
         * or without listeners, the {@link System.Logger} {@code dev.weir.redis} logs when Redis does not answer, when it answers
         * again, and at most once a minute that it refused a request.
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
         * microseconds; if it is set back, the store's time does not advance. Denials are not cached then, and keys stay on the
         * server for an hour longer. Readings must exceed the longest window: the scripts count from 0. Requests fail with {@link
         * IllegalArgumentException} at readings below 0 or beyond 2^52 microseconds, which is in the year 2112.
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
         * Creates the store. Waits until the first attempt to connect has succeeded or failed, at most 10 s; if it failed, limiters
         * follow their failure policies until Redis answers.
         *
         * @return the store
         * @throws IllegalArgumentException if the URI is that of a cluster, and the client is not
         * @throws IllegalStateException if Lettuce is older than 6.6
         */
        public RedisStore connect() {
            return connectAsync().join();
        }

        /** {@return a future of the store, which is created as by {@link #connect}, but without blocking} */
        public CompletableFuture<RedisStore> connectAsync() {
            return new RedisStore(this).start();
        }

        /** Returns how long denials are cached: not at all on a time source that may not advance as fast as this process. */
        private Duration effectiveDenialMemory() {
            return timeSource == TimeSource.system() ? denialMemory : Duration.ZERO;
        }
    }
}
