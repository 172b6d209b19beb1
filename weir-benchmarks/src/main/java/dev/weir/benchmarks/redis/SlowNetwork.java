package dev.weir.benchmarks.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A way to a server that takes its time: bytes arrive after half a round trip, in each direction, as many as there are. Four threads
 * for each connection.
 */
final class SlowNetwork implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    private static final int CHUNKS = 4_096; // on their way in one direction

    private final URI server;
    private final long oneWayNanos;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Chunk(byte[] bytes, long due) {}

    /** Opens a way to a server with the given round trip. */
    SlowNetwork(String server, long roundTripMillis) {
        this.server = URI.create(server);
        this.oneWayNanos = TimeUnit.MILLISECONDS.toNanos(roundTripMillis) / 2;
        try {
            listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        start(this::accept);
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
        try {
            open.close();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "slow-network");
        thread.setDaemon(true);
        thread.start();
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
                connect(client, behind);
                connect(behind, client);
            } catch (IOException closed) {
                close(); // what waits for an answer fails, and says so
            }
        }
    }

    private void connect(Socket from, Socket to) {
        BlockingQueue<Chunk> onTheWay = new ArrayBlockingQueue<>(CHUNKS);
        start(() -> receive(from, onTheWay));
        start(() -> deliver(onTheWay, to));
    }

    private void receive(Socket from, BlockingQueue<Chunk> onTheWay) {
        byte[] buffer = new byte[CHUNK];
        try (InputStream in = from.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                onTheWay.put(new Chunk(Arrays.copyOf(buffer, read), System.nanoTime() + oneWayNanos));
            }
            onTheWay.put(new Chunk(new byte[0], System.nanoTime()));
        } catch (IOException closed) {
            boolean unused = onTheWay.offer(new Chunk(new byte[0], System.nanoTime()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Delivers chunks when they are due, until an empty one ends the connection. */
    private static void deliver(BlockingQueue<Chunk> onTheWay, Socket to) {
        try (OutputStream out = to.getOutputStream()) {
            for (Chunk chunk = onTheWay.take(); chunk.bytes.length > 0; chunk = onTheWay.take()) {
                for (long left = chunk.due - System.nanoTime(); left > 0; left = chunk.due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(chunk.bytes);
            }
        } catch (IOException closed) {
            close(to);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
