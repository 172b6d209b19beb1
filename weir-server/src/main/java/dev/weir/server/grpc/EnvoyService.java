package dev.weir.server.grpc;

import dev.weir.internal.Futures;
import dev.weir.server.decision.EnvoyDecider.Answer;
import dev.weir.server.decision.InvalidRequestException;
import dev.weir.store.StoreException;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Envoy's rate limit service on gRPC. Thread-safe; runs on the event loops and never blocks. */
public final class EnvoyService extends RateLimitServiceImplBase {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final Status NO_STORE =
            Status.UNAVAILABLE.withDescription("the store failed; the log of the server says why");

    private final Function<RateLimitRequest, CompletableFuture<Answer>> decider;
    private final boolean needsStore;

    /**
     * Creates the service.
     *
     * @param decider decides on a request
     * @param needsStore whether a request fails while the store does, instead of being decided without it
     */
    public EnvoyService(Function<RateLimitRequest, CompletableFuture<Answer>> decider, boolean needsStore) {
        this.decider = decider;
        this.needsStore = needsStore;
    }

    @Override
    public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
        ServerCallStreamObserver<RateLimitResponse> call = (ServerCallStreamObserver<RateLimitResponse>) observer;
        call.setOnCancelHandler(() -> {}); // then answering a cancelled call does not throw
        CompletableFuture<?> unused = Futures.attempt(() -> decider.apply(request))
                .whenComplete((answer, failure) -> answer(call, answer, failure));
    }

    private void answer(
            ServerCallStreamObserver<RateLimitResponse> call, @Nullable Answer answer, @Nullable Throwable failure) {
        if (answer == null) {
            call.onError(status(Futures.cause(failure == null ? new IllegalStateException() : failure))
                    .asRuntimeException());
        } else if (call.isCancelled() || (needsStore && answer.decision().degraded())) {
            answer.decision().cancel();
            call.onError(NO_STORE.asRuntimeException()); // has no effect on a cancelled call
        } else {
            call.onNext(answer.response());
            call.onCompleted();
        }
    }

    private static Status status(Throwable failure) {
        if (failure instanceof InvalidRequestException) {
            return Status.INVALID_ARGUMENT.withDescription(failure.getMessage());
        } else if (failure instanceof StoreException) {
            return NO_STORE;
        }
        LOG.log(Level.ERROR, "a request failed", failure);
        return Status.INTERNAL.withDescription("the server failed; its log says why");
    }
}
