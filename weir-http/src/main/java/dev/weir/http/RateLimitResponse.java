package dev.weir.http;

import static dev.weir.internal.Durations.wholeSeconds;

import dev.weir.Accounting;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Request;
import dev.weir.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What an HTTP response says of a decision: status, headers and, for a denial, problem details as JSON. A policy in them is one
 * limit of one request, unless that is unlimited. Its name is that of the limiter, followed by a hyphen and the name or position of
 * the limit if there are several. Immutable and thread-safe.
 *
 * <p>Guarantee: times are rounded up to whole seconds, and no time in the headers is later than {@code Retry-After}: a client that
 * waits that long is not too early, up to 68 years, to which both are cut. A client that sends at most the remaining requests until
 * the reset stays within the limit; so of a leaky bucket, none remain while anything is outstanding. Keys do not appear.
 */
public final class RateLimitResponse {
    /** The status of a denied request: Too Many Requests. */
    public static final int TOO_MANY_REQUESTS = 429;

    /** The media type of {@link #problem}. */
    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final int OK = 200;
    private static final long MAX_INTEGER = 999_999_999_999_999L; // of a structured field

    private final Decision decision;
    private final List<Policy> policies = new ArrayList<>();

    /** A limit and what the decision says of it. */
    private record Policy(String name, Status status) {
        Limit limit() {
            return status.limit();
        }
    }

    /**
     * {@return the permits that a client can use now, without a wait} The rest of a leaky bucket's capacity is not among them: while
     * anything is outstanding, a request must wait, and while nothing is, so must the second one.
     *
     * @param status the status of a limit
     */
    public static long remainingNow(Status status) {
        if (status.limit().accounting().method() != Accounting.Method.QUEUE) {
            return status.remaining();
        }
        return status.resetAfterNanos() > 0 ? 0 : Math.min(1, status.remaining());
    }

    private RateLimitResponse(Decision decision, List<Request> requests) {
        this.decision = decision;
        List<Status> statuses = decision.statuses();
        int request = -1;
        int position = 0; // of the limit in its request
        for (int i = 0; i < statuses.size(); i++) {
            Status status = statuses.get(i);
            boolean first = i == 0 || statuses.get(i - 1).request() < status.request();
            boolean last = i == statuses.size() - 1 || statuses.get(i + 1).request() > status.request();
            request += first ? 1 : 0;
            position = first ? 0 : position + 1;
            if (request < requests.size() && !(status.limit() instanceof Limit.Unlimited)) {
                String limiter = requests.get(request).limiter();
                policies.add(
                        new Policy(first && last ? limiter : limiter + '-' + name(status.limit(), position), status));
            }
        }
    }

    private static String name(Limit limit, int position) {
        return limit.name().isEmpty() ? Integer.toString(position) : limit.name();
    }

    /**
     * Returns the response to a decision.
     *
     * @param decision a decision
     * @param requests what it was decided on, in their order
     * @return the response
     */
    public static RateLimitResponse of(Decision decision, List<Request> requests) {
        return new RateLimitResponse(decision, requests);
    }

    /** {@return 200 if allowed, else 429} */
    public int status() {
        return decision.allowed() ? OK : TOO_MANY_REQUESTS;
    }

    /**
     * Returns the headers. {@code Retry-After} is among them if the request is denied and would be allowed at some time.
     *
     * @param forms the forms to use, each adding its headers
     * @return values by header name, in the order of the forms; unmodifiable
     */
    public Map<String, String> headers(Set<HeaderForm> forms) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!decision.allowed() && !decision.never()) {
            headers.put("Retry-After", Long.toString(Math.max(1, decision.retryAfterSeconds())));
        }
        if (!policies.isEmpty()) {
            forms.forEach(form -> put(headers, form));
        }
        return Collections.unmodifiableMap(headers);
    }

    private void put(Map<String, String> headers, HeaderForm form) {
        switch (form) {
            case RATE_LIMIT -> {
                StringBuilder quotas = new StringBuilder();
                StringBuilder statuses = new StringBuilder();
                for (Policy policy : policies) {
                    append(quotas, policy, ";q=", bounded(policy.limit().permits()));
                    quotas.append(";w=").append(wholeSeconds(policy.limit().windowNanos()));
                    append(statuses, policy, ";r=", bounded(remainingNow(policy.status)));
                    statuses.append(";t=").append(wholeSeconds(validFor(policy.status)));
                }
                headers.put("RateLimit-Policy", quotas.toString());
                headers.put("RateLimit", statuses.toString());
            }
            case RATE_LIMIT_SEPARATE -> putSeparate(headers, "RateLimit-");
            case X_RATE_LIMIT -> putSeparate(headers, "X-RateLimit-");
        }
    }

    private static void append(StringBuilder list, Policy policy, String parameter, long value) {
        list.append(list.length() == 0 ? "\"" : ", \"").append(policy.name).append('"');
        list.append(parameter).append(value);
    }

    private void putSeparate(Map<String, String> headers, String prefix) {
        Policy shown = policies.get(0);
        for (Policy policy : policies) {
            long difference = policy.status.retryAfterNanos() - shown.status.retryAfterNanos();
            boolean less = difference == 0 && remainingNow(policy.status) < remainingNow(shown.status);
            shown = difference > 0 || less ? policy : shown;
        }
        headers.put(prefix + "Limit", Long.toString(shown.limit().permits()));
        headers.put(prefix + "Remaining", Long.toString(remainingNow(shown.status)));
        headers.put(prefix + "Reset", Long.toString(wholeSeconds(validFor(shown.status))));
    }

    /** Returns how long what remains is certain to suffice: until the request is allowed, or the limit is as if unused. */
    private long validFor(Status status) {
        if (decision.allowed() || decision.never()) {
            return status.resetAfterNanos();
        }
        long own = status.retryAfterNanos() > 0 ? status.retryAfterNanos() : status.resetAfterNanos();
        return Math.min(own, decision.retryAfterNanos());
    }

    /**
     * Returns the problem details of a denial (RFC 9457), of the type {@code quota-exceeded} with the names of the violated
     * policies. A block violates none.
     *
     * @return JSON
     * @throws IllegalStateException if the request is allowed
     */
    public String problem() {
        if (decision.allowed()) {
            throw new IllegalStateException("an allowed request has no problem");
        }
        StringJoiner violated = new StringJoiner(",", "[", "]");
        for (Policy policy : policies) {
            if (policy.status.retryAfterNanos() > 0 && !decision.blocked()) {
                violated.add('"' + policy.name + '"');
            }
        }
        return "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\",\"title\":\"Too many requests\","
                + "\"status\":429,\"detail\":\"" + detail() + "\",\"violated-policies\":" + violated + "}";
    }

    private String detail() {
        if (decision.never()) {
            return "The request needs more than the limit ever allows.";
        }
        long seconds = Math.max(1, decision.retryAfterSeconds());
        return "Retry in " + seconds + (seconds == 1 ? " second." : " seconds.");
    }

    private static long bounded(long number) {
        return Math.min(number, MAX_INTEGER);
    }
}
