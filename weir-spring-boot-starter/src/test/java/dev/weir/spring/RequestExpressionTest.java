package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientAddress;
import dev.weir.testing.LogLines;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;

/** Expressions that fail for some requests: what is logged. */
class RequestExpressionTest {
    private final LogLines logged = new LogLines("dev.weir.spring");

    /** A request for {@code /t} whose headers all have this value. */
    private record Sent(String value) implements LimitedRequest {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public SentPath path() {
            return SentPath.of(PathContainer.parsePath("/t"));
        }

        @Override
        public String peer() {
            return "203.0.113.9";
        }

        @Override
        public List<String> headers(String name) {
            return List.of(value);
        }

        @Override
        public @Nullable String user() {
            return null;
        }

        @Override
        public @Nullable Principal principal() {
            return null;
        }

        @Override
        public Object source() {
            return this;
        }
    }

    @AfterEach
    void stop() {
        logged.close();
    }

    private static <T> RequestExpression<T> expression(String text, Class<T> type) {
        return RequestExpression.parse("weir.limits.t.key", text, type, ClientAddress.ofPeer());
    }

    @Test
    void parse_readsTheAddress_warnsOfNoProxy() {
        try (LogLines http = new LogLines("dev.weir.http")) {
            expression("address", String.class);

            assertThat(http.lines()).isEmpty();
        }
    }

    @Test
    void evaluate_failsForSeveralRequests_logsOneLineWithoutStackTrace() {
        RequestExpression<String> tenant = expression("path.split('/')[2]", String.class);

        assertThat(tenant.evaluate(new Sent("any"))).isNull();
        assertThat(tenant.evaluate(new Sent("any"))).isNull();

        assertThat(logged.lines())
                .singleElement()
                .asString()
                .startsWith("WARNING weir.limits.t.key could not be evaluated: EL1024E: ")
                .contains("index '%d'".formatted(2)) // Spring writes numbers of the locale
                .doesNotContain("Exception");
    }

    @Test
    void evaluate_reasonQuotesTheRequest_logsNoControlCharacters() {
        assertThat(expression("header('A')", Boolean.class).evaluate(new Sent("no\nboolean")))
                .isNull();

        assertThat(logged.lines()).singleElement().asString().contains("'no?boolean'");
    }
}
