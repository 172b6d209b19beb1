package dev.weir.server.net;

import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A deadline for event loops while a server stops listening: five seconds, of which one that nothing blocks needs a few milliseconds. */
public final class StopDeadline {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long start = System.nanoTime();

    /**
     * Waits for a step of an event loop, at most until the deadline. Not called on that event loop.
     *
     * @return whether the step is done
     */
    public boolean await(Future<?> step) {
        return step.awaitUninterruptibly(Math.max(0, NANOS - (System.nanoTime() - start)), TimeUnit.NANOSECONDS);
    }
}
