package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import redis.embedded.core.ExecutableProvider;

/** A server of the benchmark's own, on a free port, without persistence: the one in the PATH, else that of embedded-redis. */
final class RedisServer implements AutoCloseable {
    private final redis.embedded.RedisServer server;

    private RedisServer(redis.embedded.RedisServer server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @throws FailedMeasureException if it does not start
     */
    static RedisServer start() {
        try {
            redis.embedded.RedisServer server = redis.embedded.RedisServer.newRedisServer()
                    .executableProvider(binary())
                    .port(freePort())
                    .setting("appendonly no")
                    .setting("save \"\"")
                    .onShutdownForceStop(true)
                    .build();
            server.start();
            return new RedisServer(server);
        } catch (IOException failure) {
            throw new FailedMeasureException("redis-server cannot be started: " + failure.getMessage(), failure);
        }
    }

    private static ExecutableProvider binary() throws IOException {
        try {
            return ExecutableProvider.newExecutableInPath("redis-server");
        } catch (FileNotFoundException none) {
            return ExecutableProvider.newJarResourceProvider();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    String uri() {
        return "redis://127.0.0.1:" + server.ports().get(0);
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
