package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/** The configuration of CORS on the page docs/http.md, which is a region of this class. */
class CorsPageTest {
    static class Configuration {
        // region
        @Bean
        FilterRegistrationBean<CorsFilter> cors() {
            CorsConfiguration shop = new CorsConfiguration();
            shop.addAllowedOrigin("https://shop.example.org");
            shop.addExposedHeader("Retry-After");
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/api/**", shop);
            FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(new CorsFilter(source));
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }
        // endregion
    }

    @Test
    void cors_filterFirst_preflightsAreFreeAndDenialsReadable() throws Exception {
        try (RunningApplication application =
                RunningApplication.start("weir.limits.api: {limit: 1/1h, path: /api/**}", Configuration.class)) {
            HttpRequest.Builder call = application.request("/api/a").header("Origin", "https://shop.example.org");
            HttpRequest.Builder preflight = call.copy()
                    .header("Access-Control-Request-Method", "GET")
                    .method("OPTIONS", BodyPublishers.noBody());
            assertThat(application.status(preflight)).isEqualTo(200);
            assertThat(application.status(call)).as("the first that counts").isEqualTo(200);
            assertThat(application.status(preflight)).isEqualTo(200);

            HttpResponse<String> denied = application.send(call);

            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Access-Control-Allow-Origin"))
                    .hasValue("https://shop.example.org");
            assertThat(denied.headers().firstValue("Access-Control-Expose-Headers"))
                    .hasValue("Retry-After");
        }
    }
}
