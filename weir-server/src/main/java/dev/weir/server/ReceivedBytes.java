package dev.weir.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reports the bytes of a call's messages as they arrive, also those of a message that is not complete. Runs on its event loop. */
final class ReceivedBytes extends ServerStreamTracer {
    private static final Context.Key<ReceivedBytes> OF_CALL = Context.key("received-bytes");

    private PartialRequests.@Nullable Partial request;

    /** Creates one for each call. */
    static final class Factory extends ServerStreamTracer.Factory {
        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new ReceivedBytes();
        }
    }

    /** Reports the bytes of the current call to a request. */
    static void report(PartialRequests.Partial request) {
        Objects.requireNonNull(OF_CALL.get(), "set for each call").request = request;
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(OF_CALL, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
        if (request != null) {
            request.received(bytes);
        }
    }
}
