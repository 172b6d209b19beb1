package dev.weir.http;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.internal.Durations;
import dev.weir.internal.Futures;
import dev.weir.internal.KeyBytes;
import dev.weir.internal.OccasionalLog;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A servlet filter that limits requests: all rules that apply to a request allow it, or it is denied and consumes nothing,
 * unless a limit counts attempts. A denied request is answered with status 429, {@code Retry-After} and problem details; each
 * response to a request that a rule applies to has the headers of {@link RateLimitResponse}. A request for which a rule finds a
 * text that is no key, because it is empty or longer than 1,024 bytes, is answered with status 400, without these headers.
 * Thread-safe.
 *
 * <p>A request is counted once, however often it is dispatched: again for an error page, for an async result, or to include
 * another resource. The thread of the container waits for the answer of the store.
 *
 * <p>With a rule that has a {@code maxWait}, a request that must wait for permits is held by an async context, without a thread, and
 * dispatched again when it is due: the filter and everything behind it must support async requests, and be mapped to the
 * dispatcher types {@code REQUEST} and {@code ASYNC}. <strong>A filter behind this one that is mapped to {@code REQUEST} alone
 * does not see requests that were held</strong>, so one that authenticates must not. For what is behind the filter, such a
 * request has the dispatcher type {@code REQUEST}; filters before it see two dispatches. If the limiter's executor rejects the end of
 * the wait, the request fails with a {@link ServletException}.
 */
@SuppressWarnings("exports") // of a module that its users have
public final class RateLimitFilter implements Filter {
    private static final long ASYNC_MARGIN_MILLIS = 10_000; // a dispatch may have to wait for a thread
    private static final int BAD_REQUEST = 400;
    private static final String BAD_KEY = "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
            + "\"detail\":\"The key of a limit must have 1 to 1,024 bytes.\"}";
    private static final String COUNTED = "counted";

    private final List<Rule> rules;
    private final List<Rule> shadowRules;
    private final Set<HeaderForm> headers;
    private final boolean errorPages;
    private final OccasionalLog log = new OccasionalLog("dev.weir.http");
    private final String counted = // an attribute of requests: COUNTED, or Held until it continues
            RateLimitFilter.class.getName() + '@' + System.identityHashCode(this);

    /** A rule; its longest wait is null if it states none. */
    private record Rule(
            RateLimiter limiter,
            Function<HttpServletRequest, @Nullable String> key,
            @Nullable Duration maxWait) {
        Rule {
            Objects.requireNonNull(limiter, "limiter must not be null");
            Objects.requireNonNull(key, "key must not be null");
        }
    }

    private RateLimitFilter(Builder builder) {
        rules = List.copyOf(builder.rules);
        shadowRules = List.copyOf(builder.shadowRules);
        headers = EnumSet.copyOf(builder.headers);
        errorPages = builder.errorPages;
    }

