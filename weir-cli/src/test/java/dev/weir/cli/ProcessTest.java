package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.JavaCommand;
import dev.weir.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in its own process: behaviour that needs real streams. */
final class ProcessTest {
    /** Variables that Java notes on stderr, or that change what a terminal shows. */
    static final Set<String> REMOVED_VARIABLES =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "COLUMNS", "NO_COLOR", "TERM");

    /** What the launcher adds in the C locale, in which Java would find no class in a folder whose path has an umlaut. */
    private static final String WITHOUT_UNICODE = "-Dstdout.encoding=US-ASCII";

    private static final Pattern TAIL_LINE = Pattern.compile("  (\\d+) requests?  sliding-log 2/10s: ");

    @TempDir
    private Path directory;

    private ProcessBuilder weir(String... args) {
        List<String> command =
                new ArrayList<>(JavaCommand.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "dev.weir.cli.Weir"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors().toFile());
        builder.environment().keySet().removeAll(REMOVED_VARIABLES);
        return builder;
    }

    private Path errors() {
        return directory.resolve("stderr");
    }

    private static int exit(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void generate_readerCloses_endsQuietly() throws Exception {
        Process process = weir("generate", "--requests", "2000000000").start();
        try (BufferedReader head = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(head.readLine()).contains("\"GET ");
        }

        assertThat(exit(process)).isZero();
        assertThat(errors()).isEmptyFile();
    }

    @Test
    void replay_readerCloses_endsQuietly() throws Exception {
        Process process = weir("replay", "-").start();
        process.getInputStream().close();
        try (OutputStream log = process.getOutputStream()) {
            log.write(Logs.COMBINED.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(exit(process)).isZero();
        assertThat(errors()).isEmptyFile();
    }

    @Test
    void replay_redisThatDoesNotAnswer_isOneLine() throws Exception {
        Path log = Files.writeString(directory.resolve("access.log"), Logs.COMBINED);
        Process process =
                weir("replay", "--redis", "redis://127.0.0.1:1", log.toString()).start();

        assertThat(exit(process)).isEqualTo(2);
        assertThat(Files.readAllLines(errors())).singleElement().asString().startsWith("weir: ");
    }

    /** A store in memory holds one key for each KiB of the heap by default. */
    @Test
    void replay_moreKeysThanAStoreHoldsByDefault_countsEachByItself() throws Exception {
        StringBuilder log = new StringBuilder("time,id\n");
        for (int key = 0; key < 33_000; key++) {
            log.append("1,").append(key).append('\n');
        }
        Path file = Files.writeString(directory.resolve("log.csv"), log);
        ProcessBuilder builder = weir("replay", "--json", "--key", "id", "--limit", "1/1s", file.toString());
        builder.command().add(1, "-Xmx32m");
        Process process = builder.start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("\"allowed\":33000,\"denied\":0,");
        assertThat(exit(process)).isZero();
    }

    @Test
    void tail_signal_endsWithTheSummary() throws Exception {
        Path log = Files.writeString(directory.resolve("access.log"), Logs.COMBINED);
        Process process =
                weir("tail", "--from-start", "--limit", "2/10s", log.toString()).start();
        try (BufferedReader answer = process.inputReader(StandardCharsets.UTF_8)) {
            int requests = 0;
            while (requests < 11) { // maybe not all in the same second
                Matcher line = TAIL_LINE.matcher(answer.readLine());
                assertThat(line.find()).isTrue();
                requests += Integer.parseInt(line.group(1));
            }
            process.toHandle().destroy(); // the process would also close its streams

            assertThat(answer.lines()).contains("11 requests", "sliding-log 2/10s        6       5  45.5%");
        }

        assertThat(exit(process)).isZero();
        assertThat(errors()).isEmptyFile();
    }

    @Test
    void serve_readerCloses_servesOn() throws Exception {
        Path limits = Files.writeString(directory.resolve("limits.yaml"), "policies: {api: 1/1m}\n");
        String port = Integer.toString(RedisServer.freePort());
        Process process = weir("serve", "--port", port, "--grpc-port", "0", "--config", limits.toString())
                .start();
        try {
            process.getInputStream().close();
            Await.until("it listens", () -> isOpen(Integer.parseInt(port)));

            Files.writeString(limits, "policies: {api: 2/1m}\n");
            Await.until("a change is followed", () -> Files.readString(errors()).contains("is in force"));
        } finally {
            process.destroy();
        }
        assertThat(exit(process)).isZero();
    }

    /** In a cluster with IPv6 alone, the loopback address is ::1 for Java, on which this server does not listen. */
    @Test
    void train_prefersIpv6_answersItsFirstRequests() throws Exception {
        ProcessBuilder builder = weir("serve", "--train", "--port", "0", "--grpc-port", "0");
        builder.command().add(1, "-Djava.net.preferIPv6Addresses=true");

        assertThat(exit(builder.start())).isZero();
        assertThat(Files.readString(errors())).doesNotContain("WARNING");
    }

    private static boolean isOpen(int port) {
        try (Socket made = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return made.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void json_localeWithoutUnicode_isTheSame() throws Exception {
        ProcessBuilder builder = weir("replay", "--json", "--limit", "1/1s", "-");
        builder.command().add(1, WITHOUT_UNICODE);
        Process process = builder.start();
        try (OutputStream log = process.getOutputStream()) {
            log.write((Logs.line("änn", "-", "/", 0) + "\n").repeat(2).getBytes(StandardCharsets.UTF_8));
        }

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("{\"key\":\"\\u00E4nn\",\"denied\":1}");
        assertThat(exit(process)).isZero();
    }

    @Test
    void table_localeWithoutUnicode_isAscii() throws Exception {
        ProcessBuilder builder = weir("replay", "-");
        builder.command().add(1, WITHOUT_UNICODE);
        Process process = builder.start();
        try (OutputStream log = process.getOutputStream()) {
            log.write(Logs.COMBINED.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                .contains("worst window")
                .matches("\\p{ASCII}+");
        assertThat(exit(process)).isZero();
        assertThat(errors()).isEmptyFile();
    }

    @Test
    void broken_isExit1() throws IOException, InterruptedException {
        String trace = Logs.file(directory, "0,a,2,1\n");

        assertThat(exit(weir("verify", "--limit", "1/1s", trace).start())).isEqualTo(1);
        assertThat(errors()).isEmptyFile();
    }

    @Test
    void properties_ofTheLauncher_areUsed() throws IOException, InterruptedException {
        ProcessBuilder builder = weir("--help");
        builder.command().add(1, "-Dweir.stdout=terminal");
        Process process = builder.start();

        String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(exit(process)).isZero();
        assertThat(help).contains("\u001b[");
    }
}
