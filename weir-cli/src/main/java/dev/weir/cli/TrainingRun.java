package dev.weir.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A request to a server in this process, so that the classes which answer it are in the archive that Java makes at its exit. */
final class TrainingRun {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final String BODY = "{\"key\":\"alice\",\"limits\":[\"3/1m\"]}";
    private static final String REQUEST = "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    private TrainingRun() {}

    /**
     * Sends the request and reads the response.
     *
     * @throws CommandFailure if it is not a decision
     */
    static void ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!response.startsWith("HTTP/1.1 200 ")) {
                throw new CommandFailure(
                        "the server answered " + response.lines().findFirst().orElse("nothing"));
            }
        }
    }
}
