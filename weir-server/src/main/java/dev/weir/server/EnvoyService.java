package dev.weir.server;

import dev.weir.internal.Futures;
import dev.weir.server.EnvoyDecider.Answer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Envoy's rate limit service on gRPC. Thread-safe; runs on the event loops and never blocks. */
final class EnvoyService extends RateLimitServiceImplBase {
    private final EnvoyDecider decider;
    private final boolean needsStore;

    /**
     * Creates the service.
     *
     * @param needsStore whether a request fails while the store does, instead of being decided without it
     */
    EnvoyService(EnvoyDecider decider, boolean needsStore) {
        this.decider = decider;
        this.needsStore = needsStore;
    }

    @Override
    public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
        ServerCallStreamObserver<RateLimitResponse> call = (ServerCallStreamObserver<RateLimitResponse>) observer;
        call.setOnCancelHandler(() -> {}); // then answering a cancelled call does not throw
        CompletableFuture<?> unused = Futures.attempt(() -> decider.decide(request))
                .whenComplete((answer, failure) -> answer(call, answer, failure));
    }

    private void answer(
            ServerCallStreamObserver<RateLimitResponse> call, @Nullable Answer answer, @Nullable Throwable failure) {
        if (answer == null) {
            call.onError(status(Futures.cause(failure == null ? new IllegalStateException() : failure))
                    .asRuntimeException());
        } else if (needsStore && answer.decision().degraded()) {
            call.onError(Status.UNAVAILABLE
                    .withDescription("the store does not answer")
                    .asRuntimeException());
        } else if (call.isCancelled()) {
            answer.decision().cancel();
        } else {
            call.onNext(answer.response());
            call.onCompleted();
        }
    }

    private static Status status(Throwable failure) {
        return failure instanceof InvalidRequestException
                ? Status.INVALID_ARGUMENT.withDescription(failure.getMessage())
                : Status.INTERNAL.withCause(failure);
    }
}
