package dev.weir.cli;

import dev.weir.cli.terminal.Text;
import java.io.StringWriter;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import tools.jackson.core.JsonGenerator;

/**
 * The log of the server on stderr, one event at a time: as text, or as JSON with one line for each. The only class that knows
 * {@code java.util.logging}, to which the server and all libraries log. No event has control characters, whatever is in it.
 */
final class ServerLog {
    /** The transport of gRPC: below {@code SEVERE} it logs what clients send and how their connections end, with stack traces. */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc.netty");

    /** The connections of HTTP: they log the first bytes of a client that does not speak the protocol that it has agreed to. */
    private static final Logger CONNECTIONS = Logger.getLogger("io.vertx.core.net.impl.ConnectionBase");

    /** TLS: warns of each client that does not take the rest of its answers when its connection is closed, with its address. */
    private static final Logger TLS = Logger.getLogger("io.netty.handler.ssl.SslHandler");

    /** HTTP/2 of both ports: logs each frame of a client on a stream that was reset, with its address. */
    private static final Logger HTTP2 = Logger.getLogger("io.netty.handler.codec.http2");

    /** What fails when a promise is completed: Vert.x does if a connection ends with a stream that it has refused, with a stack trace. */
    private static final Logger PROMISES = Logger.getLogger("io.netty.util.concurrent.DefaultPromise");

    /** The client of Redis: logs attempts to reach a node that is down, as long as it is; the store logs the outage. */
    private static final List<Logger> REDIS_CLIENT =
            List.of(Logger.getLogger("io.lettuce.core.cluster.topology"), Logger.getLogger("io.lettuce.core.protocol"));

    private static final Logger STORE = Logger.getLogger("dev.weir.redis"); // held, else its level could be lost

    private ServerLog() {}

    /** Sets the format; called before anything is logged. */
    static void configure(boolean json) {
        TRANSPORT.setLevel(Level.SEVERE);
        CONNECTIONS.setLevel(Level.OFF);
        TLS.setLevel(Level.SEVERE);
        HTTP2.setLevel(Level.SEVERE);
        // Other failures are faults of the server.
        PROMISES.setFilter(event -> !event.getMessage().contains(HTTP2.getName()));
        REDIS_CLIENT.forEach(logger -> logger.setLevel(Level.SEVERE));
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setFormatter(json ? new Json() : new Plain());
        }
    }

    /** Leaves out that Redis does not answer, for a command that reports it itself. */
    static void withoutStore() {
        STORE.setLevel(Level.OFF);
    }

    /** A line, and those of a stack trace. */
    static final class Plain extends Formatter {
        @Override
        public String format(LogRecord event) {
            StringBuilder text = new StringBuilder();
            text.append(Text.time(event.getInstant()))
                    .append(' ')
                    .append(event.getLevel().getName());
            text.append(' ').append(Text.visible(formatMessage(event))).append('\n');
            if (event.getThrown() != null) {
                Text.trace(event.getThrown())
                        .lines()
                        .forEach(line -> text.append("    ")
                                .append(Text.visible(line.strip()))
                                .append('\n'));
            }
            return text.toString();
        }
    }

    /** An object in one line: time, level, logger, message and, if there is one, the stack trace. */
    static final class Json extends Formatter {
        @Override
        public String format(LogRecord event) {
            StringWriter line = new StringWriter();
            try (JsonGenerator json = AsciiJson.to(line)) {
                json.writeStartObject();
                json.writeStringProperty("time", Text.time(event.getInstant()));
                json.writeStringProperty("level", event.getLevel().getName());
                json.writeStringProperty("logger", String.valueOf(event.getLoggerName()));
                json.writeStringProperty("message", formatMessage(event));
                if (event.getThrown() != null) {
                    json.writeStringProperty("trace", Text.trace(event.getThrown()));
                }
                json.writeEndObject();
            }
            return line + "\n";
        }
    }
}
