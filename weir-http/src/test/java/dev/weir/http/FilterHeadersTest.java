package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.testkit.ManualTimeSource;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The headers of the filter's answers. */
class FilterHeadersTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final RateLimiter limiter = RateLimiter.builder()
            .name("api")
            .limit("1/10s")
            .timeSource(new ManualTimeSource())
            .build();

    private @Nullable Container container;

    private static final class Empty extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    /** Answers with the path. */
    private static final class Path extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write(request.getRequestURI());
        }
    }

    private void start(Container.Kind kind, HeaderForm... forms) throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder()
                .rule(limiter, request -> "all")
                .headers(forms)
                .build();
        container = kind.start(filter, new Empty(), true);
    }

    @AfterEach
    void stop() throws Exception {
        if (container != null) {
            container.stop();
        }
    }

    private HttpHeaders headers(String method) throws Exception {
        return send(method).headers();
    }

    private HttpResponse<String> send(String method) throws Exception {
        int port = container == null ? 0 : container.port();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/"))
                .method(method, BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @EnumSource
    void errorPages_denied_answerWithTheirTextAndTheHeaders(Container.Kind kind) throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder()
                .rule(limiter, request -> "all")
                .errorPages()
                .build();
        container = kind.start(filter, new Path(), true);
        assertThat(send("GET").body()).isEqualTo("/");

        HttpResponse<String> denied = send("GET");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).isEqualTo("/error");
        assertThat(denied.headers().map()).containsKeys("retry-after", "ratelimit");
    }

    @ParameterizedTest
    @EnumSource
    void headers_otherForm_replacesTheDefault(Container.Kind kind) throws Exception {
        start(kind, HeaderForm.X_RATE_LIMIT);

        HttpHeaders headers = headers("GET");

        assertThat(headers.firstValue("X-RateLimit-Limit")).hasValue("1");
        assertThat(headers.firstValue("RateLimit")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void headers_builderUsedAgain_stayAsBuilt(Container.Kind kind) throws Exception {
        RateLimitFilter.Builder builder =
                RateLimitFilter.builder().rule(limiter, request -> "all").headers(HeaderForm.X_RATE_LIMIT);
        container = kind.start(builder.build(), new Empty(), true);

        RateLimitFilter unused = builder.headers().build();

        assertThat(headers("GET").firstValue("X-RateLimit-Limit")).hasValue("1");
    }

    @ParameterizedTest
    @EnumSource
    void headers_noForm_denialHasOnlyRetryAfter(Container.Kind kind) throws Exception {
        start(kind);
        assertThat(headers("GET").firstValue("Retry-After")).isEmpty();

        HttpHeaders denied = headers("GET");

        assertThat(denied.firstValue("Retry-After")).hasValue("10");
        assertThat(denied.firstValue("RateLimit")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void head_denied_hasTheLengthOfTheBody(Container.Kind kind) throws Exception {
        start(kind);
        headers("GET");

        long length = headers("GET").firstValueAsLong("Content-Length").orElseThrow();

        assertThat(headers("HEAD").firstValueAsLong("Content-Length")).hasValue(length);
    }
}
