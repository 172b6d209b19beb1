package dev.weir.server;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls that are open: those of a connection by their number, whether or not the client has acknowledged the setting that
 * says so; those of all connections whose request is not complete by their memory, and each by the time until it is. A call with a
 * deadline of its own, as each of Envoy's has, ends at that and needs no timer. Thread-safe.
 */
final class CallGuard extends ServerTransportFilter implements ServerInterceptor {
    private static final Attributes.Key<AtomicInteger> OPEN_CALLS = Attributes.Key.create("open-calls");
    private static final Status TOO_MANY_OPEN = Status.RESOURCE_EXHAUSTED.withDescription("too many open calls");
    private static final Status TOO_MANY_PARTIAL =
            Status.RESOURCE_EXHAUSTED.withDescription("too many requests are incomplete");
    private static final Status TOO_LATE =
            Status.DEADLINE_EXCEEDED.withDescription("the message did not arrive in time");

    private final EventLoopGroup loops;
    private final int maxCalls;
    private final long requestMillis;
    private final FastThreadLocal<PartialRequests> partial; // of an event loop

    /**
     * Creates a guard.
     *
     * @param loops run the timers
     * @param maxCalls the most open calls of a connection
     * @param requestMillis the longest time until the request of a call is complete
     * @param partialBytes the memory that the requests of an event loop may take which are not complete
     */
    CallGuard(EventLoopGroup loops, int maxCalls, long requestMillis, long partialBytes) {
        this.loops = loops;
        this.maxCalls = maxCalls;
        this.requestMillis = requestMillis;
        this.partial = new FastThreadLocal<>() {
            @Override
            protected PartialRequests initialValue() {
                return new PartialRequests(partialBytes);
            }
        };
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        return transport.toBuilder().set(OPEN_CALLS, new AtomicInteger()).build();
    }

    @Override
    public <Q, S> Listener<Q> interceptCall(ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
        AtomicInteger open = Objects.requireNonNull(call.getAttributes().get(OPEN_CALLS), "set for each connection");
        ClosableCall<Q, S> closable = new ClosableCall<>(call);
        if (open.incrementAndGet() > maxCalls) {
            closable.close(TOO_MANY_OPEN, new Metadata());
            return new Guarded<>(new Listener<>() {}, open, closable);
        }
        Guarded<Q> guarded = new Guarded<>(next.startCall(closable, headers), open, closable);
        guarded.arriving = partial.get().add(() -> closable.close(TOO_MANY_PARTIAL, new Metadata()));
        ReceivedBytes.report(guarded.arriving);
        Deadline deadline = Context.current().getDeadline();
        if (deadline == null || deadline.timeRemaining(TimeUnit.MILLISECONDS) >= requestMillis) {
            guarded.timer = loops.next()
                    .schedule(() -> closable.close(TOO_LATE, new Metadata()), requestMillis, TimeUnit.MILLISECONDS);
        }
        return guarded;
    }

    /** A call that may be closed on any thread and more than once: what is sent after that has no effect. */
    private static final class ClosableCall<Q, S> extends SimpleForwardingServerCall<Q, S> {
        private boolean closed; // guarded by this

        ClosableCall(ServerCall<Q, S> call) {
            super(call);
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
        public synchronized void close(Status status, Metadata trailers) {
            if (!closed) {
                closed = true;
                super.close(status, trailers);
            }
        }
    }

    /** Counts its call until that ends, and ends the guards of its request when that is complete. */
    private static final class Guarded<Q> extends SimpleForwardingServerCallListener<Q> {
        private final AtomicInteger open;
        private final ClosableCall<Q, ?> call;
        private @Nullable ScheduledFuture<?> timer;
        private PartialRequests.@Nullable Partial arriving;

        Guarded(Listener<Q> listener, AtomicInteger open, ClosableCall<Q, ?> call) {
            super(listener);
            this.open = open;
            this.call = call;
        }

        private void stopTimer() {
            if (timer != null) {
                timer.cancel(false);
            }
        }

        private void complete() {
            stopTimer();
            if (arriving != null) {
                arriving.remove();
            }
        }

        @Override
        public void onMessage(Q message) {
            if (!call.isClosed()) {
                super.onMessage(message);
            }
            if (!isUnary()) { // a stream may stay open, but is among those that are ended if there are too many
                stopTimer();
            }
        }

        /** Nothing is decided before this: a request that was ended takes no permits. */
        @Override
        public void onHalfClose() {
            if (isUnary()) {
                complete();
            }
            if (!call.isClosed()) {
                super.onHalfClose();
            }
        }

        private boolean isUnary() {
            return call.getMethodDescriptor().getType() == MethodType.UNARY;
        }

        @Override
        public void onCancel() {
            open.decrementAndGet();
            complete();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            open.decrementAndGet();
            complete();
            super.onComplete();
        }
    }
}
