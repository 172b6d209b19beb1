package dev.weir.server.net;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an event loop that have begun to arrive and are not complete, or whose answer the client has not taken: those of all
 * its connections together take a bounded share of the memory. If they exceed it, the oldest are ended. A request that arrives at once
 * and whose answer is read is never among these, so clients that do neither cannot displace the others. Thread-safe.
 */
public final class OpenRequests {
    private static final int PIECE_BYTES = 256; // the buffer of a piece

    private final long maxBytes;

    // Guarded by this, as the fields of those requests.
    private final Set<OpenRequest> requests = new LinkedHashSet<>(); // that take memory, oldest first
    private long bytes;

    /**
     * Creates a bound.
     *
     * @param maxBytes the memory that all requests may take together
     */
    public OpenRequests(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Adds a request of which nothing but the headers has arrived.
     *
     * @param ownBytes what it takes while it is open, besides its pieces
     * @param end ends the request; called on any thread, at most once, perhaps before this method returns
     */
    public OpenRequest add(long ownBytes, Runnable end) {
        OpenRequest added = new OpenRequest(ownBytes, end);
        added.grow(0);
        return added;
    }

    /** Removes the oldest request if all of them take too much. */
    private synchronized @Nullable OpenRequest removeExcess() {
        Iterator<OpenRequest> oldest = requests.iterator();
        if (bytes <= maxBytes || !oldest.hasNext()) {
            return null;
        }
        OpenRequest excess = oldest.next();
        excess.remove();
        return excess;
    }

    /** One request. It takes memory until it is complete, and again from the next piece on. */
    public final class OpenRequest {
        private final long ownBytes;
        private final Runnable end;
        private long size; // 0 if it takes no memory
        private boolean removed;

        private OpenRequest(long ownBytes, Runnable end) {
            this.ownBytes = ownBytes;
            this.end = end;
        }

        /** Adds a piece that has arrived, or an answer that is not taken yet. Has no effect after {@link #remove()}. */
        public void received(long piece) {
            grow(piece + PIECE_BYTES);
        }

        private void grow(long more) {
            boolean tooMuch;
            synchronized (OpenRequests.this) {
                if (removed) {
                    return;
                }
                long added = requests.add(this) ? more + ownBytes : more;
                size += added;
                bytes += added;
                tooMuch = bytes > maxBytes;
            }
            for (OpenRequest next = tooMuch ? removeExcess() : null; next != null; next = removeExcess()) {
                next.end.run();
            }
        }

        /** The request is complete. It takes nothing until the next piece, and is the newest then. */
        public void complete() {
            synchronized (OpenRequests.this) {
                requests.remove(this);
                bytes -= size;
                size = 0;
            }
        }

        /** Removes the request: its answer is taken, or its connection is closed. */
        public void remove() {
            synchronized (OpenRequests.this) {
                complete();
                removed = true;
            }
        }
    }
}
