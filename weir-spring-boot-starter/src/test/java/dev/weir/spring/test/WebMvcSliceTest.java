package dev.weir.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.RateLimited;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The annotation in a slice of Spring MVC: the filter and annotated methods limit the requests of MockMvc. */
@WebMvcTest(properties = {"weir.limits.api.limit=1/1h", "weir.limits.api.path=/api", "weir.limits.method.limit=1/1h"})
@AutoConfigureManualTime
class WebMvcSliceTest {
    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private ManualTimeSource time;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Endpoints.class)
    static class Application {}

    @RestController
    static class Endpoints {
        @GetMapping("/api")
        String api() {
            return "got";
        }

        @GetMapping("/method/{user}")
        @RateLimited(value = "method", key = "#user")
        String method(@PathVariable String user) {
            return user;
        }
    }

    @Test
    void filter_limitsByTheTimeOfTheTest() {
        assertThat(mvc.get().uri("/api")).hasStatus(200);
        assertThat(mvc.get().uri("/api")).hasStatus(429).containsHeader("Retry-After");

        time.advance(Duration.ofHours(1));

        assertThat(mvc.get().uri("/api")).hasStatus(200);
    }

    @Test
    void annotatedMethod_isLimited() {
        assertThat(mvc.get().uri("/method/ada")).hasStatus(200);
        assertThat(mvc.get().uri("/method/ada")).hasStatus(429);
    }
}
