package dev.weir.server.grpc;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Answers a message that cannot be parsed with {@code INVALID_ARGUMENT}. The messages of a service are parsed in its handler rather
 * than by gRPC, which would log the failure as one of the server and answer {@code UNKNOWN}. Thread-safe.
 */
final class MessageGuard implements ServerInterceptor {

    /** Leaves the bytes as they are. */
    private static final Marshaller<InputStream> BYTES = new Marshaller<>() {
        @Override
        public InputStream stream(InputStream message) {
            return message;
        }

        @Override
        public InputStream parse(InputStream message) {
            return message;
        }
    };

    private MessageGuard() {}

    /** Returns a service whose messages are guarded. */
    static ServerServiceDefinition guard(BindableService service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useMarshalledMessages(service.bindService(), BYTES), new MessageGuard());
    }

    @Override
    public <Q, S> Listener<Q> interceptCall(ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
        return new Guarded<>(call, next.startCall(call, headers));
    }

    /** Closes the call if a message cannot be parsed; {@link CallGuard} forwards nothing of a call that is closed. */
    private static final class Guarded<Q> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, ?> call;

        Guarded(ServerCall<Q, ?> call, Listener<Q> listener) {
            super(listener);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            try {
                super.onMessage(message);
            } catch (StatusRuntimeException e) { // as parsers of protobuf report it
                call.close(Status.INVALID_ARGUMENT.withDescription("the message cannot be parsed"), new Metadata());
            }
        }
    }
}
