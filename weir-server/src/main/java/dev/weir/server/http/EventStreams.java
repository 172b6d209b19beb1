package dev.weir.server.http;

import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.Viewer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The streams of server-sent events: at most 32. For a client whose connection takes no more, one event is kept: those
 * after it are left out, and after ten of them its connection is closed. Thread-safe.
 */
public final class EventStreams implements AutoCloseable {
    private static final int MAX_STREAMS = 32;
    private static final int MAX_SKIPPED = 10;

    private final LiveSampler sampler;
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet(); // added to under the lock of this
    private volatile boolean closed; // set under it

    public EventStreams(LiveSampler sampler) {
        this.sampler = sampler;
    }

    /**
     * Makes a stream of a response, unless there are too many.
     *
     * @param response the response, with its headers
     * @param context that of the response's connection, which is the current one
     * @param beginning what is sent first
     * @return whether it is a stream
     */
    boolean open(HttpServerResponse response, Context context, Buffer beginning) {
        Stream stream = new Stream(response, context);
        synchronized (this) {
            if (closed || streams.size() >= MAX_STREAMS) {
                return false;
            }
            streams.add(stream);
        }
        response.exceptionHandler(failure -> stream.remove()); // the close handler is that of the timers
        Future<Void> unused = response.setChunked(true).write(beginning);
        sampler.join(stream);
        return true;
    }

    /** Returns the number of open streams. */
    public int count() {
        return streams.size();
    }

    /** Ends the streams that are open. */
    public void endAll() {
        streams.forEach(Stream::end);
    }

    /** Ends all streams, and opens no others. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        endAll();
    }

    /** One stream. What it sends is written on the event loop of its connection, one event at a time. */
    private final class Stream implements Viewer {
        private final HttpServerResponse response;
        private final Context context;
        private volatile boolean writing; // the bound of Vert.x's queue counts events, not bytes
        private volatile boolean gone;
        private int skipped; // events since the latest that was written; only the thread that samples

        Stream(HttpServerResponse response, Context context) {
            this.response = response;
            this.context = context;
        }

        @Override
        public boolean needsState() {
            return skipped > 0; // of the beginning, the sampler takes care
        }

        @Override
        public boolean send(String events) {
            if (gone || closed) {
                return false;
            } else if (!writing) {
                skipped = 0;
                writing = true;
                context.runOnContext(onLoop -> write(events));
                return true;
            }
            skipped++;
            if (skipped == MAX_SKIPPED) {
                context.runOnContext(onLoop -> reset());
            }
            return true;
        }

        private void write(String events) {
            if (!gone) {
                Future<Void> unused = response.write(Buffer.buffer(events)).onComplete(written -> {
                    writing = false;
                    if (written.failed()) {
                        remove();
                    }
                });
            }
        }

        private void reset() {
            if (!gone) {
                remove();
                Future<Void> unused = response.reset();
            }
        }

        void end() {
            context.runOnContext(onLoop -> {
                if (!gone) {
                    remove();
                    Future<Void> unused = response.end();
                }
            });
        }

        void remove() {
            streams.remove(this);
            gone = true;
        }
    }
}
