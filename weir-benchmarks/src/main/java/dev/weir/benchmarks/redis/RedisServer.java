package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.run.FailedMeasureException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A server of the benchmark's own, on a free port, without persistence: the one in the PATH, else that of embedded-redis. */
final class RedisServer implements AutoCloseable {
    private static final long START_SECONDS = 20;
    private static final int CONNECT_MILLIS = 100;

    private final Process process;
    private final Thread atExit = new Thread(this::stop);
    private final int port;
    private final Path folder;

    private RedisServer(Process process, int port, Path folder) {
        this.process = process;
        this.port = port;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts a server.
     *
     * @throws FailedMeasureException if it does not answer
     */
    static RedisServer start() {
        try {
            int port = freePort();
            Path folder = Files.createTempDirectory("bench-redis");
            String options = "--port " + port + " --bind 127.0.0.1 --appendonly no --dir " + folder + " --save";
            List<String> command = Stream.of(
                            Stream.of(binary().toString()), Stream.of(options.split(" ", -1)), Stream.of(""))
                    .flatMap(part -> part)
                    .toList();
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            RedisServer server = new RedisServer(process, port, folder);
            server.awaitAnswer();
            return server;
        } catch (IOException failure) {
            throw new FailedMeasureException("redis-server cannot be started: " + failure.getMessage(), failure);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Path binary() throws IOException {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path file = Path.of(folder, "redis-server");
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        return ExecutableProvider.newJarResourceProvider().get().toPath();
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    private void awaitAnswer() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!accepts() || !process.isAlive()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                List<String> log = Files.readAllLines(folder.resolve("log"));
                close();
                String last = log.isEmpty() ? "it said nothing" : log.get(log.size() - 1);
                throw new FailedMeasureException("redis-server does not answer: " + last, null);
            }
            Thread.onSpinWait();
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            return; // the hook runs
        }
        stop();
    }

    private void stop() {
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