    /** {@return a builder of a filter} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the key of a request for a limit per client.
     *
     * @param address finds the address of the client
     * @return a function for {@link Builder#rule}
     */
    public static Function<HttpServletRequest, @Nullable String> clientAddress(ClientAddress address) {
        Objects.requireNonNull(address, "address must not be null");
        return request -> address.find(request.getRemoteAddr(), name -> Collections.list(request.getHeaders(name)));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ServletRequest proceeding = request;
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            Object state = request.getAttribute(counted);
            if (state == null) {
                request.setAttribute(counted, COUNTED);
                if (!mayProceed(http, answer)) {
                    return;
                }
            } else if (state instanceof Held held && request.getDispatcherType() == DispatcherType.ASYNC) {
                request.setAttribute(counted, COUNTED);
                if (held.failure != null) {
                    throw new ServletException("the wait of a held request failed", held.failure);
                }
                proceeding = new HeldRequest(http, held.request, held.usualMillis);
            }
        }
        chain.doFilter(proceeding, response);
    }

    /** Decides, and answers a request that is denied. Returns whether it continues now. */
    private boolean mayProceed(HttpServletRequest http, HttpServletResponse answer)
            throws IOException, ServletException {
        List<Request> requests = new ArrayList<>();
        RateLimiter only = null;
        Duration shortest = null;
        for (Rule rule : rules) {
            String key = rule.key.apply(http);
            if (key != null && !KeyBytes.isKey(key)) {
                answer(answer, http, BAD_REQUEST, BAD_KEY);
                return false;
            }
            if (key != null) {
                requests.add(rule.limiter.request(key, 1));
                only = rule.limiter;
                shortest = shorter(shortest, rule.maxWait);
            }
        }
        if (only == null) {
            decideShadows(http);
            return true;
        }
        Duration wait = shortest == null ? Duration.ZERO : shortest;
        boolean immediate = wait.isZero() && requests.size() == 1; // cheaper than a reservation
        Reservation reservation = immediate ? null : RateLimiter.reserveAll(wait, requests.toArray(Request[]::new));
        Decision decision =
                reservation == null ? only.tryAcquire(requests.get(0).key()) : reservation.decision();
        RateLimitResponse limited = RateLimitResponse.of(decision, requests);
        limited.headers(headers).forEach(answer::setHeader);
        if (!decision.allowed()) {
            answer(answer, http, limited.status(), limited.problem());
            return false;
        }
        decideShadows(http);
        if (reservation != null && decision.waitNanos() > 0) {
            hold(reservation, wait, http, answer);
            return false;
        }
        return true;
    }

    private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
        return one == null || (other != null && other.compareTo(one) < 0) ? other : one;
    }

    /**
     * Lets each shadow rule decide for itself, as if the request could be held as long as its rule says. The request does not wait
     * for the answer, and a failure has no effect.
     */
    private void decideShadows(HttpServletRequest http) {
        for (Rule rule : shadowRules) {
            try {
                String key = rule.key.apply(http);
                if (key != null && KeyBytes.isKey(key)) {
                    var unused = rule.limiter
                            .reserveAsync(key, Objects.requireNonNull(rule.maxWait))
                            .whenComplete((reserved, failure) -> {
                                if (failure != null) {
                                    warn(rule, Futures.cause(failure));
                                }
                            });
                }
            } catch (RuntimeException failure) {
                warn(rule, failure);
            }
        }
    }

    private void warn(Rule shadow, Throwable failure) {
        log.warn("a shadow rule of limiter '" + shadow.limiter.name() + "' failed", failure);
    }

    /** Answers a request with problem details, or has the container do so with an error page. */
    private void answer(HttpServletResponse answer, HttpServletRequest http, int status, String problem)
            throws IOException {
        if (errorPages) {
            answer.sendError(status);
            return;
        }
        byte[] bytes = problem.getBytes(StandardCharsets.UTF_8);
        answer.setStatus(status);
        answer.setContentType(RateLimitResponse.PROBLEM_TYPE);
        answer.setContentLength(bytes.length);
        if (!http.getMethod().equals("HEAD")) {
            answer.getOutputStream().write(bytes);
        }
    }

    /** Holds a request. It continues with what the filters before this one have made of it and its response. */
    private void hold(Reservation reservation, Duration maxWait, HttpServletRequest http, HttpServletResponse answer)
            throws ServletException {
        if (!http.isAsyncSupported()) {
            reservation.cancel();
            throw new ServletException(
                    "RateLimitFilter with a maxWait must be registered with async support, and so must the"
                            + " servlet and all other filters");
        }
        AsyncContext async;
        try {
            async = http.startAsync(http, answer);
        } catch (IllegalStateException failure) { // it was started before, or the response is closed
            reservation.cancel();
            throw failure;
        }
        long usualMillis = async.getTimeout();
        http.setAttribute(counted, new Held(http, usualMillis, null));
        async.setTimeout(maxWait.toMillis() + ASYNC_MARGIN_MILLIS);
        AtomicBoolean ended = new AtomicBoolean();
        async.addListener(new Abandoned(reservation, ended));
        var unused = reservation.whenDue().whenComplete((decision, failure) -> {
            if (ended.compareAndSet(false, true)) {
                if (failure != null) {
                    http.setAttribute(counted, new Held(http, usualMillis, failure));
                }
                async.dispatch();
            }
        });
    }

    /** A request that waits, the timeout that async contexts have otherwise, and why the wait failed. */
    private record Held(
            HttpServletRequest request,
            long usualMillis,
            @Nullable Throwable failure) {}

    /** Cancels the reservation of a request whose connection fails while it waits. */
    private record Abandoned(Reservation reservation, AtomicBoolean ended) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            end();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            end();
        }

        @Override
        public void onError(AsyncEvent event) {
            end();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // the servlet started its own after the wait
        }

        private void end() {
            if (ended.compareAndSet(false, true)) {
                reservation.cancel();
            }
        }
    }

    /** A builder of {@link RateLimitFilter}. Not thread-safe. */
    public static final class Builder {
        private final List<Rule> rules = new ArrayList<>();
        private final List<Rule> shadowRules = new ArrayList<>();
        private final Set<HeaderForm> headers = EnumSet.of(HeaderForm.RATE_LIMIT);
        private boolean errorPages;

        Builder() {}

        /**
         * Adds a rule. At most 64 rules may apply to one request, with limiters on one store and no two with the same limiter and
         * key; else the request fails with {@link IllegalArgumentException}.
         *
         * @param limiter the limiter; its name is that of the policy in headers
         * @param key returns the key of a request, such as {@link #clientAddress}; null if the rule does not apply to it
         * @return this builder
         */
        public Builder rule(RateLimiter limiter, Function<HttpServletRequest, @Nullable String> key) {
            rules.add(new Rule(limiter, key, null));
            return this;
        }

        /**
         * Adds a rule that can hold requests. A request is held until its limits allow it, for at most the shortest wait of the rules
         * that apply to it and have one. One that would have to wait longer is denied at once.
         *
         * @param limiter the limiter
         * @param key returns the key of a request; null if the rule does not apply to it
         * @param maxWait the longest wait; zero to never hold a request
         * @return this builder
         */
        public Builder rule(RateLimiter limiter, Function<HttpServletRequest, @Nullable String> key, Duration maxWait) {
            rules.add(new Rule(limiter, key, Durations.nonNegative("maxWait", maxWait)));
            return this;
        }

        /**
         * Adds a rule that never denies or holds a request and adds no headers, to try a limit on real traffic: its limiter decides
         * and counts, and its listeners are notified. It decides for itself, after all other rules have allowed the request. Its
         * limiter may have a store of its own.
         *
         * @param limiter the limiter
         * @param key returns the key of a request; null if the rule does not apply to it
         * @param maxWait how long a request could be held if the rule were not a shadow
         * @return this builder
         */
        public Builder shadowRule(
                RateLimiter limiter, Function<HttpServletRequest, @Nullable String> key, Duration maxWait) {
            shadowRules.add(new Rule(limiter, key, Durations.nonNegative("maxWait", maxWait)));
            return this;
        }

        /**
         * Sets the forms of the headers that report limits.
         *
         * @param forms by default {@link HeaderForm#RATE_LIMIT}; none for only {@code Retry-After}
         * @return this builder
         */
        public Builder headers(HeaderForm... forms) {
            headers.clear();
            headers.addAll(List.of(forms));
            return this;
        }

        /**
         * Answers a denied request, or one without a key, with the application's error page for the status instead of problem details:
         * by {@link HttpServletResponse#sendError(int)}, after the headers are set.
         *
         * @return this builder
         */
        public Builder errorPages() {
            errorPages = true;
            return this;
        }

        /**
         * Returns the filter.
         *
         * @return the filter
         * @throws IllegalStateException if it has no rule
         */
        public RateLimitFilter build() {
            if (rules.isEmpty() && shadowRules.isEmpty()) {
                throw new IllegalStateException("the filter must have a rule");
            }
            return new RateLimitFilter(this);
        }
    }
}
