package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitedException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Denials that the application's error pages answer: those of rules and of annotated methods. */
class ErrorPagesTest {
    private static final String YAML = """
            weir:
              error-pages: true
              limits:
                rule: {limit: 1/1h, path: /rule, key: "header('Client')"}
                method: {limit: 1/1h}
            """;

    @RestController
    static class Methods {
        @GetMapping("/method")
        @RateLimited("method")
        String method() {
            return "called";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Servlets {
        @Bean
        org.springframework.boot.webmvc.error.ErrorAttributes texts() {
            return new org.springframework.boot.webmvc.error.DefaultErrorAttributes() {
                @Override
                public Map<String, Object> getErrorAttributes(
                        org.springframework.web.context.request.WebRequest request,
                        org.springframework.boot.web.error.ErrorAttributeOptions options) {
                    return ours(super.getErrorAttributes(request, options), getError(request));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Reactive {
        @Bean
        org.springframework.boot.webflux.error.ErrorAttributes texts() {
            return new org.springframework.boot.webflux.error.DefaultErrorAttributes() {
                @Override
                public Map<String, Object> getErrorAttributes(
                        org.springframework.web.reactive.function.server.ServerRequest request,
                        org.springframework.boot.web.error.ErrorAttributeOptions options) {
                    return ours(super.getErrorAttributes(request, options), getError(request));
                }
            };
        }
    }

    private static Map<String, Object> ours(Map<String, Object> usual, @Nullable Throwable error) {
        boolean method =
                error != null && NestedExceptionUtils.getMostSpecificCause(error) instanceof RateLimitedException;
        return Map.of("code", "E-" + usual.get("status") + (method ? "-method" : ""));
    }

    @Test
    void servlets_denied_answerWithTheErrorPage() throws Exception {
        try (RunningApplication application = RunningApplication.start(YAML, Servlets.class, Methods.class)) {
            assertErrorPages(application);
        }
    }

    @Test
    void webFlux_denied_answersWithTheErrorPage() throws Exception {
        try (RunningApplication application = RunningApplication.startReactive(YAML, Reactive.class, Methods.class)) {
            assertErrorPages(application);
        }
    }

    private static void assertErrorPages(RunningApplication application) throws Exception {
        for (String path : List.of("/rule", "/method")) {
            assertThat(application.status(application.request(path).header("Client", "a")))
                    .isIn(200, 404);

            HttpResponse<String> denied =
                    application.send(application.request(path).header("Client", "a"));

            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.body())
                    .isEqualTo("{\"code\":\"E-429" + (path.equals("/method") ? "-method" : "") + "\"}");
            assertThat(denied.headers().map()).containsKeys("retry-after", "ratelimit");
        }
    }
}
