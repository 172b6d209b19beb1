package dev.weir.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The curl commands of docs/server.md. */
final class CurlTest {
    /** Runs a command and returns the beginning of its answer; a stream of events has no end. */
    private static String run(String command) throws IOException {
        Process process = new ProcessBuilder(
                        "bash",
                        "-c",
                        command + " -sS -i --noproxy '*' --max-time 60 | head -c "
                                + (command.contains(" -N ") ? 500 : 1_000_000))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue())
                .as(command + "\n" + output)
                .isZero();
        return output;
    }

    @Test
    void commands_onPage_workInTheirOrder() throws IOException {
        List<String> commands = new Page("server.md")
                .blocks("sh").stream()
                        .flatMap(String::lines)
                        .filter(line -> line.startsWith("curl "))
                        .toList();
        assertThat(commands).hasSizeGreaterThan(5);
        try (WeirServer server = WeirServer.start(new ServerSettings().port(0).grpcPort(0))) {
            for (String command : commands) {
                String answer = run(command.replace("localhost:8080", "localhost:" + server.port()));
                assertThat(answer).as(command).startsWith("HTTP/1.1 20");
            }
            String decide = commands.get(0).replace("localhost:8080", "localhost:" + server.port());
            run(decide);
            run(decide);
            assertThat(run(decide)).startsWith("HTTP/1.1 429 ").containsIgnoringCase("\nretry-after: ");
        }
    }
}
