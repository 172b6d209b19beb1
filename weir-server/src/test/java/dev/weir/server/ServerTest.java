package dev.weir.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server that they ask over sockets. */
abstract class ServerTest {
    @TempDir
    Path directory;

    private WeirServer server;
    private EnvoyClient client;

    /** Starts the server of this test with a configuration file. */
    final WeirServer start(String configuration) throws IOException {
        return start(new ServerSettings(), configuration);
    }

    final WeirServer start(ServerSettings settings, String configuration) throws IOException {
        Path file = directory.resolve("limits.yaml");
        Files.writeString(file, configuration);
        return start(settings.configuration(file));
    }

    final WeirServer start(ServerSettings settings) throws IOException {
        server = WeirServer.start(settings.grpcPort(0));
        client = new EnvoyClient(server);
        return server;
    }

    final EnvoyClient envoy() {
        return client;
    }

    final WeirServer server() {
        return server;
    }

    @AfterEach
    final void stop() {
        if (server != null) {
            client.close();
            server.close();
        }
    }
}
