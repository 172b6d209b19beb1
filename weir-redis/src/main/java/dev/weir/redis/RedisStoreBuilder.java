package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.internal.MonotonicTime;
import dev.weir.store.StoreListener;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A builder of {@link RedisStore}. Everything but the URI has a default. Not thread-safe. */
public final class RedisStoreBuilder {
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final long NANOS_PER_MICRO = 1_000;

    private final String uri;
    private @Nullable AbstractRedisClient client;
    private String prefix = "weir";
    private @Nullable String secret;
    private final List<StoreListener> listeners = new ArrayList<>();
    private Duration timeout = Duration.ofMillis(50);
    private Duration denialMemory = Duration.ofSeconds(1);
    private TimeSource timeSource = TimeSource.system();
    private Supplier<byte[]> time = () -> PackedRequests.SERVER_TIME;

    RedisStoreBuilder(String uri) {
        this.uri = Connecting.checked(uri);
    }

    /**
     * Sets how long a request waits for Redis before the failure policy decides.
     *
     * @param timeout from 1 ms to 1 hour; by default 50 ms
     * @return this builder
     */
    public RedisStoreBuilder timeout(Duration timeout) {
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
    public RedisStoreBuilder denialMemory(Duration denialMemory) {
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
    public RedisStoreBuilder prefix(String prefix) {
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
    public RedisStoreBuilder hashKeys(String secret) {
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
    public RedisStoreBuilder client(RedisClient client) {
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
    public RedisStoreBuilder client(RedisClusterClient client) {
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
    public RedisStoreBuilder listener(StoreListener listener) {
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
    public RedisStoreBuilder timeSource(TimeSource timeSource) {
        this.timeSource = Objects.requireNonNull(timeSource, "timeSource must not be null");
        if (timeSource == TimeSource.system()) {
            time = () -> PackedRequests.SERVER_TIME;
        } else {
            LongSupplier clamped = MonotonicTime.of(timeSource);
            time = () -> PackedRequests.time(Math.floorDiv(clamped.getAsLong(), NANOS_PER_MICRO));
        }
        return this;
    }

    /** Sets the time argument of scripts, which unlike a time source may go backwards, as a server's clock does. For tests. */
    RedisStoreBuilder scriptTime(Supplier<byte[]> time) {
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

    Connecting connecting(EventThread events) {
        return Connecting.to(uri, client, events);
    }

    EventThread events() {
        return new EventThread(listeners);
    }

    Keys keys() {
        return new Keys(prefix, secret);
    }

    Duration timeout() {
        return timeout;
    }

    /** Returns how long denials are cached: not at all on a time source that may not advance as fast as this process. */
    Duration effectiveDenialMemory() {
        return timeSource == TimeSource.system() ? denialMemory : Duration.ZERO;
    }

    TimeSource timeSource() {
        return timeSource;
    }

    /** Returns the time argument of scripts. */
    Supplier<byte[]> time() {
        return time;
    }
}
