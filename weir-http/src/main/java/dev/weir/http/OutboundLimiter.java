package dev.weir.http;

import dev.weir.CheckReturnValue;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.internal.Durations;
import dev.weir.internal.Spelling;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls of an HTTP client to the servers of others. A call waits for its permit, first come, first served, and is
 * then sent; if the wait would exceed {@link Builder#maxWait}, it fails at once. {@link RateLimitedHttpClient} and the adapters for
 * other clients use it.
 *
 * <p>Guarantee: calls leave this process at most {@link Builder#useWithin} after their permit was granted, also if the process
 * was paused in between; a permit that is older is cancelled, and another one is acquired, behind the calls that wait already,
 * after a pause if that happens again (exponential backoff).
 * So if the limit's {@linkplain Limit.SlidingLog#margin() margin} exceeds that age by the variation of the path to the server,
 * the server sees no more calls in any window than the limit allows.
 *
 * <p>Learning: a response of status 429, 503 or 403 with {@code Retry-After} blocks its (first) key for that time, also for permits that
 * this {@code OutboundLimiter} reserved before. If fewer calls remain than the limiter would grant now, by
 * {@code RateLimit-Remaining} or its newer forms, the excess is held until the reset; if none remain, and none of the limiter's own
 * limits explains that, the key is blocked until then. The limiter never becomes looser. With a shared store this holds for all
 * processes, except that permits that others reserved before a block are used.
 *
 * <p>Thread-safe. Cost: that of a reservation, and of a {@code peek} if a response has fewer remaining than the limiter.
 */
public final class OutboundLimiter {
    private static final Duration MAX_BLOCK = Duration.ofHours(1);

    private final List<Share> shares;
    private final OutboundState state;
    private final OutboundLearning learning;

    /** What calls take of a limiter. */
    private record Share(RateLimiter limiter, Function<URI, @Nullable String> key, ToLongFunction<URI> permits) {}

    private OutboundLimiter(Builder builder) {
        shares = new ArrayList<>(builder.further);
        shares.add(0, new Share(builder.limiter, builder.key, builder.permits));
        state = new OutboundState(builder.settings());
        learning = new OutboundLearning(state);
    }

    /**
     * Returns a builder.
     *
     * @param limiter the limiter; its limits are those of the server, with a margin
     * @return the builder
     */
    public static Builder builder(RateLimiter limiter) {
        return new Builder(limiter);
    }

    /**
     * Acquires the permit of a call. The call must be sent at once when this returns.
     *
     * @param uri the URI of the call
     * @return the permit
     * @throws OutboundLimitException if no permit is granted within the longest wait
     * @throws IllegalArgumentException if the URI has no host and no other key was set, if its key is empty or too
     *     long, if it takes fewer than 1 permit, or if its limiters cannot decide together; see {@link Builder#and}
     * @throws InterruptedException if the thread is interrupted; the reservation is then cancelled. While the store decides, this is
     *     noticed when it has answered or failed: on Redis usually within its timeout, under overload up to the longest wait later
     */
    @CheckReturnValue
    public OutboundPermit acquire(URI uri) throws InterruptedException {
        OutboundAcquisition acquisition = acquisition(uri);
        return acquisition == null ? new OutboundPermit(learning, null) : acquisition.await();
    }

    /**
     * Acquires the permit of a call without blocking. The call must be sent at once when the future completes.
     *
     * @param uri the URI of the call
     * @return a future of the permit, of {@link OutboundLimitException} if none is granted within the longest wait, or of {@link
     *     IllegalArgumentException} if its limiters cannot decide together, see {@link Builder#and}; cancelling it cancels the
     *     reservation, and dependents then see a {@link CancellationException}
     * @throws IllegalArgumentException if the URI has no host and no other key was set, if its key is empty or too
     *     long, or if it takes fewer than 1 permit
     */
    @CheckReturnValue
    public CompletableFuture<OutboundPermit> acquireAsync(URI uri) {
        OutboundAcquisition acquisition = acquisition(uri);
        return acquisition == null
                ? CompletableFuture.completedFuture(new OutboundPermit(learning, null))
                : acquisition.start();
    }

    /** Returns an acquisition of all permits that a call takes; null if it takes none. */
    private @Nullable OutboundAcquisition acquisition(URI uri) {
        Objects.requireNonNull(uri, "uri must not be null");
        List<OutboundKey> keys = new ArrayList<>();
        List<Request> requests = new ArrayList<>();
        for (Share share : shares) {
            String key = share.key.apply(uri);
            if (key != null) {
                keys.add(new OutboundKey(share.limiter, key));
                requests.add(share.limiter.request(key, share.permits.applyAsLong(uri)));
            }
        }
        return keys.isEmpty() ? null : new OutboundAcquisition(state, learning, keys, requests);
    }

    /**
     * Returns how many permits were older than {@link Builder#useWithin} when their calls were to be sent, so that they were cancelled.
     *
     * @return the number since this was built; it only grows
     */
    public long latePermits() {
        return state.latePermits.sum();
    }

    private static String host(URI uri) {
        String named = uri.getHost() != null ? uri.getHost() : hostOf(uri.getRawAuthority());
        String host = named.replaceFirst("\\.$", ""); // a name that is complete, else the same one
        if (host.isEmpty()) {
            throw new IllegalArgumentException("uri must have a host, was " + Spelling.shown(uri.toString()));
        }
        return host.toLowerCase(Locale.ROOT);
    }

    /** Returns the host of an authority, without user and port: a name with '_' is no host for {@link URI}. Empty if there is none. */
    private static String hostOf(@Nullable String authority) {
        return authority == null ? "" : authority.replaceFirst("^.*@", "").replaceFirst(":\\d*$", "");
    }

    /** A builder of {@link OutboundLimiter}. Not thread-safe. */
    public static final class Builder {
        private final RateLimiter limiter;
        private final List<Share> further = new ArrayList<>();
        private Function<URI, @Nullable String> key = OutboundLimiter::host;
        private ToLongFunction<URI> permits = uri -> 1;
        private Duration maxWait = Duration.ZERO;
        private @Nullable Duration countTwiceAfter;
        private Duration maxBlock = MAX_BLOCK;
        private @Nullable Duration useWithin;
        private boolean rateLimitHeaders = true;

        private Builder(RateLimiter limiter) {
            this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
        }

        /**
         * Sets how the key of a call is found.
         *
         * @param key returns the key for a URI, or null if the call takes no permits of the builder's limiter; by default the
         *     host, in lower case and without a dot at its end
         * @return this builder
         */
        public Builder key(Function<URI, @Nullable String> key) {
            this.key = Objects.requireNonNull(key, "key must not be null");
            return this;
        }

        /**
         * Sets how many permits a call takes of the builder's limiter, for servers to which calls have different weights.
         *
         * @param permits returns the number for a URI, at least 1; by default 1
         * @return this builder
         */
        public Builder permits(ToLongFunction<URI> permits) {
            this.permits = Objects.requireNonNull(permits, "permits must not be null");
            return this;
        }

        /**
         * Adds a limiter of which a call takes permits, too, for servers that have a limit of the account and others of endpoints
         * or merchants. All permits of a call are granted at one instant, or none. What a response says applies to the first key
         * of its call: that of the builder's limiter, or if that is null, that of the limiter that was added first.
         * On a Redis Cluster, a call with several keys fails at once if one of them has no permit now.
         *
         * @param limiter a limiter that shares the store of the others; the same one again if the keys differ
         * @param key returns the key for a URI, or null if the call takes no permits of this limiter
         * @param permits returns the number of permits for a URI, at least 1
         * @return this builder
         */
        public Builder and(RateLimiter limiter, Function<URI, @Nullable String> key, ToLongFunction<URI> permits) {
            further.add(new Share(
                    Objects.requireNonNull(limiter, "limiter must not be null"),
                    Objects.requireNonNull(key, "key must not be null"),
                    Objects.requireNonNull(permits, "permits must not be null")));
            return this;
        }

        /**
         * Sets how long a call may wait for its permit. A call that would have to wait longer fails at once. What the failure policy of
         * the limiter denies while the store fails is requested again until then.
         *
         * @param maxWait by default zero
         * @return this builder
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = Durations.nonNegative("maxWait", maxWait);
            return this;
        }

        /**
         * Sets the greatest age at which a permit is used. The age is counted from the instant of the grant on the store's
         * clock; it includes the fastest round trip to the store for the keys of the call in the latest seconds, by which the clocks
         * are compared. So it must be longer than a round trip: else no permit is used.
         *
         * @param age by default half of the smallest margin of the limits of the call, or 100 ms if none has a margin
         * @return this builder
         */
        public Builder useWithin(Duration age) {
            Duration checked = Durations.nonNegative("useWithin", age);
            if (checked.isZero()) {
                throw new IllegalArgumentException("useWithin must be at least 1 nanosecond, was " + age);
            }
            this.useWithin = checked;
            return this;
        }

        /**
         * Sets how long after its permit was due a response may arrive; a call with a later one counts twice. It may have
         * reached the server late, where it stays in the window for longer than in the limiter; another permit, which is acquired
         * when the response arrives, makes up for it. A call without a response counts once. Use it with the margin plus the
         * server's shortest response time, to make a small margin safe. Exact if the other permit is due before the first one expires.
         *
         * @param time by default, no call counts twice
         * @return this builder
         */
        public Builder countTwiceAfter(Duration time) {
            this.countTwiceAfter = Durations.nonNegative("countTwiceAfter", time);
            return this;
        }

        /**
         * Sets the longest time for which a response can block a key or hold its permits. Longer times are cut to it.
         *
         * @param maxBlock by default one hour; zero if responses must change nothing
         * @return this builder
         */
        public Builder maxBlock(Duration maxBlock) {
            this.maxBlock = Durations.nonNegative("maxBlock", maxBlock);
            return this;
        }

        /**
         * Sets whether the limiter learns from {@code RateLimit} headers, for servers whose headers are wrong or are meant
         * for something else. {@code Retry-After} is always obeyed.
         *
         * @param obeyed by default true
         * @return this builder
         */
        public Builder rateLimitHeaders(boolean obeyed) {
            this.rateLimitHeaders = obeyed;
            return this;
        }

        /** {@return the limiter} */
        public OutboundLimiter build() {
            return new OutboundLimiter(this);
        }

        private OutboundState.Settings settings() {
            return new OutboundState.Settings(maxWait, useWithin, countTwiceAfter, maxBlock, rateLimitHeaders);
        }
    }
}
