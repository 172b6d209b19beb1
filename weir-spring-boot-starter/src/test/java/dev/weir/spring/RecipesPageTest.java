package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Component;

/** The page docs/recipes.md for Spring Boot: its YAML is loaded, its Java is a region of this class. */
class RecipesPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(weir:.*?)```", Pattern.DOTALL);

    // region
    @Component
    static class Logins {
        private final RateLimiter login;

        Logins(RateLimiters limiters) {
            login = limiters.get("login");
        }

        @EventListener
        void succeeded(AuthenticationSuccessEvent event) {
            String name = event.getAuthentication().getName().toLowerCase(Locale.ROOT);
            var unused = login.resetAsync(name); // does not wait
        }
    }
    // endregion

    static class Bans {
        // region
        @Bean
        LimiterListener bans(ObjectProvider<RateLimiters> limiters) {
            return new LimiterListener() {
                @Override
                public void decided(String limiter, String key, long permits, Decision decision) {
                    if (limiter.equals("login") && !decision.allowed() && !decision.blocked() && !decision.degraded()) {
                        RateLimiter banning = limiters.getObject().get(limiter);
                        var unused = banning.blockAsync(key, Duration.ofMinutes(10)); // does not wait
                    }
                }
            };
        }
        // endregion
    }

    static class Form {
        @Bean
        @Order(0)
        SecurityFilterChain login(HttpSecurity http) {
            return http.securityMatcher("/login")
                    .formLogin(form -> {})
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    static class Access {
        @Bean
        @Order(0)
        SecurityFilterChain access(HttpSecurity http) {
            http.securityMatcher("/**");
            // region
            http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                    .permitAll()
                    .requestMatchers("/public/**")
                    .permitAll()
                    .anyRequest()
                    .authenticated());
            // endregion
            return http.build();
        }
    }

    private static String yaml(String part) throws IOException {
        List<String> blocks = YAML.matcher(Files.readString(Path.of("../docs/recipes.md")))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(part))
                .toList();
        assertThat(blocks).hasSize(1);
        return blocks.get(0);
    }

    private static int login(RunningApplication application, String name, String password) throws Exception {
        HttpRequest.Builder form = application
                .request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("username=" + name + "&password=" + password));
        return application.status(form);
    }

    /** On a Turkish machine, where the lower case of IVY is not ivy unless the locale is given. */
    @Test
    void failedLogins_count_andSuccessResets() throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try (RunningApplication application =
                RunningApplication.start(yaml("/login"), Form.class, Logins.class, Bans.class)) {
            for (int i = 0; i < 4; i++) {
                assertThat(login(application, "Ann", "guess")).isEqualTo(302);
            }
            assertThat(login(application, "ann", "secret")).isEqualTo(302);
            for (int i = 0; i < 5; i++) {
                assertThat(login(application, "ann", "guess")).as("%d", i).isEqualTo(302);
            }
            assertThat(login(application, "ANN", "secret")).isEqualTo(429);
            assertThat(login(application, "bob", "secret")).isEqualTo(302);
            assertThat(login(application, "IVY", "guess")).isEqualTo(302);

            RateLimiter limiter = application.bean(RateLimiters.class).get("login");
            assertThat(limiter.peek("ann").blocked()).isTrue();
            assertThat(limiter.peek("ivy").remaining()).isEqualTo(4);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void errorPages_ofAnonymousUsers_answerDenials() throws Exception {
        String yaml = yaml("error-pages") + "  limits: {api: {limit: 1/1h, path: /public/a}}\n";
        try (RunningApplication application = RunningApplication.start(yaml, Access.class)) {
            assertThat(application.status("/public/a")).isEqualTo(200);

            HttpResponse<String> denied = application.get("/public/a");

            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.body()).contains("\"status\":429,\"error\":\"Too Many Requests\"");
            assertThat(application.status("/private")).isEqualTo(403);
        }
    }

    @Test
    void exempt_healthAndAddresses_areNotLimited() throws Exception {
        String behindProxy = yaml("/actuator/health")
                + "  client-address: {header: x-forwarded-for, trusted-proxies: 127.0.0.0/8}\n";
        try (RunningApplication application = RunningApplication.start(behindProxy)) {
            assertThat(limited(application, "/actuator/health/liveness", "192.0.2.9"))
                    .isFalse();
            assertThat(limited(application, "/a", "192.0.2.11")).isFalse();
            assertThat(limited(application, "/a", "192.0.2.9")).isTrue();
        }
    }

    private static boolean limited(RunningApplication application, String path, String client) throws Exception {
        HttpResponse<String> response =
                application.send(application.request(path).header("X-Forwarded-For", client));
        return response.headers().firstValue("RateLimit").isPresent();
    }

    @Test
    void keys_ofSeveralParts_countApart() throws Exception {
        try (RunningApplication application = RunningApplication.start(yaml("user-and-address"))) {
            for (int i = 0; i < 10; i++) {
                assertThat(application.status(application.as("ann", "/reports/a")))
                        .isEqualTo(200);
            }
            RateLimiter eachPath = application.bean(RateLimiters.class).get("each-path");
            assertThat(eachPath.inspect("ann /reports/a").time()).isNotNull();
            assertThat(application.status(application.as("ann", "/reports/b"))).isEqualTo(200);
            assertThat(application.status(application.as("ann", "/api/a"))).isEqualTo(200);

            RateLimiter both = application.bean(RateLimiters.class).get("user-and-address");
            assertThat(both.peek("ann 127.0.0.1").remaining()).isEqualTo(99);
        }
    }
}
