package dev.weir.store;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Removes the idle keys of a store: each second it visits a fifteenth of all, so that a key is removed within
 * 30 s of becoming idle. It uses the timer of the JDK, and does not keep an unreachable store alive. Thread-safe.
 */
final class IdleKeyTimer {
    private static final int SECONDS_PER_ROUND = 15; // a key that becomes idle after its visit waits for the next round
    private static final int MIN_VISITS = 1000;

    /* On the common pool if that has threads, which no method tells: the default may start one for each task. */
    private static final Executor DELAYED =
            Integer.getInteger("java.util.concurrent.ForkJoinPool.common.parallelism", 1) == 0
                    ? CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)
                    : CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, ForkJoinPool.commonPool());

    /** Runs tasks a second later. It captures nothing, so that the threads of the pool are not part of a store's objects. */
    static final Executor NEXT_SECOND = task -> DELAYED.execute(task);

    private final KeyDirectory keys;
    private final LongSupplier time;
    private final Executor nextSecond;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    IdleKeyTimer(KeyDirectory keys, LongSupplier time, Executor nextSecond) {
        this.keys = keys;
        this.time = time;
        this.nextSecond = nextSecond;
    }

    /** Ensures that the timer visits this store while it has keys. */
    void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                nextSecond.execute(visitOf(new WeakReference<>(this)));
            } catch (Throwable failure) { // no memory: the next request tries again
                scheduled.set(false);
                throw failure;
            }
        }
    }

    private static Runnable visitOf(WeakReference<IdleKeyTimer> reference) {
        return () -> {
            IdleKeyTimer timer = reference.get();
            if (timer != null) {
                timer.visitAndSchedule();
            }
        };
    }

    private void visitAndSchedule() {
        scheduled.set(false); // first: a store whose time source throws is visited again when it has a new key
        visitOneSecond();
        if (keys.size() > 0) {
            schedule();
        }
    }

    /** Does what the timer does each second. */
    void visitOneSecond() {
        keys.visitShare(SECONDS_PER_ROUND, MIN_VISITS, time.getAsLong());
    }
}
