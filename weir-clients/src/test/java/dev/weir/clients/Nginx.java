package dev.weir.clients;

import dev.weir.testing.Await;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** An nginx of a test's own, with everything it writes in a directory of the test. */
final class Nginx implements AutoCloseable {
    private static final String AROUND = """
            daemon off;
            worker_processes 1;
            pid DIRECTORY/nginx.pid;
            error_log DIRECTORY/error.log;
            events {}
            http {
                access_log off;
                client_body_temp_path DIRECTORY/body;
                proxy_temp_path DIRECTORY/proxy;
                fastcgi_temp_path DIRECTORY/fastcgi;
                uwsgi_temp_path DIRECTORY/uwsgi;
                scgi_temp_path DIRECTORY/scgi;
            SERVER
            }
            """;

    private final Path directory;
    private final Process process;
    private final int port;

    /** Starts it with a server block that listens on the given port. */
    Nginx(Path directory, String server, int port) throws IOException {
        Path file = directory.resolve("nginx.conf");
        Files.writeString(
                file, AROUND.replace("DIRECTORY", directory.toString()).replace("SERVER", server));
        this.directory = directory;
        this.port = port;
        process = new ProcessBuilder(binary(), "-p", directory.toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        Await.until("nginx answers", this::answers);
    }

    /** Users often do not have /usr/sbin in their PATH. */
    private static String binary() {
        for (String folder : (System.getenv("PATH") + File.pathSeparator + "/usr/sbin").split(File.pathSeparator, -1)) {
            Path file = Path.of(folder, "nginx");
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        throw new AssertionError("there is no nginx on the PATH");
    }

    private boolean answers() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("nginx has ended: " + Files.readString(directory.resolve("output")));
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        if (!process.onExit()
                .orTimeout(20, TimeUnit.SECONDS)
                .handle((ended, late) -> late == null)
                .join()) {
            process.destroyForcibly();
        }
    }
}
