package dev.weir.redis;

import dev.weir.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Requests that wait to be sent, in a line for each key, in order of arrival. Lines take turns, so that many requests for one key
 * do not delay those for other keys. A joint request is in the lines of all its keys, and is taken when it is the first of each. Those
 * that may wait are not sent while earlier ones for their key are in flight that a script may leave for the next one.
 * Guarded by the lock of the {@link Batcher}.
 */
final class WaitingRequests {
    private static final int MAX_KEPT_BACK = 256; // of the lines that are looked at for one pipeline

    private final Map<KeyId, Line> lines = new HashMap<>(); // those that are not empty
    private final ArrayDeque<Line> turns =
            new ArrayDeque<>(); // all but those whose first request waits for another line, or for an answer
    private final Map<KeyId, PendingRequest> inFlight =
            new HashMap<>(); // the latest for each key that a script may leave
    private int size;

    /** The requests for one key. */
    private static final class Line {
        private final KeyId key;
        private final ArrayDeque<PendingRequest> requests = new ArrayDeque<>(1);
        private boolean hasTurn;

        Line(KeyId key) {
            this.key = key;
        }
    }

    /** Whether a request may be sent now. */
    boolean hasNext() {
        return !turns.isEmpty();
    }

    /** Returns the number of requests that wait. */
    int size() {
        return size;
    }

    /** Returns the number of keys for which requests wait. */
    int keys() {
        return lines.size();
    }

    /** Appends a request to the lines of its keys. */
    void add(PendingRequest pending) {
        size++;
        for (Request request : pending.requests()) {
            Line line = lines.computeIfAbsent(KeyId.of(request), Line::new);
            line.requests.add(pending);
            if (!line.hasTurn && line.requests.size() == 1) {
                line.hasTurn = true;
                turns.add(line);
            }
        }
    }

    /** Adds a request before all others for its keys. */
    void addFirst(PendingRequest pending) {
        size++;
        for (Request request : pending.requests()) {
            Line line = lines.computeIfAbsent(KeyId.of(request), Line::new);
            line.requests.addFirst(pending);
            if (!line.hasTurn) {
                line.hasTurn = true;
                turns.addFirst(line);
            }
        }
    }

    /**
     * Moves requests into a pipeline until it is full, and removes those that are complete or overdue.
     *
     * @param leadNanos how long before its answer a request must be sent
     * @param answering whether the server answers
     */
    void moveTo(PipelineBuilder pipeline, long now, long leadNanos, boolean answering) {
        List<PendingRequest> mayBeLeft = new ArrayList<>();
        ArrayDeque<Line> first = new ArrayDeque<>(); // in the next one: none of their requests is in this one
        ArrayDeque<Line> last = new ArrayDeque<>();
        while (!turns.isEmpty() && !pipeline.isFull() && first.size() + last.size() < MAX_KEPT_BACK) {
            Line line = turns.remove();
            line.hasTurn = false;
            int before = line.requests.size();
            while (!line.requests.isEmpty() && isNext(line.requests.element())) {
                PendingRequest next = line.requests.element();
                if (next.isOverdue(now, leadNanos, answering)) {
                    next.giveUp(); // the next tick fails it
                } else if (!next.isDone()) {
                    next.prepare(now);
                    if (!pipeline.add(next)) {
                        break;
                    }
                    next.sent(now);
                    if (next.mayBeLeft()) {
                        mayBeLeft.add(next);
                    }
                }
                remove(next, line);
            }
            if (line.requests.isEmpty()) {
                lines.remove(line.key, line);
            } else if (isNext(line.requests.element())) {
                line.hasTurn = true;
                (line.requests.size() == before ? first : last).add(line);
            }
        }
        while (!first.isEmpty()) {
            turns.addFirst(first.removeLast());
        }
        turns.addAll(last);
        for (PendingRequest pending : mayBeLeft) {
            pending.requests().forEach(request -> inFlight.put(KeyId.of(request), pending));
        }
    }

    /** Lets the requests be sent that wait for the answer to a batch: it is there, or nobody waits for it any more. */
    void answered(Batch batch) {
        for (PendingRequest pending : batch.requests()) {
            if (pending.mayBeLeft()) {
                answered(pending);
            }
        }
    }

    private void answered(PendingRequest pending) {
        for (Request request : pending.requests()) {
            KeyId key = KeyId.of(request);
            Line line = inFlight.remove(key, pending) ? lines.get(key) : null;
            if (line != null && !line.hasTurn && isNext(line.requests.element())) {
                line.hasTurn = true;
                turns.addFirst(line);
            }
        }
    }

    /** Whether a request, which is the first in the line of one of its keys, may be the next one for all its keys. */
    private boolean isNext(PendingRequest pending) {
        if (pending.mayWait() && !inFlight.isEmpty()) {
            for (Request request : pending.requests()) {
                if (inFlight.containsKey(KeyId.of(request))) {
                    return false;
                }
            }
        }
        return isFirst(pending);
    }

    /** Whether a request, which is the first in the line of one of its keys, is the first in those of all. */
    @SuppressWarnings("ReferenceEquality") // requests with equal content differ
    private boolean isFirst(PendingRequest pending) {
        if (pending.requests().size() == 1) {
            return true;
        }
        for (Request request : pending.requests()) {
            if (line(request).requests.peek() != pending) {
                return false;
            }
        }
        return true;
    }

    /** Removes a request that is the first of all its lines, one of which has its turn now. */
    @SuppressWarnings("ReferenceEquality") // a line is its own identity
    private void remove(PendingRequest pending, Line now) {
        size--;
        if (pending.requests().size() == 1) {
            now.requests.remove();
            return;
        }
        for (Request request : pending.requests()) {
            Line line = line(request);
            line.requests.remove();
            if (line != now && line.requests.isEmpty()) {
                lines.remove(line.key);
            } else if (line != now && !line.hasTurn) {
                line.hasTurn = true;
                turns.add(line);
            }
        }
    }

    private Line line(Request request) {
        return Objects.requireNonNull(lines.get(KeyId.of(request)));
    }
}
