package dev.weir.spring;

import dev.weir.LimiterListener;
import dev.weir.TimeSource;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreListener;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ResourceLoader;

/**
 * Makes the limiters of the configuration, {@code weir.limits}, their rules for requests, and the store that holds their state:
 * that of the application if it has a {@link Store} bean, else one on Redis or in memory.
 *
 * <p>Each {@link LimiterListener} bean is notified by every limiter, and each {@link StoreListener} bean by the store on Redis. A
 * {@link TimeSource} bean is the time of the store.
 */
@AutoConfiguration
@EnableConfigurationProperties(WeirProperties.class)
public final class WeirAutoConfiguration {
    /** The name of the store that is made here, which no bean of the application has. */
    static final String STORE = "dev.weir.spring.store";

    private static final Set<String> LIMITERS = Set.of("rateLimiters", STORE);

    WeirAutoConfiguration() {}

    @Bean
    static BindingProblems weirBindingProblems() {
        return new BindingProblems();
    }

    @Bean
    WeirSettings weirSettings(WeirProperties properties, BindingProblems found, ConfigurableEnvironment environment) {
        checkVersion(SpringBootVersion.getVersion(), found.problems());
        UnknownSettings.check(environment, found);
        return new WeirSettings(properties, found.problems());
    }

    /** Spring Boot 3 would have neither meters nor health, and outgoing calls would fail. */
    static void checkVersion(String version, Problems problems) {
        if (version.startsWith("3.")) {
            problems.add("weir-spring-boot-starter", "needs Spring Boot 4, was " + version);
        }
    }

    @Bean(name = STORE, destroyMethod = "close")
    @ConditionalOnMissingBean(Store.class)
    Store weirStore(
            WeirSettings settings,
            ObjectProvider<StoreListener> listeners,
            ObjectProvider<TimeSource> timeSource,
            BeanFactory beans) {
        TimeSource time = timeSource.getIfAvailable(TimeSource::system);
        return ApplicationThreads.startedBy(store(settings, listeners, time, beans));
    }

    /** Returns what starts the store. Beans that it needs are created before, with the class loader of the application. */
    private static Supplier<Store> store(
            WeirSettings settings, ObjectProvider<StoreListener> listeners, TimeSource time, BeanFactory beans) {
        if (settings.store() == WeirProperties.StoreKind.MEMORY) {
            return MemoryStore.builder().timeSource(time)::build;
        }
        List<StoreListener> all = all(listeners);
        String uri = settings.redis().uri();
        return (uri == null
                        ? LettuceStores.builder(settings.redis(), all, time, beans)
                        : RedisStores.builder(uri, settings.redis(), all, time))::connect;
    }

    /**
     * Returns all listeners, in their order.
     *
     * @throws InvalidConfigurationException if one of them needs the limiters that are being created
     */
    private static <L> List<L> all(ObjectProvider<L> listeners) {
        try {
            return listeners.orderedStream().toList();
        } catch (BeanCreationException failure) {
            if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof BeanCurrentlyInCreationException cycle
                    && (cycle == failure || LIMITERS.contains(String.valueOf(cycle.getBeanName())))) {
                throw new InvalidConfigurationException(List.of("bean '" + failure.getBeanName()
                        + "': a listener is created before the limiters; it must take an ObjectProvider<RateLimiters>"
                        + " instead of RateLimiters, and have no @RateLimited methods"));
            }
            throw failure;
        }
    }

    @Bean
    @ConditionalOnMissingBean(RateLimiters.class)
    ConfiguredLimiters rateLimiters(
            WeirSettings settings,
            Store store,
            ObjectProvider<LimiterListener> listeners,
            ObjectProvider<Plans> plans,
            ResourceLoader application) {
        return new ConfiguredLimiters(
                settings,
                store,
                ApplicationThreads.on(store.timeSource().executor(), application.getClassLoader()),
                all(listeners),
                () -> plans.getIfAvailable(() -> (limiter, key) -> null));
    }

    /** Checks at start that there is at most one bean, which is found when it is needed. */
    @Bean
    SmartInitializingSingleton weirPlansCheck(ObjectProvider<Plans> plans) {
        return plans::getIfAvailable;
    }

    @Bean
    @ConditionalOnWebApplication
    Rules weirRules(WeirSettings settings, RateLimiters limiters) {
        return new Rules(settings.rules().stream()
                .map(rule -> new Rules.Rule(limiters.get(rule.limiter()), rule))
                .toList());
    }
}
