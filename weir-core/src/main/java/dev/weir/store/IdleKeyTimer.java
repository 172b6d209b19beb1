package dev.weir.store;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Removes the idle keys of a store while no new keys come: each second it visits a fifteenth of all, so that a key is removed within
 * 30 s of becoming idle. All stores share one timer, which does not keep an unreachable store alive. Thread-safe.
 */
final class IdleKeyTimer {
    private static final int SECONDS_PER_ROUND = 15; // a key that becomes idle after its visit waits for the next round
    private static final int MIN_VISITS = 1000;

    private static final Queue<WeakReference<IdleKeyTimer>> SCHEDULED = new ConcurrentLinkedQueue<>();
    private static final AtomicBoolean TICKING = new AtomicBoolean();

    private final KeyDirectory keys;
    private final LongSupplier time;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    IdleKeyTimer(KeyDirectory keys, LongSupplier time) {
        this.keys = keys;
        this.time = time;
    }

    /** Ensures that the timer visits this store while it has keys. */
    void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            SCHEDULED.add(new WeakReference<>(this));
            startTicking();
        }
    }

    private static void startTicking() {
        if (TICKING.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(IdleKeyTimer::tick);
        }
    }

    private static void tick() {
        List<WeakReference<IdleKeyTimer>> again = new ArrayList<>();
        try {
            for (int i = SCHEDULED.size(); i > 0; i--) { // not those that are scheduled again meanwhile
                WeakReference<IdleKeyTimer> next = SCHEDULED.poll();
                IdleKeyTimer timer = next == null ? null : next.get();
                if (timer != null && timer.visitAgain()) {
                    again.add(next);
                }
            }
        } finally { // a store whose time source throws is visited again when it has a new key
            SCHEDULED.addAll(again);
            TICKING.set(false);
            if (!SCHEDULED.isEmpty()) {
                startTicking();
            }
        }
    }

    private boolean visitAgain() {
        scheduled.set(false);
        visitOneSecond();
        return keys.size() > 0 && scheduled.compareAndSet(false, true);
    }

    /** Does what the timer does each second. */
    void visitOneSecond() {
        keys.visitShare(SECONDS_PER_ROUND, MIN_VISITS, time.getAsLong());
    }
}
