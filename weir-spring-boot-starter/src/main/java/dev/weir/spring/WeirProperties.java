package dev.weir.spring;

import dev.weir.http.HeaderForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code weir}, as they were written. A name that is none of them fails at start.
 *
 * @param limits Limiters by name.
 * @param plans The keys that have a plan, by the name of the plan. What a plan grants is set by each limiter.
 * @param store Where the state is kept: by default on Redis if weir.redis.uri is set, else in the memory of this process.
 * @param redis The connection to Redis.
 * @param onFailure What decides while the store does not answer: open, closed, local or a share such as local(0.25).
 * @param clientAddress How the address of a client is found.
 * @param headers The forms of the response headers that report limits; empty for Retry-After alone.
 * @param errorPages Whether denials are answered by the application's error pages instead of problem details.
 * @param filterOrder The order of the filter, by default directly after that of Spring Security.
 */
@ConfigurationProperties(prefix = "weir", ignoreUnknownFields = false)
record WeirProperties(
        @DefaultValue Map<String, Limiter> limits,
        @DefaultValue Map<String, List<String>> plans,
        @Nullable StoreKind store,
        @DefaultValue Redis redis,
        @DefaultValue("local") String onFailure,
        @DefaultValue Address clientAddress,
        @DefaultValue("rate-limit") List<HeaderForm> headers,
        @DefaultValue("false") boolean errorPages,
        @Nullable Integer filterOrder) {

    /** Where the state is kept. */
    enum StoreKind {
        /** In the memory of this process. */
        MEMORY,
        /** On Redis, shared by all processes. */
        REDIS
    }

    /**
     * A limiter, and the requests that it limits.
     *
     * @param limit One or several limits, which all hold, such as 100/1m.
     * @param path The paths of the requests that are limited, such as /api/**; without one, the limiter is only for code.
     * @param method The methods of the requests that are limited, by default all; GET includes HEAD.
     * @param when An expression (SpEL) that must not be false for a request to be limited.
     * @param key What is limited: ip (the default), user, global, header:NAME, or an expression (SpEL).
     * @param maxWait How long a request may be held until it is allowed, by default not at all.
     * @param shadow Whether this limiter only decides and counts, and never denies a request.
     * @param plans The limits of keys that have a plan, by the name of the plan.
     * @param onFailure What decides while the store does not answer, by default weir.on-failure.
     */
    record Limiter(
            @DefaultValue List<String> limit,
            @Nullable List<String> path,
            @DefaultValue List<String> method,
            @Nullable String when,
            @Nullable String key,
            @Nullable Duration maxWait,
            @DefaultValue("false") boolean shadow,
            @DefaultValue Map<String, List<String>> plans,
            @Nullable String onFailure) {}

    /**
     * The connection to Redis.
     *
     * @param uri The servers, such as redis://host:6379; by default, if weir.store is redis, those of the LettuceConnectionFactory.
     * @param timeout The wait for an answer, after which on-failure decides, from 1ms to 1h.
     * @param prefix The prefix of all keys.
     * @param hashKeys A secret; with it, keys are stored as their HMAC.
     * @param maxInFlight The largest number of calls that wait for an answer.
     * @param denialMemory How long a denial may be cached in this process, from 0 to 1h.
     */
    record Redis(
            @Nullable String uri,
            @DefaultValue("50ms") Duration timeout,
            @DefaultValue("weir") String prefix,
            @Nullable String hashKeys,
            @DefaultValue("65536") int maxInFlight,
            @DefaultValue("1s") Duration denialMemory) {}

    /**
     * How the address of a client is found.
     *
     * @param header The header that your proxies set; needs trusted-proxies.
     * @param trustedProxies The addresses or networks of all of your proxies, such as 10.0.0.0/8.
     * @param ipv6Prefix The length of the networks by which IPv6 addresses are grouped, from 1 to 128.
     */
    record Address(
            @Nullable ForwardedHeader header,
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("64") int ipv6Prefix) {}

    /** A header in which proxies report the address of a client. */
    enum ForwardedHeader {
        /** The header X-Forwarded-For. */
        X_FORWARDED_FOR,
        /** The header Forwarded of RFC 7239. */
        FORWARDED
    }
}
