package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The class loader of the threads on which requests and calls continue that have waited. */
class ApplicationThreadsTest {
    private final ManualTimeSource time = new ManualTimeSource();

    /** Time whose threads have no class loader, as those of the common pool have another one than an executable jar. */
    private final TimeSource source = new TimeSource() {
        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public CompletableFuture<Void> after(long nanos) {
            return time.after(nanos);
        }

        @Override
        public Executor executor() {
            return task -> {
                Thread thread = new Thread(task);
                thread.setContextClassLoader(null);
                thread.start();
            };
        }
    };

    @Test
    void waited_continuesWithTheClassLoaderOfTheApplication() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(ApplicationThreadsTest.class)) // as that of devtools
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
                .withBean(TimeSource.class, () -> source)
                .withPropertyValues("weir.limits.api.limit=1/1m")
                .run(context -> {
                    RateLimiter api = context.getBean(RateLimiters.class).get("api");
                    assertThat(api.tryAcquire("any")).matches(Decision::allowed);
                    CompletableFuture<ClassLoader> loader = api.tryAcquireAsync("any", Duration.ofMinutes(1))
                            .thenApply(due -> Thread.currentThread().getContextClassLoader());

                    time.advance(Duration.ofMinutes(1));

                    assertThat(loader).succeedsWithin(Await.TIMEOUT).isSameAs(context.getClassLoader());
                });
    }

    @Test
    void storeListener_isCreatedWithTheClassLoaderOfTheApplication() {
        AtomicReference<ClassLoader> loader = new AtomicReference<>();
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(ApplicationThreadsTest.class)) // as that of devtools
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
                .withBean(
                        StoreListener.class,
                        () -> {
                            loader.set(Thread.currentThread().getContextClassLoader());
                            return new StoreListener() {};
                        },
                        bean -> bean.setLazyInit(true)) // created when the store needs it
                .withPropertyValues("weir.redis.uri=redis://127.0.0.1:1")
                .run(context -> assertThat(loader).hasValue(context.getClassLoader()));
    }
}
