package dev.weir.server.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections on which no whole request arrives in time: neither silent ones nor those whose client sends a request byte by
 * byte stay open. A connection with a request that is not answered yet has no timer. One that is being closed stays open until the
 * client has taken its answers, and no more requests of it are to be answered: Vert.x then writes answers without a bound. Used on
 * one event loop.
 */
final class RequestTimers {
    private final Vertx vertx;
    private final long firstMillis;
    private final long nextMillis;
    private final Map<HttpConnection, State> connections = new HashMap<>();
    private final Promise<Void> allClosed = Promise.promise();
    private boolean stopping;

    /** What is known of a connection. */
    private static final class State {
        private int requests;
        private @Nullable Long timer;
        private boolean closed; // or being closed
    }

    /**
     * Creates timers.
     *
     * @param firstMillis how long a new connection may take for its first request
     * @param nextMillis how long after an answer the next request may arrive
     */
    RequestTimers(Vertx vertx, long firstMillis, long nextMillis) {
        this.vertx = vertx;
        this.firstMillis = firstMillis;
        this.nextMillis = nextMillis;
    }

    /** A connection is open. */
    void opened(HttpConnection connection) {
        State state = new State();
        connections.put(connection, state);
        start(connection, state, firstMillis);
    }

    /** Lets no more requests of a connection begin, which is to be closed after its answers. */
    void last(HttpConnection connection) {
        State state = connections.get(connection);
        if (state != null) {
            end(state);
        }
    }

    /** A connection is closed. */
    void closed(HttpConnection connection) {
        State state = connections.remove(connection);
        if (state != null) {
            end(state);
        }
        completeIfAllClosed();
    }

    /** Returns a future that completes when no connection is left, or after the given time. */
    Future<Void> allClosed(long millis) {
        stopping = true;
        vertx.setTimer(millis, late -> allClosed.tryComplete());
        completeIfAllClosed();
        return allClosed.future();
    }

    private void completeIfAllClosed() {
        if (stopping && connections.isEmpty()) {
            allClosed.tryComplete();
        }
    }

    /**
     * A request has arrived, up to its body.
     *
     * @return what is to be called when it has been answered; more than once has no further effect. Null if it is not to be answered:
     *     its connection is closed, or being closed
     */
    @Nullable
    Handler<Void> began(HttpConnection connection) {
        State state = connections.get(connection);
        if (state == null || state.closed) {
            return null;
        }
        cancel(state);
        state.requests++;
        boolean[] done = new boolean[1];
        return ended -> {
            if (!done[0]) {
                done[0] = true;
                state.requests--;
                if (state.requests == 0 && !state.closed) {
                    start(connection, state, nextMillis);
                }
            }
        };
    }

    private void start(HttpConnection connection, State state, long millis) {
        state.timer = vertx.setTimer(millis, late -> {
            end(state);
            Future<Void> unused = connection.close();
        });
    }

    private void end(State state) {
        state.closed = true;
        cancel(state);
    }

    private void cancel(State state) {
        if (state.timer != null) {
            vertx.cancelTimer(state.timer);
            state.timer = null;
        }
    }
}
