package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.server.PathContainer;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.util.pattern.PathPatternParser;

class SentPathTest {
    private static boolean matches(String pattern, String path) {
        return SentPath.of(PathContainer.parsePath(path)).matches(PathPatternParser.defaultInstance.parse(pattern));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/files/a",
                "//files/a",
                "/files//a",
                "/./files/a",
                "/x/../files/a",
                "/x/y/../../files/a",
                "/../files/a",
                "/;v=1/files/a",
                "/x/..;v=1/files/a",
                "/%2e/files/a",
                "/files/a/",
                "//files/a/",
                "/files/a/b/..",
                "/files/%61/",
                "/x/%2E%2e/files/a",
                "//%66iles;v=1/a;w=2"
            })
    void matches_pathThatResolvesToTheFile_isTrue(String path) {
        assertThat(matches("/files/a", path)).isTrue();
        assertThat(matches("/files/**", path)).isTrue();
        assertThat(matches("/files/b", path)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/files/*, /files/x/..",
        "/{a}/{b}/c, /x/../c", // a handler of Spring with this pattern receives it
        "/files/, //files/",
        "/files/, /files/x/..",
        "/**, //",
        "/, /..",
        "/a%b, /x/../a%25b",
        "/{path:(?i)login}, /LOGIN" // as on the page
    })
    void matches_asSentOrAsResolved_isTrue(String pattern, String path) {
        assertThat(matches(pattern, path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"/files/**, /x/files/a", "/files/**, /files/../a/b", "/files/a, /files%2Fa", "/a/.../b, /a/b"})
    void matches_anotherPath_isFalse(String pattern, String path) {
        boolean asSent = PathPatternParser.defaultInstance.parse(pattern).matches(PathContainer.parsePath(path));
        assertThat(matches(pattern, path)).isEqualTo(asSent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ctx/files/a",
                "//ctx/files/a",
                "/x/../ctx/files/a",
                "/ctx/../ctx/files/a",
                "/ctx;v=1/files/a",
                "/%63tx//files/a"
            })
    void servletPath_whateverWasSent_isThatOfTheContainer(String uri) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", uri);
        request.setContextPath("/ctx");
        request.setServletPath("/files");
        request.setPathInfo("/a");

        SentPath path = ServletLimitedRequest.of(request).path();

        assertThat(path.matches(PathPatternParser.defaultInstance.parse("/files/*")))
                .isTrue();
        assertThat(path.matches(PathPatternParser.defaultInstance.parse("/ctx/files/*")))
                .as("not within the application")
                .isFalse();
    }

    @Test
    void servletPath_withASlashAtItsEnd_isAlsoThatWithoutIt() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/login/");
        request.setServletPath("/login/");

        SentPath path = ServletLimitedRequest.of(request).path();

        assertThat(path.matches(PathPatternParser.defaultInstance.parse("/login")))
                .isTrue();
        assertThat(path.matches(PathPatternParser.defaultInstance.parse("/login/")))
                .isTrue();
    }

    @Test
    void rule_pathThatResolvesToItsOwn_limitsIt() throws Exception {
        try (RunningApplication early = RunningApplication.start("""
                weir:
                  filter-order: -101
                  limits:
                    files: {limit: 1/1h, path: /files/**, key: global}
                """)) {
            assertThat(early.status("/files/a")).isEqualTo(200);
            assertThat(early.status("//files/a")).isEqualTo(429);
            assertThat(early.status("/x/../files/a")).isEqualTo(429);
        }
    }
}
