package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitedException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.ui.Model;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Annotated methods of Spring MVC controllers on Tomcat: what clients receive when they are denied. */
class AnnotatedControllerTest {
    private static RunningApplication application;

    @RestController
    static class Logins {
        @GetMapping("/login/{user}")
        @RateLimited(value = "login", key = "#user")
        String login(@PathVariable String user) {
            return "welcome " + user;
        }

        @GetMapping("/async/{user}")
        @RateLimited(value = "login", key = "#user", maxWait = "1s")
        CompletableFuture<String> async(@PathVariable String user) {
            return CompletableFuture.completedFuture("welcome " + user);
        }

        @GetMapping("/two/{user}")
        @RateLimited("all")
        @RateLimited(value = "login", key = "#user")
        String two(@PathVariable String user) {
            return "welcome " + user;
        }
    }

    @RestController
    static class Callers {
        private final Logins logins;

        Callers(Logins logins) {
            this.logins = logins;
        }

        @GetMapping("/joined/{user}")
        String joined(@PathVariable String user) {
            return logins.async(user).join();
        }

        @GetMapping("/got/{user}")
        String got(@PathVariable String user) throws Exception {
            return logins.async(user).get();
        }

        @GetMapping("/writer/{user}")
        void login(@PathVariable String user, HttpServletResponse response) throws IOException {
            PrintWriter writer = response.getWriter();
            writer.write(logins.login(user));
        }
    }

    @RestController
    static class OwnAnswer {
        @GetMapping("/own/{user}")
        @RateLimited(value = "login", key = "#user")
        String own(@PathVariable String user) {
            return "welcome " + user;
        }

        @ExceptionHandler
        ResponseEntity<String> denied(RateLimitedException denial) {
            return ResponseEntity.status(503).body("try later: " + denial.limiter());
        }
    }

    @RestController
    @RateLimited(value = "login", key = "#user")
    static class LimitedController {
        @GetMapping("/controller/{user}")
        String get(@PathVariable String user) {
            return "welcome " + user;
        }

        @GetMapping("/model/{user}")
        @ModelAttribute
        String endpoint(@PathVariable String user) {
            return "welcome " + user;
        }

        @ModelAttribute
        void prepare(Model model) {
            model.addAttribute("title", "a title");
        }

        @InitBinder
        void bind(WebDataBinder binder) {
            binder.setDisallowedFields("id");
        }

        @ExceptionHandler
        ResponseEntity<String> denied(RateLimitedException denial) {
            return ResponseEntity.status(503).body("try later: " + denial.limiter());
        }
    }

    @BeforeAll
    static void start() {
        application =
                RunningApplication.start("""
                weir:
                  headers: [rate-limit, x-rate-limit]
                  limits:
                    login: {limit: [1/1h, 100/1d]}
                    all: {limit: 100/1h}
                """, Logins.class, Callers.class, OwnAnswer.class, LimitedController.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static void assertDenied(HttpResponse<String> denied) {
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(3500L, 3600L);
        assertThat(denied.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"login-0\";q=1;w=3600, \"login-1\";q=100;w=86400");
        assertThat(denied.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.body()).contains("\"status\":429", "\"violated-policies\":[\"login-0\"]");
    }

    @Test
    void denied_isAnsweredWithHeadersAndProblemDetails() throws Exception {
        assertThat(application.get("/login/ada").body()).isEqualTo("welcome ada");

        assertDenied(application.get("/login/ada"));
    }

    @Test
    void denied_writerOfTheResponseIsInUse_isAnswered() throws Exception {
        assertThat(application.get("/writer/kim").body()).isEqualTo("welcome kim");

        HttpResponse<String> denied = application.get("/writer/kim");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).isPresent();
        assertThat(denied.body()).startsWith("{\"type\":").endsWith("\"violated-policies\":[\"login-0\"]}");
    }

    @Test
    void deniedBecauseTheWaitIsTooLong_isAnsweredAtOnce() throws Exception {
        assertThat(application.get("/async/bob").body()).isEqualTo("welcome bob");

        assertDenied(application.get("/async/bob"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"joined", "got"})
    void deniedInAFutureThatTheControllerWaitsFor_isAnswered(String path) throws Exception {
        assertThat(application.get("/" + path + "/" + path).body()).isEqualTo("welcome " + path);

        assertDenied(application.get("/" + path + "/" + path));
    }

    @Test
    void deniedByOneOfSeveralLimiters_reportsThatOne() throws Exception {
        assertThat(application.get("/two/eve").body()).isEqualTo("welcome eve");

        assertDenied(application.get("/two/eve"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/own/joe", "/controller/jim", "/model/jon"})
    void exceptionHandlerOfTheApplication_answersInstead(String path) throws Exception {
        assertThat(application.status(path)).isEqualTo(200);

        HttpResponse<String> denied = application.get(path);

        assertThat(denied.statusCode()).isEqualTo(503);
        assertThat(denied.body()).isEqualTo("try later: login");
    }
}
