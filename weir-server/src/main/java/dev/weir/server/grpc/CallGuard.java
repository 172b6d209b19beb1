package dev.weir.server.grpc;

import dev.weir.server.net.MemoryBounds;
import dev.weir.server.net.OpenRequests;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls that are open: those of a connection by their number, whether or not the client has acknowledged the setting that
 * says so; those of an event loop, and of these the ones whose request is not complete or whose answer the client does not take, by
 * their memory; and the time until a request is complete. A call with a deadline of its own, as each of Envoy's has, ends at that and needs
 * no timer. A stream of answers to a complete request, such as a health watch, has no bound but the memory of those: other clients cannot
 * end it. Thread-safe.
 */
final class CallGuard extends ServerTransportFilter implements ServerInterceptor {
    private static final Attributes.Key<OpenCalls> OPEN_CALLS = Attributes.Key.create("open-calls");
    private static final Status TOO_MANY_OPEN = Status.RESOURCE_EXHAUSTED.withDescription("too many open calls");
    private static final Status TOO_MANY_PARTIAL =
            Status.RESOURCE_EXHAUSTED.withDescription("too many requests are incomplete");
    private static final Status STOPPING = Status.UNAVAILABLE.withDescription("the server stops");
    private static final Status TOO_LATE =
            Status.DEADLINE_EXCEEDED.withDescription("the message did not arrive in time");

    private final EventLoopGroup loops;
    private final int maxCalls;
    private final long windowBytes;
    private final long requestMillis;

    /**
     * Creates a guard.
     *
     * @param loops of the connections
     * @param maxCalls the most open calls of a connection
     * @param windowBytes what a client may send before it is read
     * @param requestMillis the longest time until the request of a call is complete
     */
    CallGuard(EventLoopGroup loops, int maxCalls, long windowBytes, long requestMillis) {
        this.loops = loops;
        this.maxCalls = maxCalls;
        this.windowBytes = windowBytes;
        this.requestMillis = requestMillis;
    }

    private CallLoop currentLoop() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return (CallLoop) loop;
            }
        }
        throw new IllegalStateException("a connection is ready on its event loop");
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        return transport.toBuilder()
                .set(OPEN_CALLS, new OpenCalls(currentLoop(), maxCalls))
                .build();
    }

    @Override
    public <Q, S> Listener<Q> interceptCall(ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
        MethodType type = call.getMethodDescriptor().getType();
        OpenCalls open = Objects.requireNonNull(call.getAttributes().get(OPEN_CALLS), "set for each connection");
        CallBytes bytes = CallBytes.current();
        ClosableCall<Q, S> closable = new ClosableCall<>(call, bytes, open, ownBytes(headers));
        if (!open.begin(closable)) {
            closable.close(TOO_MANY_OPEN, new Metadata());
            return new Guarded<>(new Listener<>() {}, closable);
        }
        Guarded<Q> guarded = new Guarded<>(next.startCall(closable, headers), closable);
        closable.request = open.loop.requests().add(closable.ownBytes, closable::end);
        bytes.report(closable.request);
        if (!type.clientSendsOneMessage()) {
            closable.request.received(windowBytes); // more may wait there while the client does not take the answers
        }
        Deadline deadline = Context.current().getDeadline();
        if (deadline == null || deadline.timeRemaining(TimeUnit.MILLISECONDS) >= requestMillis) {
            guarded.timer = open.loop.schedule(
                    () -> closable.close(TOO_LATE, new Metadata()), requestMillis, TimeUnit.MILLISECONDS);
        }
        return guarded;
    }

    /**
     * Returns the memory that a call takes without its message. Only gRPC's internal class gives the bytes of headers: the public methods
     * of {@link Metadata} decode each text, which takes fifty times as long.
     */
    private static long ownBytes(Metadata headers) {
        byte[][] namesAndValues = InternalMetadata.serialize(headers);
        long textBytes = 0;
        for (byte[] text : namesAndValues) {
            textBytes += text.length;
        }
        return MemoryBounds.requestBytes(namesAndValues.length / 2, textBytes);
    }

    /** The number of open calls of a connection. Used on its event loop, which counts them, too. */
    private static final class OpenCalls {
        private final CallLoop loop;
        private final int maxCalls;
        private int calls;

        OpenCalls(CallLoop loop, int maxCalls) {
            this.loop = loop;
            this.maxCalls = maxCalls;
        }

        /** Counts a call, and returns whether there is room for it. */
        boolean begin(ClosableCall<?, ?> call) {
            calls++;
            boolean loopHasRoom = loop.begin(call.type(), call.ownBytes, call);
            return loopHasRoom && calls <= maxCalls;
        }

        void end(ClosableCall<?, ?> call) {
            loop.end(call.type(), call.ownBytes, call);
            calls--;
        }
    }

    /** A call that may be closed on any thread and more than once: what is sent after that has no effect. */
    private static final class ClosableCall<Q, S> extends SimpleForwardingServerCall<Q, S> implements Runnable {
        private final CallBytes bytes;
        private final OpenCalls open; // of the connection
        private final long ownBytes;
        private OpenRequests.@Nullable OpenRequest request;
        private boolean closed; // guarded by this

        ClosableCall(ServerCall<Q, S> call, CallBytes bytes, OpenCalls open, long ownBytes) {
            super(call);
            this.bytes = bytes;
            this.open = open;
            this.ownBytes = ownBytes;
        }

        MethodType type() {
            return getMethodDescriptor().getType();
        }

        synchronized boolean isClosed() {
            return closed;
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!closed) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(S message) {
            if (!closed) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
                super.close(status, trailers);
            }
            open.loop.answered();
            OpenRequests.OpenRequest untaken = request;
            if (untaken != null) { // gRPC sends the answer in a task: it is not taken if it is there after that
                open.loop.execute(() -> untaken.received(bytes.sent()));
            }
        }

        /** Ends the call because the server stops. */
        @Override
        public void run() {
            close(STOPPING, new Metadata());
        }

        /** Ends the call because there are too many: with a status, or if it has one, without the rest of its answer. */
        void end() {
            if (isClosed()) {
                bytes.cancel();
            } else {
                close(TOO_MANY_PARTIAL, new Metadata());
            }
        }
    }

    /** Counts its call until that ends, and ends the guards of its request when that is complete. */
    private static final class Guarded<Q> extends SimpleForwardingServerCallListener<Q> {
        private final ClosableCall<Q, ?> call;
        private @Nullable ScheduledFuture<?> timer;

        Guarded(Listener<Q> listener, ClosableCall<Q, ?> call) {
            super(listener);
            this.call = call;
        }

        private void stopTimer() {
            if (timer != null) {
                timer.cancel(false);
            }
        }

        @Override
        public void onMessage(Q message) {
            if (!call.isClosed()) {
                super.onMessage(message);
            }
        }

        /** Nothing is decided before this: a request that was ended takes no permits. */
        @Override
        public void onHalfClose() {
            stopTimer();
            if (call.request != null) {
                call.request.complete();
            }
            if (!call.isClosed()) {
                super.onHalfClose();
            }
        }

        private void ended() {
            call.open.end(call);
            stopTimer();
            if (call.request != null) {
                call.request.remove();
            }
        }

        @Override
        public void onCancel() {
            ended();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            ended();
            super.onComplete();
        }
    }
}
