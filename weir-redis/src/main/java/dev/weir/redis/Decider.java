package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Decides requests: from the cache of denials, in a batch, or on keys of several slots one slot after the other. */
final class Decider {
    /** The most limits of a request on all its keys, so that no script runs longer than 5 ms. */
    static final int MAX_LIMITS = 64;

    private final boolean cluster;
    private final Keys keys;
    private final DenialCache denials;
    private final Batcher batcher;
    private final KeyCommands commands;

    Decider(boolean cluster, Keys keys, DenialCache denials, Batcher batcher, KeyCommands commands) {
        this.cluster = cluster;
        this.keys = keys;
        this.denials = denials;
        this.batcher = batcher;
        this.commands = commands;
    }

    Decision decide(String limiter, Limits limits, String key, long permits) {
        Decision denied = denials.denial(limiter, limits, key, permits, 0);
        if (denied != null) {
            return denied;
        }
        PackedLimits.of(limits); // checks them before other requests share the script
        Request request = Request.of(limiter, limits, key, permits);
        return Futures.join(batcher.decide(List.of(request), 0, true)).decision();
    }

    StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return Futures.join(reserve(requests, maxWaitNanos, true));
    }

    CompletableFuture<StoreReservation> reserveAsync(List<Request> requests, long maxWaitNanos) {
        return reserve(requests, maxWaitNanos, false);
    }

    private CompletableFuture<StoreReservation> reserve(List<Request> requests, long maxWaitNanos, boolean awaited) {
        check(requests);
        StoreReservation denied = cachedDenial(requests, maxWaitNanos);
        if (denied != null) {
            return CompletableFuture.completedFuture(denied);
        }
        List<CrossSlotReservation.Part> parts = parts(requests);
        return parts.size() <= 1
                ? batcher.decide(requests, maxWaitNanos, awaited)
                : new CrossSlotReservation(parts, commands, batcher).reserve();
    }

    private static void check(List<Request> requests) {
        int limits = 0;
        for (Request request : requests) {
            PackedLimits.of(request.limits());
            limits += request.limits().list().size();
        }
        if (limits > MAX_LIMITS) {
            throw new IllegalArgumentException("a request on Redis may have at most " + MAX_LIMITS
                    + " limits on all its keys together, had " + limits);
        }
    }

    private @Nullable StoreReservation cachedDenial(List<Request> requests, long maxWaitNanos) {
        if (requests.size() > 1) {
            return null;
        }
        Request only = requests.get(0);
        Decision denied = denials.denial(only.limiter(), only.limits(), only.key(), only.permits(), maxWaitNanos);
        return denied == null ? null : StoreReservation.of(denied, List.of());
    }

    /** Returns the parts of requests that scripts decide one after the other; none if one script decides them. */
    private List<CrossSlotReservation.Part> parts(List<Request> requests) {
        return requests.size() > 1 && cluster ? CrossSlotReservation.parts(requests, keys) : List.of();
    }
}
