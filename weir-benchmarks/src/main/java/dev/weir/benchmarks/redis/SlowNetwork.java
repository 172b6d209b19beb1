package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A way to a server with a round trip of 5 ms: bytes arrive after half of it, in each direction, as many as there are. Four threads
 * for each connection.
 */
final class SlowNetwork implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    private static final long ONE_WAY_MICROS = 2_500;

    private final URI server;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Opens a way to a server. */
    SlowNetwork(String server) throws IOException {
        this.server = URI.create(server);
        this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        daemon(this::accept).start();
    }

    /** Returns the URI of this way. */
    String uri() {
        return "redis://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + listening.getLocalPort();
    }

    @Override
    public void close() {
        close(listening);
        sockets.forEach(SlowNetwork::close);
    }

    private static void close(AutoCloseable open) {
        FailedMeasureException.attempt("closing the slow network", open::close);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "slow-network");
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket behind = new Socket(server.getHost(), server.getPort());
                for (Socket socket : new Socket[] {client, behind}) {
                    socket.setTcpNoDelay(true);
                    sockets.add(socket);
                }
                daemon(() -> forward(client, behind)).start();
                daemon(() -> forward(behind, client)).start();
            } catch (IOException closed) {
                close(); // what waits for an answer fails, and says so
            }
        }
    }

    /** Delivers what arrives, each part when it is due. One thread reads, one writes. */
    private void forward(Socket from, Socket to) {
        ScheduledExecutorService delivering = Executors.newSingleThreadScheduledExecutor(SlowNetwork::daemon);
        byte[] buffer = new byte[CHUNK];
        try (InputStream in = from.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                byte[] chunk = Arrays.copyOf(buffer, read);
                var unused = delivering.schedule(() -> deliver(chunk, to), ONE_WAY_MICROS, TimeUnit.MICROSECONDS);
            }
        } catch (IOException closed) {
            // as if it had ended
        }
        var unused = delivering.schedule(() -> close(to), ONE_WAY_MICROS, TimeUnit.MICROSECONDS);
        delivering.shutdown(); // after what is scheduled
    }

    private static void deliver(byte[] chunk, Socket to) {
        try {
            to.getOutputStream().write(chunk);
        } catch (IOException closed) {
            close(to);
        }
    }
}
