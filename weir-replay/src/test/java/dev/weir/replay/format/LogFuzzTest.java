package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading any log either succeeds or fails with one line for the user. */
class LogFuzzTest {
    private static final List<String> FORMATS = List.of(
            "auto",
            "combined",
            "csv",
            "jsonl",
            "alb",
            "iis",
            "caddy",
            "traefik",
            "envoy",
            "haproxy",
            "squid",
            "regex:^(?<key>\\S*).*?(?<time>\\d[^\\]\",]+)(?<permits>\\d)?");
    private static final List<String> SEEDS = List.of(
            Logs.LINE,
            "2001:db8::1 - - [17/May/2015:12:05:03 +0200] \"-\" 408 - \"-\" \"-\"",
            "www.example.com:443 host.example - John Doe [01/Jan/1970:00:00:00 -0330] \"GET /\\\"x\\\" HTTP/2.0\" 304 0",
            "<190>Nov 21 10:00:00 lb nginx[1]: \u001b[36mweb-1  | " + Logs.LINE,
            "203.0.113.9, [2001:db8::1]:80,10.0.0.1:99 - - [17/May/2015:12:05:03 +0200] \"GET /\" 200 1",
            "203.0.113.9:33317 [21/Nov/2026:10:00:01.250] in out/s 1/0/3/6/1 200 27 - - ---- 1/1/1/1/0 0/0 {a} \"GET /a?b HTTP/1.1\"",
            "[2026-11-21T10:00:01.250Z] \"GET /a HTTP/2\" 204 - 1 0 2 1 \"203.0.113.9\" \"x\" \"y\" \"z\" \"-\"",
            "1795255201.250    426 203.0.113.9 TCP_MISS/200 4523 GET http://a/b?c - HIER_DIRECT/10.0.0.1 text/html",
            "{\"date\":\"2026-11-21\",\"time\":\"10:00:01\",\"c-ip\":\"203.0.113.9\"}",
            "#Fields: date time c-ip\n2026-11-21 10:00:01 203.0.113.9\n",
            "{\"log\":\"1.2.3.4 - - [17/May/2015:12:05:03 +0200] \\\"GET /\\\" 200 1\"}",
            "{\"ts\":1795255201.25,\"request\":{\"client_ip\":\"203.0.113.9\",\"uri\":\"/a\"}}",
            "time,ip,permits,agent\n2015-05-17T10:05:03.25Z,192.0.2.1,2,\"x\"\"y\nz\"\n1431857103250,www.example.com,,\n",
            "{\"time\":1431857103.5,\"ip\":\"2001:db8::1\",\"permits\":3,\"x\":{\"y\":[1,2,{}]}}\n{\"ip\":\"\\u00e4.example\",\"time\":\"1970-01-01T00:00Z\"}");
    private static final String PIECES = "\0\t\n\r \"'+-,.:/[]{}\\0123456789eETZx\u00e4\uD83D\uDE00";

    private static final int ROUNDS = Integer.getInteger("weir.traces", 400);

    @FuzzTest
    void read_anyBytes_succeedsOrFailsWithOneLine(byte[] log) {
        FORMATS.forEach(format -> read(log, format));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void read_mutatedLogs_succeedsOrFailsWithOneLine(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] log = mutated(random);
            for (String format : FORMATS) {
                read(log, format);
            }
        }
    }

    private static void read(byte[] log, String format) {
        try (Trace trace = Logs.read(log, Logs.options(format, "ip"))) {
            long[] before = {Long.MIN_VALUE, 0};
            trace.forEach((time, key, permits) -> {
                assertThat(time).isGreaterThanOrEqualTo(before[0]);
                assertThat(permits).isPositive();
                assertThat(trace.key(key).getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1, 1024);
                before[0] = time;
                before[1]++;
            });
            assertThat(before[1]).isEqualTo(trace.requests()).isPositive();
            assertThat(trace.firstSkipped()).hasSize((int) Math.min(5, trace.skipped()));
            trace.firstSkipped().forEach(line -> assertHarmless(line.reason() + line.excerpt()));
        } catch (LogException expected) {
            assertHarmless(expected.getMessage());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertHarmless(String message) {
        assertThat(message).isNotEmpty().doesNotContainPattern("[\\p{Cntrl}\\u2028\\u2029\\u202e]");
    }

    private static byte[] mutated(Random random) {
        StringBuilder log = new StringBuilder();
        for (int lines = 1 + random.nextInt(4); lines > 0; lines--) {
            log.append(SEEDS.get(random.nextInt(SEEDS.size()))).append(random.nextInt(8) == 0 ? "" : "\n");
        }
        for (int changes = random.nextInt(6); changes > 0; changes--) {
            int at = random.nextInt(log.length() + 1);
            int to = Math.min(log.length(), at + random.nextInt(random.nextInt(20) == 0 ? 200 : 4));
            int piece = random.nextInt(PIECES.length());
            switch (random.nextInt(4)) {
                case 0 -> log.delete(at, to);
                case 1 -> log.insert(at, PIECES.charAt(piece));
                case 2 -> log.replace(at, to, PIECES.substring(piece));
                default -> log.insert(at, log.substring(at, to).repeat(random.nextInt(3)));
            }
        }
        byte[] bytes = log.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0 && random.nextBoolean()) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }
}
