package dev.weir.spring.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.TimeSource;
import dev.weir.spring.RateLimited;
import dev.weir.spring.internal.InvalidConfigurationAnalyzer;
import dev.weir.spring.internal.InvalidConfigurationException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import kotlin.coroutines.Continuation;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.test.tools.SourceFile;
import org.springframework.core.test.tools.TestCompiler;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.ParallelFlux;

/** Annotations that cannot work: the application does not start, and the message names all of them. */
class InvalidRateLimitedTest {
    static class ManyMistakes {
        @RateLimited("logn")
        public void unknownLimiter() {}

        @RateLimited(value = "login", key = "#request.")
        public void notAnExpression(String request) {}

        @RateLimited(value = "login", key = "#user + #session")
        public void unknownParameter(String user) {}

        @RateLimited(value = "login", permits = 0, maxWait = "soon")
        public void noPermitsAndNoDuration() {}

        @RateLimited(value = "login", maxWait = "-1s")
        public void negativeWait() {}

        @RateLimited("login")
        private void hidden() {}

        @RateLimited("login")
        public final void unchangeable() {}

        @RateLimited("login")
        static void withoutABean() {}

        @RateLimited("login")
        public Object suspend(String user, Continuation<String> rest) {
            return user;
        }

        @RateLimited("login")
        public OwnFuture ownFuture() {
            return new OwnFuture();
        }

        @RateLimited(value = "login", key = "user.name")
        public void user(String user) {}

        @RateLimited(value = "login", key = "#user ?: @tenants.current()")
        public void unknownBean(String user) {}

        @RateLimited(value = "login", key = "@'shop.tenants'.of(#user)")
        public void unknownBeanWithADot(String user) {}

        @RateLimited(value = "login", key = "ip")
        public void nameOfARule() {}

        @RateLimited("login")
        public ParallelFlux<String> parallel() {
            return Flux.just("a").parallel();
        }

        @RateLimited("login")
        public ConnectableFlux<String> connectable() {
            return Flux.just("a").publish();
        }

        @Bean
        @RateLimited("login")
        public String bean() {
            return "a bean";
        }

        void useHidden() {
            hidden();
        }
    }

    static class OwnFuture extends CompletableFuture<String> {}

    private static void start(Class<?> bean) {
        start(bean, null);
    }

    private static <T> void start(Class<T> bean, @Nullable Supplier<?> supplier) {
        try (var context = new AnnotationConfigApplicationContext()) {
            Contexts.register(context, TimeSource.system(), "login=1/1m", "api=1/1m");
            context.registerBean(bean, supplier == null ? null : () -> bean.cast(supplier.get()));
            context.refresh();
        }
    }

    private static AbstractThrowableAssert<?, ?> assertThatStart(Class<?> bean) {
        return assertThatThrownBy(() -> start(bean)).rootCause();
    }

    @Test
    void start_invalidAnnotations_failsAndNamesAllOfThem() {
        assertThatStart(ManyMistakes.class)
                .isInstanceOfSatisfying(
                        InvalidConfigurationException.class,
                        invalid -> assertThat(invalid.problems()).hasSize(18))
                .message()
                .contains(
                        "@RateLimited on ManyMistakes.unknownLimiter: no limiter is named 'logn', only [api, login]",
                        "ManyMistakes.notAnExpression: key is not an expression, was #request.: ",
                        "ManyMistakes.unknownParameter: key refers to #session, which is not a parameter; known are"
                                + " #this, #root, #p0, #a0, #user",
                        "ManyMistakes.user: key refers to user, a property that the bean does not have; known are"
                                + " #this, #root, #p0, #a0, #user",
                        "ManyMistakes.nameOfARule: key refers to ip, a property that the bean does not have",
                        "ManyMistakes.unknownBean: key refers to @tenants, but no bean has this name",
                        "ManyMistakes.unknownBeanWithADot: key refers to @shop.tenants, but no bean has this name",
                        "ManyMistakes.noPermitsAndNoDuration: permits must be at least 1, was 0",
                        "ManyMistakes.noPermitsAndNoDuration: maxWait must be a duration such as 500ms or 2s, was soon",
                        "ManyMistakes.negativeWait: maxWait must not be negative, was -1s",
                        "ManyMistakes.hidden: Spring cannot intercept a method that is private, static or final",
                        "ManyMistakes.unchangeable: Spring cannot intercept",
                        "ManyMistakes.withoutABean: Spring cannot intercept",
                        "ManyMistakes.suspend: suspend functions are not supported",
                        "ManyMistakes.ownFuture: a method that returns OwnFuture is not supported",
                        "ManyMistakes.parallel: a method that returns ParallelFlux is not supported; return a Mono or a Flux",
                        "ManyMistakes.connectable: a method that returns ConnectableFlux is not supported",
                        "ManyMistakes.bean: a method with @Bean is called once, to create the bean");
    }

    static final class NoSubclass {
        @RateLimited("login")
        public void login() {}
    }

    static class NoConstructor {
        private NoConstructor() {}

        @RateLimited("login")
        public void login() {}
    }

    record Login(String user) {
        @RateLimited("login")
        public void login() {}
    }

    private static String report(Class<?> type, Supplier<?> bean) {
        Throwable failure = catchThrowable(() -> start(type, bean));
        return Objects.requireNonNull(new InvalidConfigurationAnalyzer().analyze(failure))
                .getDescription();
    }

    @Test
    void start_classThatSpringCannotSubclass_saysWhatToChange() {
        assertThat(report(NoSubclass.class, NoSubclass::new))
                .contains("@RateLimited on NoSubclass.login: Spring cannot make a subclass of "
                        + NoSubclass.class.getName())
                .contains("final", "record", "constructor that is not private");
        assertThat(report(NoConstructor.class, NoConstructor::new)).contains("@RateLimited on NoConstructor.login: ");
        assertThat(report(Login.class, () -> new Login("ann"))).contains("@RateLimited on Login.login: ");
    }

    @Test
    void start_namesOfParametersAreUnknown_saysHowToCompile() {
        SourceFile source = SourceFile.of("""
                package users;
                public class Unnamed {
                    @dev.weir.spring.RateLimited(value = "login", key = "#user")
                    public void login(String user) {}
                }
                """);
        TestCompiler.forSystem()
                .withSources(source)
                .compile(
                        compiled -> assertThatStart(
                                        compiled.getAllCompiledClasses().get(0))
                                .hasMessage(
                                        "@RateLimited on Unnamed.login: key refers to #user, which is not a parameter; known are"
                                                + " #this, #root, #p0, #a0. Compile with -parameters to refer to parameters by name"));
    }

    @Test
    void failureAnalyzer_reportsWithoutAStackTrace() {
        Throwable failure = catchThrowable(() -> start(ManyMistakes.class));

        FailureAnalysis analysis = new InvalidConfigurationAnalyzer().analyze(failure);

        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription())
                .contains("no limiter is named 'logn'")
                .doesNotContain("\tat ");
        assertThat(analysis.getAction()).contains("annotations");
    }
}
