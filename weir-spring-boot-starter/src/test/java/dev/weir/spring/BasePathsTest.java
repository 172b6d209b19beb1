package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of applications whose paths have a common base. */
class BasePathsTest {
    /** Returns the configuration of limiters named p0, p1 and so on, with these paths. */
    private static String rules(String... paths) {
        StringBuilder yaml = new StringBuilder("\nweir.limits:\n");
        for (int i = 0; i < paths.length; i++) {
            yaml.append("  p" + i + ": {limit: 1/1h, path: '" + paths[i] + "'}\n");
        }
        return yaml.toString();
    }

    private static List<String> policies(RunningApplication application, String path) throws Exception {
        return application.get(path).headers().allValues("RateLimit-Policy");
    }

    @Test
    void contextPath_repeatedInAPath_isInAWarning() throws Exception {
        String rules = rules("/api/**", "/shop/api/**", "/shop", "/shopping/**");
        try (LogLines log = new LogLines("dev.weir.spring");
                RunningApplication application =
                        RunningApplication.start("server.servlet.context-path: /shop" + rules)) {
            assertThat(policies(application, "/shop/api/a")).containsExactly("\"p0\";q=1;w=3600");
            assertThat(policies(application, "/shop/shop/api/a")).containsExactly("\"p1\";q=1;w=3600");
            assertThat(log.lines())
                    .containsExactly(
                            "WARNING weir.limits.p1.path: '/shop/api/**' repeats the context path, so it limits only"
                                    + " /shop/shop/api/**",
                            "WARNING weir.limits.p2.path: '/shop' repeats the context path, so it limits only"
                                    + " /shop/shop");
        }
    }

    @Test
    void pathOfTheDispatcherServlet_missingInAPath_isInAWarning() throws Exception {
        String rules = rules("/mvc/api/**", "/*/api/{*rest}", "/api/**", "/mvc");
        try (LogLines log = new LogLines("dev.weir.spring");
                RunningApplication application = RunningApplication.start("spring.mvc.servlet.path: /mvc" + rules)) {
            assertThat(policies(application, "/mvc/api/a")).containsExactly("\"p0\";q=1;w=3600, \"p1\";q=1;w=3600");
            assertThat(log.lines())
                    .containsExactly("WARNING weir.limits.p2.path: '/api/**' limits no request of Spring MVC, whose"
                            + " paths begin with /mvc");
        }
    }

    @Test
    void basePathOfWebFlux_repeatedInAPath_isInAWarning() throws Exception {
        String rules = rules("/api/**", "/shop/**");
        try (LogLines log = new LogLines("dev.weir.spring");
                RunningApplication application =
                        RunningApplication.startReactive("spring.webflux.base-path: /shop/" + rules)) {
            assertThat(policies(application, "/shop/api/a")).containsExactly("\"p0\";q=1;w=3600");
            assertThat(log.lines())
                    .containsExactly("WARNING weir.limits.p1.path: '/shop/**' repeats the context path, so it limits"
                            + " only /shop/shop/**");
        }
    }
}
