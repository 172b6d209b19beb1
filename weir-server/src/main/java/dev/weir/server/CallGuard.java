package dev.weir.server;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls of a connection that are open: their number, whether or not the client has acknowledged the setting that says
 * so, and the time until their message arrives. A call with a deadline of its own, as each of Envoy's has, ends at that and
 * needs no timer. Thread-safe.
 */
final class CallGuard extends ServerTransportFilter implements ServerInterceptor {
    private static final Attributes.Key<AtomicInteger> OPEN_CALLS = Attributes.Key.create("open-calls");

    private final EventLoopGroup loops;
    private final int maxCalls;
    private final long requestMillis;

    /**
     * Creates a guard.
     *
     * @param loops run the timers
     * @param maxCalls the most open calls of a connection
     * @param requestMillis the longest time until the message of a call arrives
     */
    CallGuard(EventLoopGroup loops, int maxCalls, long requestMillis) {
        this.loops = loops;
        this.maxCalls = maxCalls;
        this.requestMillis = requestMillis;
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        return transport.toBuilder().set(OPEN_CALLS, new AtomicInteger()).build();
    }

    @Override
    public <Q, S> Listener<Q> interceptCall(ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
        AtomicInteger open = Objects.requireNonNull(call.getAttributes().get(OPEN_CALLS), "set for each connection");
        if (open.incrementAndGet() > maxCalls) {
            call.close(Status.RESOURCE_EXHAUSTED.withDescription("too many open calls"), new Metadata());
            return new Guarded<>(new Listener<>() {}, open);
        }
        Guarded<Q> guarded = new Guarded<>(next.startCall(call, headers), open);
        Deadline deadline = Context.current().getDeadline();
        if (deadline == null || deadline.timeRemaining(TimeUnit.MILLISECONDS) >= requestMillis) {
            guarded.timer = loops.next().schedule(() -> guarded.end(call), requestMillis, TimeUnit.MILLISECONDS);
        }
        return guarded;
    }

    /** Counts its call until that ends. Its event loop and the timer compete for what comes first. */
    private static final class Guarded<Q> extends SimpleForwardingServerCallListener<Q> {
        private final AtomicInteger open;
        private final AtomicBoolean settled = new AtomicBoolean();
        private boolean received;
        private @Nullable ScheduledFuture<?> timer;

        Guarded(Listener<Q> listener, AtomicInteger open) {
            super(listener);
            this.open = open;
        }

        private void end(ServerCall<Q, ?> call) {
            if (settled.compareAndSet(false, true)) {
                call.close(
                        Status.DEADLINE_EXCEEDED.withDescription("the message did not arrive in time"), new Metadata());
            }
        }

        /** Returns whether the call goes on; it does not after the timer has ended it. */
        private boolean receive() {
            if (!received && timer != null) {
                timer.cancel(false);
            }
            received |= settled.compareAndSet(false, true);
            return received;
        }

        @Override
        public void onMessage(Q message) {
            if (receive()) {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            if (receive()) {
                super.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            open.decrementAndGet();
            receive();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            open.decrementAndGet();
            receive();
            super.onComplete();
        }
    }
}
