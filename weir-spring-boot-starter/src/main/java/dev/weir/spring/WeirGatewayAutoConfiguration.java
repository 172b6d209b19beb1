package dev.weir.spring;

import dev.weir.spring.GatewayRateLimiter.Config;
import dev.weir.spring.internal.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.cloud.gateway.support.ShortcutConfigurable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Makes the rate limiter of Spring Cloud Gateway, which comes before the one on Redis. */
@AutoConfiguration(beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.class)
@ConditionalOnProperty(name = GatewayProperties.PREFIX + ".enabled", matchIfMissing = true)
public final class WeirGatewayAutoConfiguration {
    private static final String FILTER = "RequestRateLimiter";
    private static final ConfigurationPropertyName OTHER_LIMITER = ConfigurationPropertyName.of("rate-limiter");
    private static final Pattern KNOWN =
            Pattern.compile("weir\\.(limiter(\\[\\d+\\]|\\.\\d+)?|permits|max[-_]?wait)", Pattern.CASE_INSENSITIVE);

    WeirGatewayAutoConfiguration() {}

    @Bean
    @Primary
    GatewayRateLimiter weirGatewayRateLimiter(
            RateLimiters limiters, WeirSettings settings, ConfigurationService configurationService) {
        return new GatewayRateLimiter(limiters, settings.headerForms(), configurationService);
    }

    /** Checks the routes that are built in Java, and those of the configuration, whose mistakes the gateway itself would log. */
    @Bean
    SmartInitializingSingleton weirGatewayRoutesCheck(
            GatewayRateLimiter limiter, GatewayProperties properties, BeanFactory beans) {
        return () -> {
            Problems problems = new Problems();
            limiter.check(problems);
            for (RouteDefinition route : properties.getRoutes()) {
                check(
                        route,
                        properties.getDefaultFilters(),
                        arguments -> limiter.parse(evaluated(arguments, beans)),
                        problems);
            }
            problems.throwIfAny();
        };
    }

    private static void check(
            RouteDefinition route,
            List<FilterDefinition> defaults,
            Function<Map<String, String>, Config> parser,
            Problems problems) {
        List<FilterDefinition> filters = new ArrayList<>(defaults);
        filters.addAll(route.getFilters());
        filters.removeIf(filter -> !FILTER.equals(filter.getName()) || hasOtherLimiter(filter));
        String property =
                GatewayProperties.PREFIX + ".routes, route '" + Objects.requireNonNullElse(route.getId(), "") + "'";
        if (filters.size() > 1) { // the gateway keeps one set of arguments for each route
            problems.add(property, "must have one RequestRateLimiter; weir.limiter can name several limiters");
        }
        for (FilterDefinition filter : filters) {
            filter.getArgs().keySet().stream()
                    .filter(name -> GatewayRateLimiter.isArgument(name)
                            && !KNOWN.matcher(name).matches())
                    .forEach(name -> problems.add(property, "unknown argument " + name));
            problems.parse(property, () -> parser.apply(filter.getArgs()));
        }
    }

    /** Evaluates the arguments that are expressions, as the gateway does. */
    private static Map<String, Object> evaluated(Map<String, String> arguments, BeanFactory beans) {
        SpelExpressionParser expressions = new SpelExpressionParser();
        Map<String, Object> values = new HashMap<>();
        arguments.forEach((name, text) -> {
            if (GatewayRateLimiter.isArgument(name)) {
                try {
                    values.put(name, ShortcutConfigurable.getValue(expressions, beans, text));
                } catch (ExpressionException failure) {
                    throw new IllegalArgumentException(
                            name + " cannot be evaluated: " + failure.getSimpleMessage(), failure);
                }
            }
        });
        return values;
    }

    /** Returns whether a filter names its limiter, in any spelling that the gateway binds. */
    private static boolean hasOtherLimiter(FilterDefinition filter) {
        return filter.getArgs().keySet().stream()
                .anyMatch(name -> ConfigurationPropertyName.adapt(name, '.').equals(OTHER_LIMITER));
    }
}
