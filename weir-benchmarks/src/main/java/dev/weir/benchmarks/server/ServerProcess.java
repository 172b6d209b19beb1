package dev.weir.benchmarks.server;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The program that is measured: a server in memory, one on Redis, and the empty ones, all in this JVM. It prints their ports, and
 * the bytes of its live objects for each line that it reads; it ends when there is none.
 */
public final class ServerProcess {
    /** Redis has the whole time of a call, so that no decision is left to a failure policy. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);

    /** The position of a port in the line that is printed. */
    static final int MEMORY = 0;

    static final int REDIS = 1;
    static final int EMPTY = 2;
    static final int EMPTY_LATER = 3;

    private ServerProcess() {}

    /**
     * Runs until stdin ends.
     *
     * @param args the file of the configuration, and the address of Redis
     */
    public static void main(String[] args) throws IOException {
        Path configuration = Path.of(args[0]);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (WeirServer memory = WeirServer.start(settings(configuration));
                WeirServer redis = WeirServer.start(settings(configuration)
                        .redis(args[1])
                        .storeTimeout(STORE_TIMEOUT)
                        .whenStoreFails(null));
                EmptyServer empty = new EmptyServer(false);
                EmptyServer later = new EmptyServer(true)) {
            out.println(memory.grpcPort() + " " + redis.grpcPort() + " " + empty.port() + " " + later.port());
            while (System.in.read() >= 0) { // a line has no other character than its end
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                out.println(runtime.totalMemory() - runtime.freeMemory());
            }
        }
    }

    private static ServerSettings settings(Path configuration) {
        return new ServerSettings().configuration(configuration).port(0).grpcPort(0);
    }
}
