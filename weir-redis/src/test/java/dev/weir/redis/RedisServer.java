package dev.weir.redis;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A real server of a test's own, on a free port and in an empty folder: that of the PATH, else the one in embedded-redis. */
final class RedisServer implements AutoCloseable {
    private static final long START_SECONDS = 20;

    private final Process process;
    private final int port;
    private final Path folder;

    private RedisServer(Process process, int port, Path folder) {
        this.process = process;
        this.port = port;
        this.folder = folder;
    }

    /** The servers there are: that of the PATH, if any, and the one in embedded-redis. */
    static List<Path> binaries() {
        try {
            List<Path> binaries = new ArrayList<>();
            for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
                Path file = Path.of(folder, "redis-server");
                if (binaries.isEmpty() && Files.isExecutable(file)) {
                    binaries.add(file);
                }
            }
            binaries.add(ExecutableProvider.newJarResourceProvider().get().toPath());
            return binaries;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts the first of the servers there are; with further settings, names and values in turn. */
    static RedisServer start(String... settings) {
        return start(binaries().get(0), settings);
    }

    /** Starts a server that keeps nothing on disk. */
    static RedisServer start(Path binary, String... settings) {
        try {
            Path folder = Files.createTempDirectory("weir-redis");
            int port = freePort();
            List<String> command = new ArrayList<>(List.of(
                    binary.toString(),
                    "--port",
                    Integer.toString(port),
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--dir",
                    folder.toString()));
            command.addAll(List.of(settings));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            RedisServer server = new RedisServer(process, port, folder);
            server.awaitAnswer();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                String log = Files.readString(folder.resolve("log"));
                close();
                throw new IllegalStateException("redis-server does not answer:\n" + log);
            }
            Thread.onSpinWait();
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(5), StandardCharsets.US_ASCII)
                    .toUpperCase(Locale.ROOT)
                    .startsWith("+PONG");
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
