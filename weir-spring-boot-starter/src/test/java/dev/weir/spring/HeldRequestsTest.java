package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.context.DelegatingSecurityContextRepository;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** A request that is held passes the same filters as one that is not. */
class HeldRequestsTest {
    private static final ManualTimeSource TIME = new ManualTimeSource();
    private static final String LIMIT = "{limit: 1/10s, path: %s, key: global, max-wait: 15s}";
    private static RunningApplication application;

    /** Authenticates the bearer of a token, which is the name of the user. */
    private static final class Tokens extends OncePerRequestFilter {
        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String token = request.getHeader("Token");
            if (token != null) {
                SecurityContextHolder.getContext()
                        .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(token, "", List.of()));
            }
            chain.doFilter(request, response);
        }
    }

    /** Refuses requests without a key. */
    private static final class Keys extends OncePerRequestFilter {
        @Override
        protected boolean shouldNotFilter(HttpServletRequest request) {
            return !request.getRequestURI().startsWith("/keys");
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (request.getHeader("Key") == null) {
                response.setStatus(HttpServletResponse.SC_FORBIDDEN);
            } else {
                chain.doFilter(request, response);
            }
        }
    }

    static class Beans {
        @Bean
        TimeSource time() {
            return TIME;
        }

        @Bean
        Keys keys() {
            return new Keys();
        }

        @Bean
        Forms forms() {
            return new Forms();
        }

        @Bean
        @Order(1)
        SecurityFilterChain tokens(HttpSecurity http) {
            return http.securityMatcher("/tokens/**")
                    .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .addFilterBefore(new Tokens(), UsernamePasswordAuthenticationFilter.class)
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain session(HttpSecurity http) {
            return http.securityMatcher("/session/**")
                    .securityContext(
                            context -> context.securityContextRepository(new DelegatingSecurityContextRepository(
                                    new RequestAttributeSecurityContextRepository(),
                                    new HttpSessionSecurityContextRepository())))
                    .build();
        }

        @RestController
        static class Forms {
            @PutMapping("/form")
            String put(@RequestParam String name) {
                return "put " + name;
            }

            @PutMapping("/login")
            void login(HttpSession session) {
                session.setAttribute(
                        HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY,
                        new SecurityContextImpl(
                                UsernamePasswordAuthenticationToken.authenticated("bob", "", List.of())));
            }

            @DeleteMapping("/method")
            String delete() {
                return "deleted";
            }
        }
    }

    static class PlainFilter {
        @Bean
        Filter plain() {
            return (request, response, chain) -> chain.doFilter(request, response);
        }
    }

    /** As with {@code spring.security.filter.dispatcher-types: request}. */
    static class SecurityOfRequests extends PlainFilter {
        @Override
        @Bean("springSecurityFilterChain")
        Filter plain() {
            return super.plain();
        }

        @Bean
        DelegatingFilterProxyRegistrationBean securityFilterChainRegistration() {
            var registration = new DelegatingFilterProxyRegistrationBean("springSecurityFilterChain");
            registration.setOrder(-100);
            registration.setDispatcherTypes(DispatcherType.REQUEST);
            return registration;
        }
    }

    static class MappedFilter {
        @Bean
        FilterRegistrationBean<Filter> mapped() {
            Filter filter = (request, response, chain) -> chain.doFilter(request, response);
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            return registration;
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.start(
                """
                spring.mvc.hiddenmethod.filter.enabled: true
                weir:
                  limits:
                    keys: %s
                    tokens: %s
                    form: %s
                    method: %s
                """.formatted(
                                LIMIT.formatted("/keys"),
                                LIMIT.formatted("/tokens/a"),
                                LIMIT.formatted("/form"),
                                LIMIT.formatted("/method")),
                Beans.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** Sends a request twice and returns the second answer, of the request that was held. */
    private static HttpResponse<String> held(HttpRequest.Builder request) throws Exception {
        application.send(request);
        return held(application, request);
    }

    /** Returns the answer to a request that is held. */
    private static HttpResponse<String> held(RunningApplication application, HttpRequest.Builder request)
            throws Exception {
        CompletableFuture<HttpResponse<String>> answer = application.sendAsync(request);
        Await.until("the request is held", () -> TIME.waiting() == 1);
        TIME.advance(Duration.ofSeconds(10));
        return answer.get();
    }

    private static HttpRequest.Builder form(String path, String content) {
        return application
                .request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(content));
    }

    @Test
    void held_filterOfTheApplication_refusesIt() throws Exception {
        assertThat(held(application.request("/keys")).statusCode()).isEqualTo(403);
        TIME.advance(Duration.ofSeconds(10));
        assertThat(held(application.request("/keys").header("Key", "k")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void held_userOfAFilterInSpringSecurity_isKept() throws Exception {
        HttpResponse<String> answer = held(application.request("/tokens/a").header("Token", "ann"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("got ann");
    }

    @Test
    void held_form_keepsItsParametersAndMethod() throws Exception {
        HttpRequest.Builder put = form("/form", "name=ann").method("PUT", BodyPublishers.ofString("name=ann"));

        assertThat(held(put).body()).isEqualTo("put ann");
        assertThat(held(form("/method", "_method=DELETE")).body()).isEqualTo("deleted");
    }

    @Test
    void held_beforeSpringSecurity_isAuthenticated() throws Exception {
        try (RunningApplication early = RunningApplication.start("""
                weir:
                  filter-order: -101
                  limits:
                    all: {limit: 1/10s, path: /**, key: global, max-wait: 15s}
                """, Beans.class)) {
            String session = early.send(early.request("/login").PUT(BodyPublishers.noBody()))
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();

            assertThat(held(early, early.request("/tokens/a").header("Token", "ann"))
                            .body())
                    .isEqualTo("got ann");
            assertThat(held(early, early.request("/session/a").header("Cookie", session))
                            .body())
                    .as("the user of a session")
                    .isEqualTo("got bob");
        }
    }

    private static WebApplicationContextRunner withFilter(Class<?> configuration, String property) {
        return new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(WeirAutoConfiguration.class, WeirServletAutoConfiguration.class))
                .withUserConfiguration(configuration)
                .withPropertyValues("weir.limits.all.path=/**", "weir.limits.all.limit=1/10s")
                .withPropertyValues(property);
    }

    @Test
    void maxWait_filterBehindMissesHeldRequests_failsAtStart() {
        withFilter(PlainFilter.class, "weir.limits.all.max-wait=15s")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .isInstanceOf(InvalidConfigurationException.class)
                                .hasMessage(
                                        "weir.limits.all.max-wait: filter 'plain' would not see requests that were held; register it for"
                                                + " the dispatcher types REQUEST and ASYNC, or set weir.filter-order above its order, 2147483647"));
    }

    /** Before that of Weir, it would let a held request continue without its user. */
    @Test
    void maxWait_springSecurityMissesHeldRequests_failsAtStart() {
        withFilter(SecurityOfRequests.class, "weir.limits.all.max-wait=15s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessage(
                                "weir.limits.all.max-wait: filter 'springSecurityFilterChain' would not see requests"
                                        + " that were held; register it for the dispatcher types REQUEST and ASYNC"));
    }

    @Test
    void maxWait_filterBehindIsMappedToAsync_starts() {
        withFilter(MappedFilter.class, "weir.limits.all.max-wait=15s")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutMaxWait_filterBehindMissesAsync_starts() {
        withFilter(PlainFilter.class, "weir.limits.all.key=global")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
