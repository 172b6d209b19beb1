package dev.weir.server.grpc;

import dev.weir.server.decision.ServerMetrics;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;

/** Counts a call when it ends, whatever ends it, and measures its time. */
final class CallTimer extends ServerStreamTracer {
    private static final String UNKNOWN = "other"; // until it is known as a method of a service

    private final ServerMetrics metrics;
    private final long began = System.nanoTime();
    private volatile String method = UNKNOWN;

    private CallTimer(ServerMetrics metrics) {
        this.metrics = metrics;
    }

    /** Creates one for each call. */
    static final class Factory extends ServerStreamTracer.Factory {
        private final ServerMetrics metrics;

        Factory(ServerMetrics metrics) {
            this.metrics = metrics;
        }

        @Override
        public ServerStreamTracer newServerStreamTracer(String sent, Metadata headers) {
            return new CallTimer(metrics);
        }
    }

    @Override
    public void serverCallStarted(ServerCallInfo<?, ?> call) {
        String name = call.getMethodDescriptor().getBareMethodName();
        method = name == null ? UNKNOWN : name;
    }

    @Override
    public void streamClosed(Status status) {
        metrics.answered(method, status.getCode().name(), System.nanoTime() - began);
    }
}
