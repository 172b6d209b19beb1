package dev.weir.server;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The requests of an event loop that have begun to arrive and are not complete, or whose answer the client has not taken: those of all
 * its connections together take a bounded share of the memory. If they exceed it, the oldest are ended. A request that arrives at once
 * and whose answer is read is never among these, so clients that do neither cannot displace the others. Thread-safe.
 */
final class OpenRequests {
    private static final int REQUEST_BYTES = 4 << 10; // headers, timer and the state that libraries keep
    private static final int PIECE_BYTES = 256; // the buffer of a piece

    private final long maxBytes;
    private final Set<OpenRequest> oldestFirst = new LinkedHashSet<>(); // guarded by itself, as the next
    private long bytes;

    /**
     * Creates a bound.
     *
     * @param maxBytes the memory that all requests may take together
     */
    OpenRequests(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Adds a request of which nothing but the headers has arrived.
     *
     * @param end ends the request; called on any thread, at most once, perhaps before this method returns
     */
    OpenRequest add(Runnable end) {
        OpenRequest added = new OpenRequest(end);
        added.grow(0);
        return added;
    }

    /** One request. */
    final class OpenRequest {
        private final Runnable end;
        private long size;
        private boolean removed;

        private OpenRequest(Runnable end) {
            this.end = end;
        }

        /** Adds a piece that has arrived, or an answer that is not taken yet. Has no effect after {@link #remove()}. */
        void received(long piece) {
            grow(piece + PIECE_BYTES);
        }

        private void grow(long more) {
            List<OpenRequest> ended = new ArrayList<>(0);
            synchronized (oldestFirst) {
                if (removed) {
                    return;
                }
                long added = oldestFirst.add(this) ? more + REQUEST_BYTES : more;
                size += added;
                bytes += added;
                for (Iterator<OpenRequest> oldest = oldestFirst.iterator(); bytes > maxBytes; ) {
                    OpenRequest next = oldest.next();
                    oldest.remove();
                    next.removed = true;
                    bytes -= next.size;
                    ended.add(next);
                }
            }
            ended.forEach(one -> one.end.run());
        }

        /**
         * The request is complete. It takes nothing until the next piece, and is the newest then.
         *
         * @return false if it was ended, or removed before
         */
        boolean complete() {
            synchronized (oldestFirst) {
                boolean complete = oldestFirst.remove(this);
                if (complete) {
                    bytes -= size;
                    size = 0;
                }
                return complete;
            }
        }

        /** Removes the request: its answer is taken, or its connection is closed. */
        void remove() {
            synchronized (oldestFirst) {
                complete();
                removed = true;
            }
        }
    }
}
