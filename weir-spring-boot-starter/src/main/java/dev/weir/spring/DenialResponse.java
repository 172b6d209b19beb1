package dev.weir.spring;

import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.http.RateLimitResponse;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Makes responses to exceptions. */
final class DenialResponse {
    private static final String ANY_KEY = "-"; // keys never appear in a response

    private DenialResponse() {}

    /** Returns the denial that a failure is, or that the future of a call failed with; null if it is something else. */
    static @Nullable RateLimitedException denial(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException || cause instanceof ExecutionException) {
            cause = cause.getCause();
        }
        return cause instanceof RateLimitedException denial ? denial : null;
    }

    /** Returns the response to a denial. Of several limiters that were asked together, it reports the one that denied. */
    static RateLimitResponse of(RateLimitedException denial) {
        List<Status> statuses = denial.decision().statuses();
        Status latest = Collections.max(statuses, Comparator.comparingLong(Status::retryAfterNanos));
        List<Status> own = statuses.stream()
                .filter(status -> status.request() == latest.request())
                .toList();
        Limits limits = Limits.of(own.stream().map(Status::limit).toList());
        return RateLimitResponse.of(
                denial.decision().withStatuses(own), List.of(Request.of(denial.limiter(), limits, ANY_KEY, 1)));
    }
}
