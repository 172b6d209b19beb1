package dev.weir.replay.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class LogGeneratorTest {
    private static final long START = Instant.parse("2026-03-02T00:00:00Z").toEpochMilli();

    @Test
    void writeTo_sameArguments_givesTheSameBytesEverywhere() throws IOException, NoSuchAlgorithmException {
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
            byte[] log = generate(10_000, 1, 1000);

            assertThat(HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(log)))
                    .isEqualTo("2838cffc6b9ba3adb96d93f7f68e224d80277e1807f0483700a95871338684d2");
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void writeTo_otherSeed_givesAnotherLog() throws IOException {
        assertThat(generate(100, 1, 10)).isNotEqualTo(generate(100, 2, 10));
    }

    @Test
    void writeTo_anyArguments_writesThatNumberOfLines() throws IOException {
        for (long requests : new long[] {1, 2, 13, 5000}) {
            for (int clients : new int[] {1, 2, 9, LogGenerator.MAX_CLIENTS}) {
                byte[] log = generate(requests, requests + clients, clients);
                try (Trace trace = Logs.read(log, LogOptions.DEFAULT)) {
                    assertThat(trace.requests()).isEqualTo(requests);
                    assertThat(trace.keys()).isLessThanOrEqualTo(clients);
                    assertThat(trace.skipped()).isZero();
                }
            }
        }
    }

    @Test
    void writeTo_lines_areReadBackAsTheyWereMade() throws IOException {
        int lines = 20_000;
        List<String> hosts = new ArrayList<>();
        List<String> users = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        List<Long> seconds = new ArrayList<>();
        HitGenerator hits = new HitGenerator(lines, 5, 300);
        for (int line = 0; line < lines; line++) {
            Hit hit = hits.next();
            hosts.add(Clients.host(hit.client()));
            users.add(hit.user());
            paths.add(hit.request().split(" ", -1)[1].replaceAll("\\?.*", ""));
            seconds.add((START + hit.startMillis()) / 1000);
        }
        users.removeIf("-"::equals);
        Collections.sort(seconds);
        byte[] log = generate(lines, 5, 300);

        assertThat(keys(log, "ip")).isEqualTo(hosts);
        assertThat(keys(log, "user")).isEqualTo(users);
        assertThat(keys(log, "path")).isEqualTo(paths);
        try (Trace trace = Logs.read(log, LogOptions.DEFAULT)) {
            assertThat(Logs.events(trace))
                    .extracting(event -> event.timeNanos() / 1_000_000_000)
                    .isEqualTo(seconds);
        }
    }

    @Test
    void writeTo_log_isLikeAServers() throws IOException {
        byte[] log = generate(50_000, 1, 1000);
        int[] byHour = new int[24];
        try (Trace trace = Logs.read(log, LogOptions.DEFAULT)) {
            trace.forEach((time, key, permits) -> byHour[(int) (time / 3_600_000_000_000L % 24)]++);

            assertThat(trace.keys()).isBetween(700, 1000);
        }
        assertThat(byHour[12]).isGreaterThan(4 * byHour[4]);
        assertThat(new String(log, StandardCharsets.US_ASCII))
                .contains("POST /login", "/robots.txt", "2001:db8:", ".dialup.example.net", " app-1 [", "\\\"");
    }

    @Test
    void writeTo_lines_areAlmostInOrder() {
        HitGenerator hits = new HitGenerator(20_000, 1, 1000);
        long before = 0;
        int back = 0;
        long furthest = 0;
        for (int i = 0; i < 20_000; i++) {
            long second = hits.next().startMillis() / 1000;
            back += second < before ? 1 : 0;
            furthest = Math.max(furthest, before - second);
            before = second;
        }

        assertThat(back).isBetween(20, 2000);
        assertThat(furthest).isBetween(2L, 10L);
    }

    @Test
    void host_differentClients_areDifferent() {
        Set<String> hosts = new HashSet<>();
        for (int client = 0; client < Clients.MAX; client += 7) {
            if (!hosts.add(Clients.host(client))) {
                fail("client %d has the host of another one", client);
            }
        }
    }

    @Test
    void writeTo_progress_isTheLines() throws IOException {
        List<Long> reported = new ArrayList<>();

        new LogGenerator(10_000, 1, 10).writeTo(new ByteArrayOutputStream(), reported::add);

        assertThat(reported).containsExactly(4096L, 8192L, 10_000L);
    }

    @Test
    void constructor_badArguments_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogGenerator(0, 1, 1))
                .withMessage("requests must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogGenerator(1, 1, 0))
                .withMessage("clients must be 1 to 4194304, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogGenerator(1, 1, 4_194_305))
                .withMessage("clients must be 1 to 4194304, was 4194305");
    }

    /** Returns the keys in the order of the lines. */
    private static List<String> keys(byte[] log, String key) throws IOException {
        LogOptions options = LogOptions.builder().key(key).order(Order.FILE).build();
        try (Trace trace = Logs.read(log, options)) {
            return Logs.events(trace).stream().map(Logs.Event::key).toList();
        }
    }

    private static byte[] generate(long requests, long seed, int clients) throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        new LogGenerator(requests, seed, clients).writeTo(log, done -> {});
        return log.toByteArray();
    }
}
