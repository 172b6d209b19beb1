package dev.weir.redis;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Listener;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * State on Redis, for any number of processes: a decision is one script, atomic and one round trip, on the server's clock.
 * Thread-safe; make one for each server and share it among limiters.
 *
 * <p>Calls for one key share scripts, in order of arrival. A denial is remembered here until the time that Redis told, at most
 * {@link Builder#denialMemory}; what is reset, given back or raised by another process is seen by then.
 *
 * <p>A call that Redis does not answer within {@link Builder#timeout} throws {@link StoreException}, and so does one while
 * Redis is known to be away, at once. Nothing is sent twice that may have run. A booking that is answered too late is given
 * back. Limits whose numbers go beyond 2^53 are refused by {@link IllegalArgumentException}.
 *
 * <p>What is stored, what it costs and what it bounds: <a href="https://github.com/weir-dev/weir/blob/main/docs/redis.md">
 * docs/redis.md</a>.
 */
public final class RedisStore implements Store {
    private static final long START_MILLIS = 1_000;

    private final Link link;
    private final Keys keys;
    private final Combiner combiner;
    private final Supplier<byte[]> time;
    private final Listener listener;
    private final Executor callbacks;

    private RedisStore(Builder settings) {
        keys = new Keys(settings.prefix, settings.secret);
        time = settings.time;
        listener = settings.listener;
        Connecting connecting = Connecting.to(settings.uri, settings.client, listener);
        link = connecting.link();
        callbacks = connecting.callbacks();
        combiner = new Combiner(link, keys, settings);
        start(Math.max(START_MILLIS, settings.timeout.toMillis()));
    }

    /**
     * A moment for the first connection, and a look over it that loads what deciding needs, so that the first decisions are not
     * degraded without need.
     */
    private void start(long mostMillis) {
        Claim nobody = new Claim("weir", Limits.parse("1/1s"), "start", 1);
        link.start()
                .thenCompose(tried -> look(List.of(nobody)).handle((seen, failure) -> seen != null))
                .completeOnTimeout(false, mostMillis, TimeUnit.MILLISECONDS)
                .join();
    }

    /** A store with the default settings; see {@link #builder} for the URI. */
    public static RedisStore connect(String uri) {
        return builder(uri).connect();
    }

    /**
     * A store with settings of its own. The URI is {@code redis://host:6379}, {@code rediss://} for TLS, {@code
     * redis-sentinel://host:26379,host:26379/0#name} for a primary that sentinels name, or {@code
     * redis-cluster://host:7000,host:7001} and {@code rediss-cluster://}. Each takes {@code user:password@} before the hosts.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Builder builder(String uri) {
        return new Builder(uri);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        Decision denied = combiner.denied(limiter, limits, key, permits, 0);
        if (denied != null) {
            return denied;
        }
        PackedLimits.of(limits); // refused before others share the script
        return join(combiner.ask(new Claim(limiter, limits, key, permits), 0)).decision();
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        return join(asked(claims, maxWaitNanos));
    }

    @Override
    public CompletableFuture<Booking> bookAsync(List<Claim> claims, long maxWaitNanos) {
        CompletableFuture<Booking> asked = asked(claims, maxWaitNanos);
        return asked.isDone()
                ? asked
                : asked.exceptionallyAsync(
                        failure -> {
                            throw failure instanceof CompletionException why ? why : new CompletionException(failure);
                        },
                        callbacks);
    }

    private CompletableFuture<Booking> asked(List<Claim> claims, long maxWaitNanos) {
        claims.forEach(claim -> PackedLimits.of(claim.limits()));
        if (claims.size() > 1) {
            return bookJointly(claims, maxWaitNanos);
        }
        Claim claim = claims.get(0);
        Decision denied = combiner.denied(claim.limiter(), claim.limits(), claim.key(), claim.permits(), maxWaitNanos);
        return denied != null
                ? CompletableFuture.completedFuture(new Denied(denied))
                : combiner.ask(claim, maxWaitNanos).thenApply(answer -> booking(claims, answer));
    }

    private CompletableFuture<Booking> bookJointly(List<Claim> claims, long maxWaitNanos) {
        Map<Integer, List<Claim>> bySlot = link.joinsSlots()
                ? Map.of(0, claims)
                : claims.stream()
                        .sorted(Comparator.comparing(Claim::limiter).thenComparing(Claim::key))
                        .collect(Collectors.groupingBy(
                                claim -> Keys.slot(keys.of(List.of(claim))), TreeMap::new, Collectors.toList()));
        if (bySlot.size() == 1) {
            return inOneScript(claims, maxWaitNanos).thenApply(answer -> booking(claims, answer));
        }
        return new SlotBySlot(
                        List.copyOf(bySlot.values()),
                        (of, look) -> (look ? look(of) : inOneScript(of, 0)).thenApply(answer -> booking(of, answer)))
                .book();
    }

    private Call inOneScript(List<Claim> claims, long maxWaitNanos) {
        return combiner.run(Script.DECIDE, claims, maxWaitNanos, null);
    }

    private RedisBooking booking(List<Claim> claims, @Nullable Answer answer) {
        return new RedisBooking(this, claims, Objects.requireNonNull(answer));
    }

    private Call look(List<Claim> claims) {
        List<List<Ask>> groups = List.of(List.of(new Call(claims, 0, 0)));
        return combiner.run(Script.DECIDE, claims, 0, PackedAsks.of(time.get(), groups, true));
    }

    @Override
    public Decision peek(Claim claim) {
        PackedLimits.of(claim.limits());
        return Objects.requireNonNull(join(look(List.of(claim)))).decision();
    }

    /** It does not wait for the answer; what the server does not hear of is forfeited, and told to the listener. */
    void giveBack(List<Claim> claims, List<Long> permits, byte[] handle, boolean first) {
        var unused = combiner.giveBack(claims, permits, handle, first)
                .exceptionallyAsync(
                        failure -> {
                            if (failure instanceof StoreException why) {
                                claims.forEach(claim -> listener.storeFailed(claim.limiter(), claim.key(), why));
                            }
                            return null;
                        },
                        callbacks);
    }

    @Override
    public void reset(Claim claim) {
        change(Script.RESET, claim, new byte[][] {time.get()});
    }

    @Override
    public void block(Claim claim, long nanos) {
        long longest = Math.min(PackedLimits.micros(nanos), PackedLimits.LONGEST_BLOCK);
        byte[] micros = Long.toString(longest).getBytes(StandardCharsets.US_ASCII);
        change(Script.BLOCK, claim, new byte[][] {time.get(), micros});
    }

    private void change(Script script, Claim claim, byte[][] values) {
        join(combiner.run(script, List.of(claim), 0, values));
    }

    private static <T extends @Nullable Object> T join(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException why) {
                throw why;
            }
            throw failure;
        }
    }

    /** Closes its connections, and the client if it is its own. */
    @Override
    public void close() {
        link.close();
    }

    /** Says in the log when Redis goes and when it comes. */
    private static final class Logging implements Listener {
        private static final System.Logger LOG = System.getLogger("dev.weir.redis");

        @Override
        public void storeDown(StoreException why) {
            LOG.log(Level.WARNING, "{0}; limiters follow their failure policies", why.getMessage());
        }

        @Override
        public void storeUp() {
            LOG.log(Level.INFO, "Redis answers again");
        }
    }

    /** A denial that no booking stands behind. */
    private record Denied(Decision decision) implements Booking {
        @Override
        public void giveBack(long permits) {}

        @Override
        public void giveBackRest(long before) {}
    }

    /** Settings of a store; each but the URI has a default. Not thread-safe. */
    public static final class Builder {
        private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
        private static final Duration LONGEST = Duration.ofHours(1);

        private final String uri;
        private @Nullable AbstractRedisClient client;
        private String prefix = "weir";
        private @Nullable String secret;
        private Listener listener = new Logging();
        Duration timeout = Duration.ofMillis(50);
        private Duration denialMemory = Duration.ofSeconds(1);
        private boolean clocked;
        Supplier<byte[]> time = () -> PackedAsks.SERVER_TIME;

        private Builder(String uri) {
            this.uri = Connecting.checked(uri);
        }

        /** How long denials are remembered; not at all on a clock that may go at another pace than this process. */
        Duration denialMemory() {
            return clocked ? Duration.ZERO : denialMemory;
        }

        /** How long a call waits for Redis before the failure policy decides; 1 ms to 1 hour, by default 50 ms. */
        public Builder timeout(Duration timeout) {
            this.timeout = checked("timeout", timeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * How long a denial may be remembered in this process, at most until the time that Redis told. Up to an hour, by
         * default 1 s; zero turns it off. Who asks for more permits than were denied is told the same retry-after: the least
         * that it may be.
         */
        public Builder denialMemory(Duration denialMemory) {
            this.denialMemory = checked("denialMemory", denialMemory, Duration.ZERO);
            return this;
        }

        private static Duration checked(String what, Duration value, Duration least) {
            if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        what + " must be " + least.toMillis() + " ms to 1 hour, was " + value);
            }
            return value;
        }

        /** What the names of all keys begin with, before a colon: letters, digits, and {@code . _ : -}; by default "weir". */
        public Builder prefix(String prefix) {
            if (!PREFIX.matcher(prefix).matches()) {
                throw new IllegalArgumentException(
                        "prefix must be 1 to 64 letters, digits, '.', '_', ':' or '-', was '" + prefix + "'");
            }
            this.prefix = prefix;
            return this;
        }

        /**
         * Stores keys as 128 bits of their HMAC-SHA-256 under this secret, for keys that are personal data. All processes need
         * the same secret. By default keys are stored as they are.
         */
        public Builder hashKeys(String secret) {
            if (secret.isEmpty()) {
                throw new IllegalArgumentException("secret must not be empty");
            }
            this.secret = secret;
            return this;
        }

        /** Uses the application's own client, with a connection of its own; it is not shut down with the store. */
        public Builder client(RedisClient client) {
            this.client = Objects.requireNonNull(client, "client");
            return this;
        }

        /**
         * Uses the application's own client for a cluster; it is not shut down with the store. The URI is not used then.
         *
         * @throws IllegalArgumentException if it sends again what may have run: it needs the option {@code replayFilter(command
         *     -> true)} or {@code autoReconnect(false)}
         */
        public Builder client(RedisClusterClient client) {
            this.client = Connecting.checked(client);
            return this;
        }

        /**
         * Who hears that Redis is away or back, and of permits that could not be given back; by default the {@link
         * System.Logger} "dev.weir.redis" is told of the first two.
         */
        public Builder listener(Listener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * The time that scripts are given in place of the server's own, for tests and for replaying what has been. Denials are
         * not remembered then, and keys stay for an hour more.
         */
        public Builder clock(Clock clock) {
            Objects.requireNonNull(clock, "clock");
            time = () -> PackedAsks.time(Math.floorDiv(clock.nanos(), 1_000L));
            clocked = true;
            return this;
        }

        /**
         * The store. It waits up to a second, or the timeout if that is longer, for its first connection; if there is none by
         * then, limiters follow their failure policies until there is.
         */
        public RedisStore connect() {
            return new RedisStore(this);
        }
    }
}
