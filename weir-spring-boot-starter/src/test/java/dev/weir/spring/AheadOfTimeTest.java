package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.KeySnapshot;
import dev.weir.RateLimitedException;
import dev.weir.spring.aop.RateLimitedAutoConfiguration;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that is built ahead of time, as for a native image: its generated code runs on the JVM here, and the hints for the
 * image are there.
 */
class AheadOfTimeTest {
    private static final TestPropertyValues PROPERTIES = TestPropertyValues.of(
            "server.port=0",
            "weir.limits.login.limit=1/1h",
            "weir.limits.api.limit=1/1h",
            "weir.limits.api.path=/api/**",
            "weir.limits.api.key=header('X-Api-Key')");

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        NettyReactiveWebServerAutoConfiguration.class,
        HttpHandlerAutoConfiguration.class,
        WebFluxAutoConfiguration.class,
        WeirAutoConfiguration.class,
        WeirWebFluxAutoConfiguration.class,
        RateLimitedAutoConfiguration.class
    })
    @Import(Endpoints.class)
    static class Application {}

    /** What the key of a method reads. */
    public record Login(String user) {}

    @RestController
    static class Endpoints {
        @GetMapping("/api/{id}")
        String api() {
            return "got";
        }
    }

    static class Logins {
        @RateLimited(value = "login", key = "#login.user")
        public String login(Login login) {
            return "welcome " + login.user();
        }
    }

    /** Inherits a limited method, whose key may read what only this class has. */
    static class AdminLogins extends Logins {
        public String region() {
            return "north";
        }
    }

    @Test
    @CompileWithForkedClassLoader
    void generatedApplication_limitsRequestsAndMethods() {
        TestGenerationContext generation = new TestGenerationContext();
        try (var context = new AnnotationConfigReactiveWebServerApplicationContext()) {
            PROPERTIES.applyTo(context);
            context.register(Application.class, Logins.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }

        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Login.class, "user"))
                .accepts(hints);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            ApplicationContextInitializer<GenericApplicationContext> application = application(compiled);
            try (var context = new ReactiveWebServerApplicationContext()) {
                PROPERTIES.applyTo(context);
                application.initialize(context);
                context.refresh();
                assertLimited(context);
            }
        });
    }

    @SuppressWarnings("unchecked") // generated for contexts of this type
    private static ApplicationContextInitializer<GenericApplicationContext> application(Compiled compiled) {
        return compiled.getInstance(ApplicationContextInitializer.class);
    }

    private static void assertLimited(ReactiveWebServerApplicationContext context) {
        int port = context.getWebServer().getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/1"))
                .header("X-Api-Key", "ada")
                .build();
        assertThat(status(request)).isEqualTo(200);
        assertThat(status(request)).isEqualTo(429);
        assertThat(context.getBean(RateLimiters.class).get("api").peek("ada").remaining())
                .isZero();

        Logins logins = context.getBean(Logins.class);
        assertThat(logins.login(new Login("ada"))).isEqualTo("welcome ada");
        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> logins.login(new Login("ada")));
    }

    private static int status(HttpRequest request) {
        return HttpClient.newHttpClient()
                .sendAsync(request, BodyHandlers.ofString())
                .thenApply(HttpResponse::statusCode)
                .join();
    }

    @Test
    void hints_containWhatExpressionsRead() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new WeirRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(ExpressionRoot.class, "getAddress"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(String.class.getMethod("startsWith", String.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(ServerHttpRequest.class, "getQueryParams"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(GatewayRateLimiter.Config.class, "setLimiter"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(LettuceConnectionFactory.class, "configuration"))
                .accepts(hints);
    }

    @Test
    void hints_ofABeanThatInheritsItsLimit_containItsMethods() {
        TestGenerationContext generation = new TestGenerationContext();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBeanDefinition("logins", new RootBeanDefinition(AdminLogins.class));
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(AdminLogins.class, "region"))
                .accepts(generation.getRuntimeHints());
    }

    @ParameterizedTest
    @ValueSource(classes = {LimiterDescription.class, KeyDescription.class, KeySnapshot.Run.class})
    void hints_ofTheEndpoint_containWhatItAnswers(Class<?> answer) {
        TestGenerationContext generation = new TestGenerationContext();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBeanDefinition("endpoint", new RootBeanDefinition(RateLimitsEndpoint.class));
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }

        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(answer, answer.getRecordComponents()[0].getName()))
                .accepts(generation.getRuntimeHints());
    }

    @Test
    void registrars_areFoundBySpring() {
        assertThat(AotServices.factories().load(RuntimeHintsRegistrar.class))
                .anyMatch(registrar -> registrar instanceof WeirRuntimeHints);
    }
}
