package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The address of a client where Reactor Netty or Spring takes it from headers, as on Kubernetes. */
class NettyAddressTest {
    private static RunningApplication start(String strategy, String properties) {
        return RunningApplication.startReactive("""
                server.forward-headers-strategy: %s
                weir:
                  limits:
                    ip: {limit: 1/1h, path: /**}
                """.formatted(strategy) + properties);
    }

    private static int status(RunningApplication application, String forwardedFor) throws Exception {
        return application.status(application.request("/ip").header("X-Forwarded-For", forwardedFor));
    }

    @ParameterizedTest
    @CsvSource({"native", "framework"})
    void peer_forgedInXForwardedFor_isTheConnection(String strategy) throws Exception {
        try (RunningApplication application = start(strategy, "")) {
            assertThat(status(application, "203.0.113.1")).isNotEqualTo(429);
            assertThat(status(application, "203.0.113.2")).isEqualTo(429);
        }
    }

    @Test
    void client_forgedBeforeThatOfTheProxy_isThatOfTheProxy() throws Exception {
        try (RunningApplication application =
                start("native", "  client-address: {header: x-forwarded-for, trusted-proxies: 127.0.0.0/8}\n")) {
            assertThat(status(application, "203.0.113.1, 198.51.100.7")).isNotEqualTo(429);
            assertThat(status(application, "203.0.113.2, 198.51.100.7")).isEqualTo(429);
            assertThat(status(application, "203.0.113.2, 198.51.100.8"))
                    .as("another client")
                    .isNotEqualTo(429);
        }
    }
}
