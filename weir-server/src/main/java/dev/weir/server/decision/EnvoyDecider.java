package dev.weir.server.decision;

import static dev.weir.internal.Durations.wholeSeconds;

import com.google.protobuf.Duration;
import dev.weir.Status;
import dev.weir.server.config.Rule.Mode;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers requests of Envoy: from the message of a request to that of the response. Thread-safe; never blocks. */
public final class EnvoyDecider {
    private static final int MAX_REMAINING = -1; // 4,294,967,295 without sign

    private static final DescriptorStatus NO_RULE =
            DescriptorStatus.newBuilder().setCode(Code.OK).build();
    private static final DescriptorStatus UNLIMITED = DescriptorStatus.newBuilder()
            .setCode(Code.OK)
            .setLimitRemaining(MAX_REMAINING)
            .build();

    private final DescriptorMatcher matcher;
    private final Limiters limiters;
    private final LiveDecisions live;
    private final boolean separately;
    private final boolean shadow;

    /**
     * Creates a decider.
     *
     * @param live records decisions
     * @param separately whether each descriptor is decided by itself
     * @param shadow whether no request is denied
     */
    public EnvoyDecider(
            DescriptorMatcher matcher, Limiters limiters, LiveDecisions live, boolean separately, boolean shadow) {
        this.live = live;
        this.matcher = matcher;
        this.limiters = limiters;
        this.separately = separately;
        this.shadow = shadow;
    }

    /**
     * The answer to a request.
     *
     * @param response the message
     * @param decision the decision that it reports
     */
    public record Answer(RateLimitResponse response, DescriptorDecision decision) {}

    /**
     * Decides on a request.
     *
     * @return a future of the answer
     * @throws InvalidRequestException if the request is not valid
     */
    public CompletableFuture<Answer> decide(RateLimitRequest request) {
        List<@Nullable Descriptor> matched = matcher.match(request);
        List<Descriptor> limited = new ArrayList<>(matched.size());
        for (Descriptor descriptor : matched) {
            if (descriptor != null && !descriptor.rule().isUnlimited()) {
                limited.add(descriptor);
            }
        }
        long began = live.begin();
        return new DescriptorDecision(limiters, limited, separately).decide().thenApply(decided -> {
            live.descriptors(began, decided);
            return new Answer(response(matched, decided), decided);
        });
    }

    private RateLimitResponse response(List<@Nullable Descriptor> matched, DescriptorDecision decision) {
        RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
        response.setOverallCode(decision.denied() && !shadow ? Code.OVER_LIMIT : Code.OK);
        for (Descriptor descriptor : matched) {
            response.addStatuses(
                    descriptor == null ? NO_RULE : descriptor.rule().isUnlimited() ? UNLIMITED : status(descriptor));
        }
        return response.build();
    }

    private static DescriptorStatus status(Descriptor descriptor) {
        Status status = Objects.requireNonNull(descriptor.status(), "every descriptor has a status");
        boolean over = descriptor.over();
        long remaining = over ? 0 : Math.min(dev.weir.http.RateLimitResponse.remainingNow(status), 0xFFFF_FFFFL);
        DescriptorStatus.Builder shown = DescriptorStatus.newBuilder()
                .setCode(over && !descriptor.is(Mode.SHADOW) ? Code.OVER_LIMIT : Code.OK)
                .setCurrentLimit(descriptor.rule().shown())
                .setLimitRemaining((int) remaining);
        long nanos = over ? status.retryAfterNanos() : status.resetAfterNanos();
        if (nanos < Long.MAX_VALUE) {
            shown.setDurationUntilReset(duration(nanos));
        }
        return shown.build();
    }

    /** Envoy shows whole seconds and drops what is less, so they are rounded up: a client that waits that long is never too early. */
    private static Duration duration(long nanos) {
        return Duration.newBuilder().setSeconds(wholeSeconds(nanos)).build();
    }
}
