package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The options that docs/log-formats.md gives for logs without a format of their own, applied to a line of each. */
class LogFormatsPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| `(--.+)` \\|$");
    private static final Pattern OPTION = Pattern.compile("--([a-z-]+) (?:'([^']*)'|(\\S+))");
    private static final long TIME = Instant.parse("2026-11-21T10:00:00Z").getEpochSecond() * 1_000_000_000;

    private static final Map<String, String> LINES = Map.ofEntries(
            Map.entry(
                    "AWS ALB connection log",
                    "2026-11-21T10:00:00.000000Z 203.0.113.9 51234 443 TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 4.036 - - - - Success"),
            Map.entry(
                    "AWS API Gateway, JSON",
                    "{\"requestId\":\"a\",\"ip\":\"203.0.113.9\",\"user\":\"-\",\"requestTime\":\"21/Nov/2026:10:00:00 +0000\"}"),
            Map.entry(
                    "AWS WAF",
                    "{\"timestamp\":1795255200000,\"action\":\"ALLOW\",\"httpRequest\":{\"clientIp\":\"203.0.113.9\",\"uri\":\"/\"}}"),
            Map.entry(
                    "Azure Application Gateway",
                    "{\"timeStamp\":\"2026-11-21T10:00:00+00:00\",\"properties\":{\"clientIP\":\"203.0.113.9\",\"clientPort\":42014}}"),
            Map.entry(
                    "Cloudflare Logpush", "{\"ClientIP\":\"203.0.113.9\",\"EdgeStartTimestamp\":1795255200000000000}"),
            Map.entry(
                    "Elastic Common Schema",
                    "{\"@timestamp\":\"2026-11-21T10:00:00.000Z\",\"source\":{\"ip\":\"203.0.113.9\"},\"url\":{\"path\":\"/\"}}"),
            Map.entry(
                    "Envoy and Istio, JSON",
                    "{\"start_time\":\"2026-11-21T10:00:00.000Z\",\"x_forwarded_for\":\"198.51.100.7,203.0.113.9\",\"path\":\"/\"}"),
            Map.entry(
                    "Google Cloud Load Balancing",
                    "{\"httpRequest\":{\"remoteIp\":\"203.0.113.9\"},\"receiveTimestamp\":\"2026-11-21T10:00:02Z\",\"timestamp\":\"2026-11-21T10:00:00Z\"}"),
            Map.entry(
                    "HAProxy, `option tcplog`",
                    "Nov 21 10:00:01 lb haproxy[12]: 203.0.113.9:51234 [21/Nov/2026:10:00:00.000] fe be/s1 0/0/5000 212 -- 0/0/0/0/3 0/0"),
            Map.entry(
                    "Heroku router",
                    "2026-11-21T10:00:00.000000+00:00 heroku[router]: at=info path=\"/\" fwd=\"198.51.100.7, 203.0.113.9\" dyno=web.1"),
            Map.entry(
                    "Kong", "{\"client_ip\":\"203.0.113.9\",\"started_at\":1795255200000,\"request\":{\"uri\":\"/\"}}"),
            Map.entry(
                    "nginx with `\"$http_x_forwarded_for\"` at the end",
                    "10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"a\" \"198.51.100.7, 203.0.113.9\""));

    @Test
    void read_lineOfEveryLog_isReadWithTheOptionsOfThePage() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../docs/log-formats.md")));
        while (row.find()) {
            rows.put(row.group(1), row.group(2));
        }
        assertThat(rows).containsOnlyKeys(LINES.keySet());

        for (Map.Entry<String, String> log : rows.entrySet()) {
            try (Trace trace = Logs.read(LINES.get(log.getKey()), options(log.getValue()))) {
                assertThat(Logs.events(trace)).as(log.getKey()).containsExactly(new Event(TIME, "203.0.113.9", 1));
            }
        }
    }

    private static LogOptions options(String text) {
        LogOptions.Builder builder = LogOptions.builder();
        Matcher option = OPTION.matcher(text);
        while (option.find()) {
            String value = option.group(2) == null ? option.group(3) : option.group(2);
            switch (option.group(1)) {
                case "format" -> builder.format(LogFormat.parse(value));
                case "key" -> builder.key(value);
                case "time-field" -> builder.timeField(value);
                case "client" -> builder.client(ClientChoice.parse(value));
                default -> throw new AssertionError(text);
            }
        }
        return builder.build();
    }
}
