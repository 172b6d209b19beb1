package dev.weir.spring;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on a free port: that of the PATH, else the one in embedded-redis. It keeps nothing on disk. */
final class RedisProcess implements AutoCloseable {
    private final List<String> command;
    private final int port;
    private Process process;

    private RedisProcess(int port, List<String> settings) throws IOException {
        this.port = port;
        command = new ArrayList<>(List.of(binary().toString(), "--port", Integer.toString(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
        command.addAll(settings);
        process = launch();
    }

    /** Starts a server with further settings, names and values in turn. */
    static RedisProcess start(String... settings) throws Exception {
        RedisProcess server = new RedisProcess(freePort(), List.of(settings));
        server.awaitConnection();
        return server;
    }

    private static Path binary() throws IOException {
        for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            Path file = Path.of(folder, "redis-server");
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        return ExecutableProvider.newJarResourceProvider().get().toPath();
    }

    private Process launch() throws IOException {
        Process launched = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
        return launched;
    }

    /** Returns a port that is free, and that outgoing connections are not given. */
    private static int freePort() {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(22_000, 24_000);
        } while (!isFree(port));
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private void awaitConnection() throws Exception {
        Await.until("a connection to redis-server", () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    int port() {
        return port;
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts the server again on its port. */
    void restart() throws Exception {
        process = launch();
        awaitConnection();
    }

    @Override
    public void close() {
        kill();
    }
}
