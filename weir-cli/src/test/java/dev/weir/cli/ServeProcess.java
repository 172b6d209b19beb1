package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code weir serve} in a process of its own, on ports that are free. */
final class ServeProcess implements AutoCloseable {
    /** What its standard input contains. */
    static final String TOKEN = "secret";

    static final String TOKEN_IN_PIPE = "/dev/stdin";

    private static final int WELCOME_LINES = 5;
    private static final Pattern HTTP = Pattern.compile("(?m)^  HTTP       https?://[0-9.]+:(\\d+)  ");
    private static final Pattern ENVOY = Pattern.compile("(?m)^  Envoy      [0-9.]+:(\\d+)  ");

    private final Process process;
    private final Path errors;
    private final BufferedReader out;
    private final StringBuilder welcome = new StringBuilder();

    ServeProcess(Path directory, String... options) throws IOException {
        errors = directory.resolve("stderr");
        List<String> command = new ArrayList<>(JavaCommand.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "dev.weir.cli.Weir",
                "serve",
                "--port",
                "0",
                "--grpc-port",
                "0"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().keySet().removeAll(ProcessTest.REMOVED_VARIABLES);
        process = builder.start();
        try (Writer in = process.outputWriter()) {
            in.write(TOKEN);
        }
        out = process.inputReader(StandardCharsets.UTF_8);
        for (int i = 0; i < WELCOME_LINES; i++) {
            welcome.append(out.readLine()).append('\n');
        }
    }

    String welcome() {
        return welcome.toString();
    }

    int port() {
        return port(HTTP);
    }

    int grpcPort() {
        return port(ENVOY);
    }

    private int port(Pattern pattern) {
        Matcher port = pattern.matcher(welcome);
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /** Sends SIGTERM, expects exit code 0, and returns what was written to stderr. */
    String stop() throws IOException, InterruptedException {
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return log();
    }

    /** Returns what was written to stderr so far. */
    String log() throws IOException {
        return Files.readString(errors);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        out.close();
    }
}
