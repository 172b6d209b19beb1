package dev.weir.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * What a native image must contain that cannot be seen in the code: what expressions read, arguments of routes, and the servers of a
 * connection factory.
 */
final class WeirRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(ExpressionRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.reflection().registerType(String.class, MemberCategory.INVOKE_PUBLIC_METHODS); // path.startsWith('/api')
        for (String name : new String[] {
            "jakarta.servlet.http.HttpServletRequest",
            "org.springframework.http.server.reactive.ServerHttpRequest",
            "org.springframework.http.HttpRequest",
            "org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken"
        }) {
            hints.reflection()
                    .registerTypeIfPresent(
                            classLoader, name, type -> type.withMembers(MemberCategory.INVOKE_PUBLIC_METHODS));
        }
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                        MemberCategory.ACCESS_DECLARED_FIELDS);
        if (ClassUtils.isPresent("org.springframework.cloud.gateway.filter.ratelimit.RateLimiter", classLoader)) {
            BindableRuntimeHintsRegistrar.forTypes(GatewayRateLimiter.Config.class)
                    .registerHints(hints);
        }
    }
}
