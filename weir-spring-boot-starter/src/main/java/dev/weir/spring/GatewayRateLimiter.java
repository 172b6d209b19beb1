package dev.weir.spring;

import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitResponse;
import dev.weir.spring.internal.Grants;
import dev.weir.spring.internal.Problems;
import dev.weir.spring.internal.Shadows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;

/**
 * The rate limiter of Spring Cloud Gateway's filter {@code RequestRateLimiter}, in place of the one on Redis that comes with the
 * gateway. A route names one or more limiters of {@code weir.limits} in its argument {@code weir.limiter}; with the key of its
 * key resolver, all of them allow a request, or it is denied and consumes nothing, unless a limit counts attempts. No thread waits.
 * Thread-safe.
 *
 * <p>The response has the headers that {@code weir.headers} chooses and, if the request is denied, {@code Retry-After}. If the
 * store fails, the failure policy of the limiters decides. A key that is too long for a limiter (above 1,024 bytes) is denied,
 * unless all limiters are shadows.
 */
public final class GatewayRateLimiter extends AbstractRateLimiter<GatewayRateLimiter.Config> {
    static final String ARGUMENTS = "weir";

    private final RateLimiters limiters;
    private final Set<HeaderForm> headers;
    private final ConfigurationService configurationService;
    private final Map<String, Config> routes = new ConcurrentHashMap<>(); // changes while requests are decided

    GatewayRateLimiter(RateLimiters limiters, Set<HeaderForm> headers, ConfigurationService configurationService) {
        super(Config.class, ARGUMENTS, configurationService);
        this.limiters = limiters;
        this.headers = headers;
        this.configurationService = configurationService;
    }

    /** {@return the arguments of each route, thread-safe} */
    @Override
    public Map<String, Config> getConfig() {
        return routes;
    }

    /** Returns whether an argument of the filter is one of Weir. */
    static boolean isArgument(String name) {
        return name.startsWith(ARGUMENTS + ".");
    }

    /**
     * Stores the arguments of a route. If they are not valid, the route keeps those that it had.
     *
     * @throws IllegalArgumentException if they name no limiter or an unknown one, cannot be read, or are out of range
     */
    @Override
    public void onApplicationEvent(FilterArgsEvent event) {
        if (event.getArgs().keySet().stream().anyMatch(GatewayRateLimiter::isArgument)) {
            getConfig().put(event.getRouteId(), parse(event.getArgs()));
        }
    }

    /**
     * Returns the arguments of a route, which are not stored.
     *
     * @throws IllegalArgumentException if they name no limiter or an unknown one, cannot be read, or are out of range
     */
    Config parse(Map<String, Object> arguments) {
        Config config = new Config();
        try {
            configurationService
                    .with(config)
                    .name(ARGUMENTS)
                    .normalizedProperties(arguments)
                    .bind();
        } catch (BindException unreadable) {
            throw new IllegalArgumentException(
                    unreadable.getName() + " "
                            + BindingProblems.invalid(unreadable.getTarget(), unreadable.getProperty()),
                    unreadable);
        }
        return config.check(limiters);
    }

    /** Adds the problems of the arguments of all routes that are known so far. */
    void check(Problems problems) {
        getConfig()
                .forEach((route, config) ->
                        problems.parse("RequestRateLimiter of route '" + route + "'", () -> config.check(limiters)));
    }

    @Override
    public Mono<Response> isAllowed(String routeId, String id) {
        Config config = getConfig().get(routeId);
        if (config == null) {
            config = getConfig().get(RouteDefinitionRouteLocator.DEFAULT_FILTERS);
        }
        if (config == null) {
            return Mono.error(new IllegalStateException(
                    "route '" + routeId + "' has a RequestRateLimiter without the argument weir.limiter"));
        }
        long permits = config.permits;
        Duration maxWait = config.maxWait;
        List<RateLimiter> enforced = new ArrayList<>();
        List<RateLimiter> shadows = new ArrayList<>();
        config.limiter.forEach(name -> (limiters.isShadow(name) ? shadows : enforced).add(limiters.get(name)));
        List<Request> requests;
        try {
            requests = enforced.stream()
                    .map(limiter -> limiter.request(id, permits))
                    .toList();
        } catch (IllegalArgumentException notAKey) { // the permits were checked
            return Mono.just(new Response(false, Map.of()));
        }
        return decide(requests, maxWait).doOnNext(response -> {
            if (response.isAllowed()) {
                shadows.forEach(shadow -> Shadows.decide(shadow, () -> id, permits, maxWait));
            }
        });
    }

    private Mono<Response> decide(List<Request> requests, Duration maxWait) {
        if (requests.isEmpty()) {
            return Mono.just(new Response(true, Map.of()));
        }
        return Grants.whenDue(maxWait, requests)
                .map(decision -> new Response(
                        decision.allowed(),
                        RateLimitResponse.of(decision, requests).headers(headers)));
    }

    /** The arguments of a route. Not thread-safe while it is changed. */
    public static final class Config {
        private List<String> limiter = List.of();
        private long permits = 1;
        private Duration maxWait = Duration.ZERO;

        /** Creates arguments without a limiter. */
        public Config() {}

        private Config check(RateLimiters limiters) {
            if (limiter.isEmpty()) {
                throw new IllegalArgumentException("weir.limiter must name a limiter, one of " + limiters.names());
            }
            if (limiter.size() != Set.copyOf(limiter).size()) {
                throw new IllegalArgumentException("weir.limiter must not name a limiter twice, was " + limiter);
            }
            limiter.forEach(limiters::get);
            if (permits < 1) {
                throw new IllegalArgumentException("weir.permits must be at least 1, was " + permits);
            }
            if (maxWait.isNegative()) {
                throw new IllegalArgumentException("weir.max-wait must not be negative, was " + maxWait);
            }
            return this;
        }

        /** {@return the names of the limiters, which all limit the route} */
        public List<String> getLimiter() {
            return limiter;
        }

        /**
         * Sets the limiters.
         *
         * @param limiter one or more names of {@code weir.limits}
         * @return this
         */
        public Config setLimiter(List<String> limiter) {
            this.limiter = List.copyOf(limiter);
            return this;
        }

        /** {@return the number of permits of a request} */
        public long getPermits() {
            return permits;
        }

        /**
         * Sets the number of permits of a request.
         *
         * @param permits at least 1, by default 1
         * @return this
         */
        public Config setPermits(long permits) {
            this.permits = permits;
            return this;
        }

        /** {@return how long a request may be held} */
        public Duration getMaxWait() {
            return maxWait;
        }

        /**
         * Sets how long a request may be held until it is allowed; if it would have to wait longer, it is denied at once.
         *
         * @param maxWait by default zero
         * @return this
         */
        public Config setMaxWait(Duration maxWait) {
            this.maxWait = maxWait;
            return this;
        }
    }
}
