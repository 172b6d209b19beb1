package dev.weir.redis;

import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests that one script decides, in groups for the same keys under the same limits. */
final class Batch {
    private final int slot;
    private final List<List<PendingRequest>> groups;
    private final List<PendingRequest> requests;
    private final long sentAt;
    private final long madeAt = System.nanoTime();
    private boolean ended; // guarded by the lock of the Batcher
    private volatile boolean written;
    private volatile @Nullable CircuitBreaker circuit; // of the server that it is sent to

    /**
     * Creates a batch for keys of one slot, or of any slots on a server without slots.
     *
     * @param groups requests for the same keys under the same limits, each in order of arrival
     */
    Batch(int slot, List<List<PendingRequest>> groups, long sentAt) {
        this.slot = slot;
        this.groups = groups;
        this.requests = new ArrayList<>();
        for (List<PendingRequest> group : groups) {
            requests.addAll(group);
        }
        this.sentAt = sentAt;
    }

    /** Returns the script that decides it. */
    Script script() {
        return requests.get(0).script();
    }

    int slot() {
        return slot;
    }

    List<List<PendingRequest>> groups() {
        return groups;
    }

    /** Returns the requests of all groups, in the order of the answers. */
    List<PendingRequest> requests() {
        return requests;
    }

    /** Returns when it was sent, by {@link Timer#nanos}. */
    long sentAt() {
        return sentAt;
    }

    /** Returns when it was made, just before it was sent, by {@link System#nanoTime}, which counts pauses as a server's clock does. */
    long madeAt() {
        return madeAt;
    }

    /** Records that it is answered, or has failed. */
    void end() {
        ended = true;
    }

    /** Whether it is answered, or has failed. */
    boolean isEnded() {
        return ended;
    }

    /** Records the circuit of the server that it is sent to. */
    void sentTo(CircuitBreaker server) {
        circuit = server;
    }

    /** Notifies the circuit of its server, which may serve other slots by now, that it is not answered in time. */
    void unanswered(long now) {
        CircuitBreaker server = circuit;
        if (server != null) {
            server.unanswered(sentAt, now);
        }
    }

    /** Fails its requests. */
    void fail(Throwable failure, Timer timer) {
        for (PendingRequest pending : requests) {
            pending.fail(Futures.cause(failure) instanceof StoreException why ? Errors.copy(why) : failure, timer);
        }
    }

    /** Records that it is written: what the I/O thread sends from now on arrives later. */
    void written() {
        written = true;
    }

    /** Whether it is written; false while it waits for the I/O thread. */
    boolean isWritten() {
        return written;
    }

    /** Returns a batch for each group, which is in no pipeline. */
    List<Batch> parts() {
        List<Batch> parts = new ArrayList<>(groups.size());
        for (List<PendingRequest> group : groups) {
            Batch part = new Batch(slot, List.of(group), sentAt);
            part.end();
            parts.add(part);
        }
        return parts;
    }

    /** Returns the number of pending requests. */
    int size() {
        return requests.size();
    }

    /** Returns one request for each key that the script accesses, with repetitions. */
    List<Request> requestsByKey() {
        if (groups.size() == 1) {
            return requests.get(0).requests();
        }
        List<Request> all = new ArrayList<>();
        groups.forEach(group -> all.addAll(group.get(0).requests()));
        return all;
    }
}
