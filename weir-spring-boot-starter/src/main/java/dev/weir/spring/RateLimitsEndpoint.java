package dev.weir.spring;

import dev.weir.Limits;
import dev.weir.internal.Durations;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The actuator endpoint {@code ratelimits}: shows the limiters with their rules, and the state of a key; changes limits; blocks,
 * unblocks and resets a key. Keys are never listed, because they are personal data: one has to know a key to see its state.
 */
@WebEndpoint(id = "ratelimits")
@RegisterReflectionForBinding(KeyDescription.class) // a native image does not know it from WebEndpointResponse<?>
final class RateLimitsEndpoint {
    private final ConfiguredLimiters limiters;
    private final WeirSettings settings;

    RateLimitsEndpoint(ConfiguredLimiters limiters, WeirSettings settings) {
        this.limiters = limiters;
        this.settings = settings;
    }

    /** Returns all limiters by name. */
    @ReadOperation
    Map<String, LimiterDescription> limiters() {
        Map<String, LimiterDescription> all = new LinkedHashMap<>();
        limiters.names().forEach(name -> all.put(name, LimiterDescription.of(limiters.configured(name), settings)));
        return all;
    }

    /**
     * Returns a limiter, or the state of one of its keys.
     *
     * @param limiter the name of the limiter
     * @param key the key; null for the limiter itself
     */
    @ReadOperation
    WebEndpointResponse<?> limiter(@Selector String limiter, @Nullable String key) {
        return answer(
                limiter,
                found -> key == null
                        ? new WebEndpointResponse<>(LimiterDescription.of(found, settings))
                        : new WebEndpointResponse<>(KeyDescription.of(found.limiter(), key)));
    }

    /**
     * Changes the limits of a limiter in this process, until it ends.
     *
     * @param limiter the name of the limiter
     * @param limit the texts of all its limits
     * @param plan the plan whose limits change; null for keys without a plan
     */
    @WriteOperation
    WebEndpointResponse<?> changeLimits(@Selector String limiter, @Nullable List<String> limit, @Nullable String plan) {
        return answer(limiter, found -> {
            List<String> limits = required("limit", limit, "100/1m");
            found.changeLimits(plan, Limits.parse(limits.toArray(String[]::new)));
            return done();
        });
    }

    /**
     * Blocks, unblocks or resets a key.
     *
     * @param limiter the name of the limiter
     * @param operation block, unblock, or reset: forget what was granted, and lift a block
     * @param key the key
     * @param duration for how long the key is blocked; only to block it
     */
    @WriteOperation
    WebEndpointResponse<?> changeKey(
            @Selector String limiter,
            @Selector String operation,
            @Nullable String key,
            @Nullable String duration) { // texts, so that the reason is reported if they are not valid
        return answer(limiter, found -> {
            String changed = required("key", key, "203.0.113.9");
            switch (operation) {
                case "block" -> found.limiter().block(changed, duration(required("duration", duration, "10m")));
                case "unblock" -> found.limiter().unblock(changed);
                case "reset" -> found.limiter().reset(changed);
                default ->
                    throw new IllegalArgumentException(
                            "operation must be block, unblock or reset, was '" + operation + "'");
            }
            return done();
        });
    }

    private static <T> T required(String name, @Nullable T argument, String example) {
        if (argument == null) {
            throw new IllegalArgumentException(name + " must be given, such as " + example);
        }
        return argument;
    }

    /** Parses a duration. It needs a unit: Spring Boot would take a number for milliseconds. */
    private static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException(
                    "duration must be a duration such as 10m, was '" + text + "'", malformed);
        }
    }

    private static WebEndpointResponse<?> done() {
        return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
    }

    /** Answers 404 if there is no such limiter, 400 if an argument is not valid, and 503 if the store does not answer. */
    private WebEndpointResponse<?> answer(
            String limiter, Function<ConfiguredLimiter, WebEndpointResponse<?>> operation) {
        if (!limiters.names().contains(limiter)) {
            return failed(WebEndpointResponse.STATUS_NOT_FOUND, "no limiter is named '" + limiter + "'");
        }
        try {
            return operation.apply(limiters.configured(limiter));
        } catch (IllegalArgumentException invalid) {
            return failed(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(invalid.getMessage()));
        } catch (StoreException failure) {
            return failed(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, String.valueOf(failure.getMessage()));
        }
    }

    private static WebEndpointResponse<?> failed(int status, String reason) {
        return new WebEndpointResponse<>(Map.of("error", reason), status);
    }
}
