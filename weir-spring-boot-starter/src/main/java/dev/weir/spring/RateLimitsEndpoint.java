package dev.weir.spring;

import dev.weir.Limits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code ratelimits}: shows the limiters with their rules, and the state of a key; changes limits; blocks,
 * unblocks and resets a key. Keys are never listed, because they are personal data: one has to know a key to see its state.
 */
@Endpoint(id = "ratelimits")
final class RateLimitsEndpoint {
    private final ConfiguredLimiters limiters;
    private final WeirSettings settings;

    /** What to do with a key. */
    enum KeyOperation {
        /** Denies all requests for the given duration. */
        BLOCK,
        /** Lifts a block. */
        UNBLOCK,
        /** Forgets what was granted, and lifts a block. */
        RESET
    }

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
    Object limiter(@Selector String limiter, @Nullable String key) {
        ConfiguredLimiter found = find(limiter);
        return key == null
                ? LimiterDescription.of(found, settings)
                : valid("key", () -> KeyDescription.of(found.limiter(), key));
    }

    /**
     * Changes the limits of a limiter in this process, until it ends.
     *
     * @param limiter the name of the limiter
     * @param limit the texts of all its limits
     * @param plan the plan whose limits change; null for keys without a plan
     */
    @WriteOperation
    void changeLimits(@Selector String limiter, List<String> limit, @Nullable String plan) {
        ConfiguredLimiter found = find(limiter);
        valid("limit", () -> {
            found.changeLimits(plan, Limits.parse(limit.toArray(String[]::new)));
            return found;
        });
    }

    /**
     * Blocks, unblocks or resets a key.
     *
     * @param limiter the name of the limiter
     * @param operation what to do
     * @param key the key
     * @param duration for how long the key is blocked; only for {@link KeyOperation#BLOCK}
     */
    @WriteOperation
    void changeKey(
            @Selector String limiter, @Selector KeyOperation operation, String key, @Nullable Duration duration) {
        ConfiguredLimiter found = find(limiter);
        valid("key", () -> {
            switch (operation) {
                case BLOCK -> found.limiter().block(key, required(duration));
                case UNBLOCK -> found.limiter().unblock(key);
                case RESET -> found.limiter().reset(key);
            }
            return found;
        });
    }

    private static Duration required(@Nullable Duration duration) {
        if (duration == null) {
            throw new IllegalArgumentException("duration must be given, such as 10m");
        }
        return duration;
    }

    private ConfiguredLimiter find(String limiter) {
        return valid("limiter", () -> limiters.configured(limiter));
    }

    /** Reports an argument that is not valid as status 400 with its reason. */
    private static <T> T valid(String argument, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (IllegalArgumentException invalid) {
            String reason = String.valueOf(invalid.getMessage());
            throw new InvalidEndpointRequestException(argument + ": " + reason, reason, invalid);
        }
    }
}
