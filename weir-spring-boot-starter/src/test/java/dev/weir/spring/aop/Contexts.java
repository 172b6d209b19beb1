package dev.weir.spring.aop;

import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.spring.RateLimiters;
import dev.weir.store.MemoryStore;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Contexts with limiters and the post-processor, and nothing else. */
final class Contexts {
    private Contexts() {}

    /** Registers limiters, each given as {@code name=limit}. */
    static void register(AnnotationConfigApplicationContext context, TimeSource time, String... limits) {
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        Map<String, RateLimiter> limiters = new TreeMap<>();
        for (String limit : limits) {
            String[] parts = limit.split("=", 2);
            limiters.put(
                    parts[0],
                    RateLimiter.builder()
                            .name(parts[0])
                            .limit(parts[1])
                            .store(store)
                            .build());
        }
        context.registerBean(RateLimiters.class, () -> limiters(limiters));
        context.register(RateLimitedAutoConfiguration.class);
    }

    /** Returns a proxy such as that of an HTTP client, which has no target. */
    static Services.Remote remote(UnaryOperator<String> answer) {
        ProxyFactory factory = new ProxyFactory();
        factory.addInterface(Services.Remote.class);
        factory.addAdvice((MethodInterceptor) call -> answer.apply((String) call.getArguments()[0]));
        return (Services.Remote) factory.getProxy();
    }

    /** Counts calls, as a transaction or a cache would see them. */
    static final class OtherAdvice implements MethodInterceptor {
        final AtomicInteger calls = new AtomicInteger();

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            calls.incrementAndGet();
            return invocation.proceed();
        }
    }

    /** Puts the logins behind another proxy, before limits are added to it. */
    static void adviseLogins(AnnotationConfigApplicationContext context) {
        OtherAdvice advice = new OtherAdvice();
        context.registerBean(OtherAdvice.class, () -> advice);
        context.registerBean(DefaultPointcutAdvisor.class, () -> {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.setClassFilter(type -> Services.Logins.class.isAssignableFrom(type));
            pointcut.addMethodName("login");
            return new DefaultPointcutAdvisor(pointcut, advice);
        });
        context.registerBean(DefaultAdvisorAutoProxyCreator.class, () -> {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        });
    }

    private static RateLimiters limiters(Map<String, RateLimiter> limiters) {
        return new RateLimiters() {
            @Override
            public RateLimiter get(String name) {
                if (!limiters.containsKey(name)) {
                    throw new IllegalArgumentException("no limiter is named '" + name + "', only " + names());
                }
                return limiters.get(name);
            }

            @Override
            public boolean isShadow(String name) {
                return name.equals("shadow");
            }

            @Override
            public Set<String> names() {
                return limiters.keySet();
            }
        };
    }
}
