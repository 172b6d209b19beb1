package dev.weir.server.net;

import org.jspecify.annotations.Nullable;

/**
 * The requests of an event loop that have begun to arrive and are not complete, or whose answer the client has not taken: those of all
 * its connections together take a bounded share of the memory. If they exceed it, the oldest are ended. A request that arrives at once
 * and whose answer is read is never among these, so clients that do neither cannot displace the others. Thread-safe.
 */
public final class OpenRequests {
    private static final int PIECE_BYTES = 256; // the buffer of a piece

    private final long maxBytes;

    // Guarded by this, as what the list contains.
    private @Nullable OpenRequest oldest;
    private @Nullable OpenRequest newest;
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
     * @param ownBytes what it takes while it is in the list, besides its pieces
     * @param end ends the request; called on any thread, at most once, perhaps before this method returns
     */
    public OpenRequest add(long ownBytes, Runnable end) {
        OpenRequest added = new OpenRequest(ownBytes, end);
        added.grow(0);
        return added;
    }

    /** Removes the oldest request if all of them take too much. */
    private synchronized @Nullable OpenRequest removeExcess() {
        OpenRequest excess = bytes > maxBytes ? oldest : null;
        if (excess != null) {
            excess.remove();
        }
        return excess;
    }

    /** One request, which is in the list while it takes memory. */
    public final class OpenRequest {
        private final long ownBytes;
        private final Runnable end;
        private @Nullable OpenRequest older;
        private @Nullable OpenRequest newer;
        private long size; // 0 if it is not in the list
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
                long added = size == 0 ? more + ownBytes : more;
                if (size == 0) {
                    link();
                }
                size += added;
                bytes += added;
                tooMuch = bytes > maxBytes;
            }
            for (OpenRequest next = tooMuch ? removeExcess() : null; next != null; next = removeExcess()) {
                next.end.run();
            }
        }

        private void link() {
            older = newest;
            if (older == null) {
                oldest = this;
            } else {
                older.newer = this;
            }
            newest = this;
        }

        private void unlink() {
            if (older == null) {
                oldest = newer;
            } else {
                older.newer = newer;
            }
            if (newer == null) {
                newest = older;
            } else {
                newer.older = older;
            }
            older = null;
            newer = null;
        }

        /** The request is complete. It takes nothing until the next piece, and is the newest then. */
        public void complete() {
            synchronized (OpenRequests.this) {
                if (size > 0) {
                    unlink();
                    bytes -= size;
                    size = 0;
                }
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
