package dev.weir.spring;

import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.http.HeaderForm;
import dev.weir.http.OutboundLimitException;
import dev.weir.http.RateLimitResponse;
import dev.weir.http.RateLimitedIOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.ResourceAccessException;

/**
 * The response to a denial.
 *
 * @param problem problem details, in ASCII
 */
record DenialResponse(int status, Map<String, String> headers, String problem) {
    private static final List<Class<?>> WRAPPERS = List.of(
            CompletionException.class,
            ExecutionException.class,
            RateLimitedIOException.class,
            UncheckedIOException.class,
            ResourceAccessException.class);
    private static final String WEB_CLIENT_WRAPPER = // may not be there
            "org.springframework.web.reactive.function.client.WebClientRequestException";
    private static final String ANY_KEY = "-"; // keys never appear in a response
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final String UNAVAILABLE =
            "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}";

    /**
     * Returns the denial that a failure is, or with which a future or an HTTP client failed; null if it is something else. What an
     * application wraps in an exception of its own is its own answer.
     */
    static @Nullable RateLimitedException denial(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && isWrapper(cause)) {
            cause = cause.getCause();
        }
        return cause instanceof RateLimitedException denial ? denial : null;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure.getClass().getName().equals(WEB_CLIENT_WRAPPER)
                || WRAPPERS.stream().anyMatch(wrapper -> wrapper.isInstance(failure));
    }

    /** Returns the response to a request that was denied. */
    static DenialResponse of(RateLimitResponse limited, Set<HeaderForm> forms) {
        return new DenialResponse(limited.status(), limited.headers(forms), limited.problem());
    }

    /**
     * Returns the response to a denial. Of several limiters that were asked together, it reports the one that denied. The limit of a
     * provider is not the client's: the response says only when to retry.
     */
    static DenialResponse of(RateLimitedException denial, Set<HeaderForm> forms) {
        if (denial instanceof OutboundLimitException) {
            Map<String, String> retryAfter =
                    RateLimitResponse.of(denial.decision(), List.of()).headers(Set.of());
            return new DenialResponse(SERVICE_UNAVAILABLE, retryAfter, UNAVAILABLE);
        }
        List<Status> statuses = denial.decision().statuses();
        Status latest = Collections.max(statuses, Comparator.comparingLong(Status::retryAfterNanos));
        List<Status> own = statuses.stream()
                .filter(status -> status.request() == latest.request())
                .toList();
        Limits limits = Limits.of(own.stream().map(Status::limit).toList());
        return of(
                RateLimitResponse.of(
                        denial.decision().withStatuses(own), List.of(Request.of(denial.limiter(), limits, ANY_KEY, 1))),
                forms);
    }
}
