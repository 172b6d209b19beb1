package dev.weir.redis;

import dev.weir.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A script's pending result for one caller: an {@link Answer} if the script decides; else null, and {@link #raw} if the script
 * returns bytes.
 */
final class Call extends CompletableFuture<@Nullable Answer> implements JointRequest {
    /** When the call fails if it has no answer, by {@link System#nanoTime}. */
    final long deadline;

    private final List<Request> requests;
    private final long maxWaitNanos;
    private final boolean part;
    private volatile byte @Nullable [] raw;

    Call(List<Request> requests, long maxWaitNanos, long deadline) {
        this(requests, maxWaitNanos, deadline, false);
    }

    /** Creates a call whose requests may be a part of a larger joint request. */
    Call(List<Request> requests, long maxWaitNanos, long deadline, boolean part) {
        this.requests = requests;
        this.maxWaitNanos = maxWaitNanos;
        this.deadline = deadline;
        this.part = part;
    }

    @Override
    public List<Request> requests() {
        return requests;
    }

    @Override
    public long maxWaitNanos() {
        return maxWaitNanos;
    }

    @Override
    public boolean isPart() {
        return part;
    }

    /** Whether another call of the same line has the same limits. */
    boolean agreesWith(Call other) {
        return requests.get(0).limits().equals(other.requests.get(0).limits());
    }

    /** Sets the bytes that a script returned which does not decide; to be called before the call is completed. */
    void setRaw(byte[] bytes) {
        raw = bytes;
    }

    /** Returns the bytes that a script returned which does not decide; null if none. */
    byte @Nullable [] raw() {
        return raw;
    }
}
