package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store without locks, which is right for one thread: each operation reads the state of a key and replaces it a little later. It
 * grants joint requests one by one, and adds keys after it has looked for room.
 */
public final class UnlockedStore implements Store {
    private static final int PAUSE = 20; // spins between reading and writing
    private static final long NEVER = 1L << 60;

    private final Map<String, Slot> keys = new ConcurrentHashMap<>();
    private final TimeSource timeSource;
    private final Room room;
    private volatile long latest; // reading

    public UnlockedStore(TimeSource timeSource, Room room) {
        this.timeSource = timeSource;
        this.room = room;
    }

    /** The state of a key; immutable. */
    private record KeyState(NavigableMap<Long, Long> granted, long window, long blockedUntil, int resets) {
        static final KeyState EMPTY = new KeyState(new TreeMap<>(), 0, 0, 0);

        boolean isIdle(long now) {
            return blockedUntil <= now && (granted.isEmpty() || granted.lastKey() + window <= now);
        }

        GrantedPermits under(Limit limit) {
            GrantedPermits all = new GrantedPermits(limit.permits(), limit.windowNanos());
            granted.forEach(all::grant);
            return all;
        }

        long earliest(Limits limits, long now, long permits) {
            long earliest = Math.max(now, blockedUntil);
            for (long seen = -1; seen != earliest; ) {
                seen = earliest;
                for (Limit limit : limits.list()) {
                    earliest = under(limit).earliest(earliest, permits);
                }
            }
            return earliest;
        }

        long remaining(Limits limits, long now) {
            return limits.list().stream()
                    .mapToLong(limit -> under(limit).remaining(now))
                    .min()
                    .orElseThrow();
        }

        KeyState with(Limits limits, long instant, long permits) {
            NavigableMap<Long, Long> copy = new TreeMap<>(granted);
            copy.merge(instant, permits, Long::sum);
            copy.values().removeIf(weight -> weight == 0);
            long longest =
                    limits.list().stream().mapToLong(Limit::windowNanos).max().orElseThrow();
            return new KeyState(copy, Math.max(window, longest), blockedUntil, resets);
        }
    }

    private static final class Slot {
        volatile KeyState state = KeyState.EMPTY;

        void set(KeyState next) {
            pause();
            state = next;
        }
    }

    private record Grant(Request request, Slot slot, long instant, int resets) {
        void refund(long permits) {
            KeyState state = slot.state;
            if (state.resets == resets) {
                slot.set(state.with(request.limits(), instant, -permits));
            }
        }
    }

    private static void pause() {
        for (int i = 0; i < PAUSE; i++) {
            Thread.onSpinWait();
        }
    }

    /** Returns the maximum of all readings. */
    private long now() {
        long now = Math.max(latest, timeSource.nanos());
        pause();
        latest = now;
        return now;
    }

    private Slot slot(Request request, long now) {
        Slot slot = keys.get(request.key());
        if (slot != null) {
            return slot;
        }
        keys.values().removeIf(idle -> idle.state.isIdle(now));
        Slot added = new Slot();
        int bytes = keys.keySet().stream().mapToInt(String::length).sum()
                + request.key().length();
        boolean full = keys.size() >= room.maxKeys() || bytes > room.maxKeyBytes();
        if (!full) {
            keys.put(request.key(), added);
        } else {
            added.state = new KeyState(new TreeMap<>(), 0, NEVER, 0);
        }
        return added;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return reserve(List.of(Request.of(limiter, limits, key, permits)), 0).decision();
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        long now = now();
        List<Grant> grants = new ArrayList<>();
        Decision decision = Decision.denied(requests.get(0).limits().list().get(0), 0, 1, 0, now);
        for (Request request : requests) {
            Slot slot = slot(request, now);
            KeyState state = slot.state;
            decision = decision(state, request, now, maxWaitNanos);
            if (!decision.allowed()) {
                slot.set(state);
                grants.forEach(grant -> grant.refund(grant.request.permits()));
                break;
            }
            long instant = now + decision.waitNanos();
            slot.set(state.with(request.limits(), instant, request.permits()));
            grants.add(new Grant(request, slot, instant, state.resets));
        }
        return reservation(decision, grants);
    }

    private static Decision decision(KeyState state, Request request, long now, long maxWaitNanos) {
        Limits limits = request.limits();
        Limit limit = limits.list().get(0);
        long wait = state.earliest(limits, now, request.permits()) - now;
        if (wait > maxWaitNanos) {
            return Decision.denied(limit, state.remaining(limits, now), wait, 0, now);
        }
        KeyState after = state.with(limits, now + wait, request.permits());
        return Decision.allowed(limit, after.remaining(limits, now), wait, 0, now);
    }

    private static StoreReservation reservation(Decision decision, List<Grant> grants) {
        return new StoreReservation() {
            @Override
            public Decision decision() {
                return decision;
            }

            @Override
            public void refund(long permits) {
                grants.forEach(grant -> grant.refund(permits));
            }

            @Override
            public void cancel(long refunded) {
                grants.forEach(grant -> grant.refund(grant.request.permits() - refunded));
            }
        };
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        Slot slot = keys.getOrDefault(request.key(), new Slot());
        Decision after = decision(slot.state, request, now(), 0);
        long remaining = slot.state.remaining(request.limits(), after.timeNanos());
        return CompletableFuture.completedFuture(
                after.allowed() ? Decision.allowed(after.limit(), remaining, 0, 0, after.timeNanos()) : after);
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        Slot slot = keys.getOrDefault(request.key(), new Slot());
        slot.set(new KeyState(new TreeMap<>(), 0, 0, slot.state.resets + 1));
        return done();
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        Slot slot = slot(request, now());
        KeyState state = slot.state;
        long until = Math.max(state.blockedUntil, now() + nanos);
        slot.set(new KeyState(state.granted, state.window, until, state.resets));
        return done();
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        Slot slot = slot(request, now());
        KeyState state = slot.state;
        slot.set(new KeyState(state.granted, state.window, 0, state.resets));
        return done();
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
