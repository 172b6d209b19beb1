package dev.weir.server.grpc;

import dev.weir.server.net.OpenRequests;
import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reports the bytes of a call's messages as they arrive, also those of a message that is not complete, and counts those of its answer.
 * Can cancel the call, also after it was closed, while its answer waits until the client takes it.
 */
final class CallBytes extends ServerStreamTracer {
    private static final Context.Key<CallBytes> OF_CALL = Context.key("call-bytes");

    private OpenRequests.@Nullable OpenRequest request;
    private @Nullable CancellableContext parent;
    private volatile long sent;

    /** Creates one for each call. */
    static final class Factory extends ServerStreamTracer.Factory {
        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new CallBytes();
        }
    }

    /** Returns that of the current call. */
    static CallBytes current() {
        return Objects.requireNonNull(OF_CALL.get(), "set for each call");
    }

    @Override
    public Context filterContext(Context context) {
        parent = context.withValue(OF_CALL, this).withCancellation();
        return parent;
    }

    /** Reports the bytes that arrive to a request. */
    void report(OpenRequests.OpenRequest arriving) {
        request = arriving;
    }

    @Override
    public void inboundWireSize(long bytes) {
        if (request != null) {
            request.received(bytes);
        }
    }

    @Override
    public void outboundWireSize(long bytes) {
        sent = bytes; // of the only answer
    }

    long sent() {
        return sent;
    }

    /** Resets the stream of the call. gRPC does so only for a context that is cancelled because it is late. */
    void cancel() {
        Objects.requireNonNull(parent, "set before the call").cancel(new TimeoutException("the answer is not taken"));
    }
}
