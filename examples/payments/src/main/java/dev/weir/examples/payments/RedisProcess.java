package dev.weir.examples.payments;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server on a free port, without persistence: the one in the PATH, else that of embedded-redis. It ends with this process,
 * however that ends: a shell beside it waits for the end of its input, and signals of the terminal do not reach it.
 */
final class RedisProcess implements AutoCloseable {
    private static final String GUARD =
            "trap '' INT TERM HUP; \"$@\" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -9 $server";
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Process guard;
    private final int port;

    private RedisProcess(Process guard, int port) {
        this.guard = guard;
        this.port = port;
    }

    static RedisProcess start() throws IOException {
        int port = freePort();
        File folder = new File(System.getProperty("java.io.tmpdir"));
        Process guard = new ProcessBuilder(
                        "sh",
                        "-c",
                        GUARD,
                        "redis",
                        binary().getPath(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        folder.getPath(),
                        "--save",
                        "",
                        "--appendonly",
                        "no")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        RedisProcess redis = new RedisProcess(guard, port);
        try {
            redis.awaitAnswer();
        } catch (IOException failure) {
            redis.close();
            throw failure;
        }
        return redis;
    }

    private static File binary() throws IOException {
        try {
            return ExecutableProvider.newExecutableInPath("redis-server").get();
        } catch (FileNotFoundException none) {
            return ExecutableProvider.newJarResourceProvider().get();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws IOException {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (!answers()) {
            if (System.nanoTime() - end > 0 || !guard.isAlive()) {
                throw new IOException("redis-server did not start within 30 s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == '+';
        } catch (IOException notYet) {
            return false;
        }
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Ends the server: the guard's input ends. */
    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
        } catch (IOException alreadyClosed) {
            guard.destroyForcibly();
        }
    }
}
