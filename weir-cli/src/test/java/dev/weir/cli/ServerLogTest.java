package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One line for each event, whatever is in it. */
final class ServerLogTest {
    private static final String FORGED = "key 'a'\r\n2026-01-01 SEVERE \u001b[31mforged\"}";

    private static String format(Formatter formatter, String message, Throwable thrown) {
        LogRecord event = new LogRecord(Level.WARNING, message);
        event.setLoggerName("dev.weir.server");
        event.setInstant(Instant.parse("2026-11-22T10:00:00Z"));
        event.setThrown(thrown);
        return formatter.format(event);
    }

    /** Netty warns of it after the connection has been idle for a minute, too long for a test with a client. */
    @Test
    void configure_tlsClientThatDoesNotRead_isNotLogged() {
        ServerLog.configure(false);
        assertThat(Logger.getLogger("io.netty.handler.ssl.SslHandler").isLoggable(Level.WARNING))
                .isFalse();
    }

    /** Netty logs each of them only if their stream, or their connection, is being closed: a test with a client would not always fail. */
    @Test
    void configure_framesThatAreIgnored_areNotLogged() {
        ServerLog.configure(false);
        assertThat(Logger.getLogger("io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder")
                        .isLoggable(Level.INFO))
                .isFalse();
    }

    /** The client logs each of them after up to 5 s, again and again, too long for a test with a cluster. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.lettuce.core.cluster.topology.DefaultClusterTopologyRefresh",
                "io.lettuce.core.protocol.ConnectionWatchdog",
                "io.lettuce.core.protocol.ReconnectionHandler"
            })
    void configure_attemptsToReachRedis_areNotLogged(String logger) {
        ServerLog.configure(false);
        assertThat(Logger.getLogger(logger).isLoggable(Level.WARNING)).isFalse();
    }

    @Test
    void json_isOneLine() {
        assertThat(format(new ServerLog.Json(), FORGED, null))
                .isEqualTo(
                        "{\"time\":\"2026-11-22T10:00:00.000Z\",\"level\":\"WARNING\",\"logger\":\"dev.weir.server\","
                                + "\"message\":\"key 'a'\\r\\n2026-01-01 SEVERE \\u001B[31mforged\\\"}\"}\n");
    }

    @Test
    void json_otherLetters_areAscii() {
        assertThat(format(new ServerLog.Json(), "größe \ud83d\ude00", null))
                .contains("\"message\":\"gr\\u00F6\\u00DFe \\uD83D\\uDE00\"");
    }

    @Test
    void json_stackTrace_isInTheLine() {
        assertThat(format(new ServerLog.Json(), "failed", new IllegalStateException(FORGED)))
                .contains("\"trace\":\"java.lang.IllegalStateException: key 'a'\\r\\n2026")
                .hasLineCount(1);
    }

    @Test
    void text_isOneLine() {
        assertThat(format(new ServerLog.Plain(), FORGED, null))
                .isEqualTo("2026-11-22T10:00:00.000Z WARNING key 'a'\\x0d\\x0a2026-01-01 SEVERE \\x1b[31mforged\"}\n");
    }

    @Test
    void text_stackTrace_isIndented() {
        assertThat(format(new ServerLog.Plain(), "failed", new IllegalStateException(FORGED)))
                .startsWith("2026-11-22T10:00:00.000Z WARNING failed\n    java.lang.IllegalStateException: key 'a'\n")
                .matches("(?s)[^\\n]*\n(    [^\\n]*\n)+")
                .doesNotContain("\u001b");
    }
}
