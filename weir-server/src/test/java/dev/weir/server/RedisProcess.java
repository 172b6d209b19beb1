package dev.weir.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A real Redis of a test's own: that of the PATH, else the one in embedded-redis. It keeps nothing on disk. */
final class RedisProcess implements AutoCloseable {
    private final int port = freePort();
    private Process process;

    RedisProcess() throws IOException {
        start();
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Starts it, again if it was killed. */
    void start() throws IOException {
        process = new ProcessBuilder(List.of(
                        binary(), "--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Poll.until(() -> {
            try (Socket ping = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return ping.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new AssertionError("redis-server did not end");
        }
    }

    /** Returns the names of all keys, as the protocol of Redis has them. */
    String keys() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("KEYS *\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Stops it from running until it is resumed. */
    void pause() throws IOException {
        signal("-STOP");
    }

    void resume() throws IOException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid())).start();
        if (kill.onExit().join().exitValue() != 0) {
            throw new AssertionError("the signal could not be sent");
        }
    }

    private static String binary() throws IOException {
        for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            Path file = Path.of(folder, "redis-server");
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        return ExecutableProvider.newJarResourceProvider().get().toString();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
