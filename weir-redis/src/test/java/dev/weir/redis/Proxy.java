package dev.weir.redis;

import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import dev.weir.testing.Resp;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy between a client and a server that matches replies with commands, and drops, delays or holds replies.
 * A {@link Fate} applies only to replies to scripts; other replies, such as those of the handshake, are passed on.
 */
final class Proxy implements AutoCloseable {

    /** The fault applied to a reply to a script. The server has run the script in any case. */
    enum Fate {
        /** This reply and all later ones on the connection are lost; the connection stays open. */
        MUTE,
        /** The reply is lost, and the connection is closed. */
        CUT
    }

    private record Reply(Resp.Frame frame, boolean toScript, long arrived) {}

    private final int target;
    private final int port;
    private final AtomicLong scripts = new AtomicLong();
    private final Queue<String> sent = new ConcurrentLinkedQueue<>(); // the calls of scripts
    private final AtomicLong connections = new AtomicLong();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Queue<Fate> fates = new ArrayDeque<>(); // guarded by this
    private boolean held; // guarded by this
    private volatile long delayNanos;
    private volatile boolean delaysAll;
    private ServerSocket listening; // guarded by this

    Proxy(RedisServer server) {
        this(server, RedisServer.freePort());
    }

    Proxy(RedisServer server, int port) {
        target = server.port();
        this.port = port;
        accept();
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Returns the number of scripts that the server has answered. */
    long scripts() {
        return scripts.get();
    }

    /** Returns the number of calls of scripts that contain a text, answered or not. */
    long sent(String text) {
        return sent.stream().filter(script -> script.contains(text)).count();
    }

    /** Returns the number of connections to the server since the start. */
    long connections() {
        return connections.get();
    }

    /** Sets the fate of the replies to the next {@code count} scripts, on any connection. */
    synchronized void next(Fate fate, int count) {
        for (int i = 0; i < count; i++) {
            fates.add(fate);
        }
    }

    /** Passes on all later replies. */
    synchronized void pass() {
        fates.clear();
    }

    /** Delays each reply to a script from now on. */
    void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Delays each reply from now on, including those to other commands than scripts. */
    void delayAll(Duration delay) {
        delaysAll = true;
        delayNanos = delay.toNanos();
    }

    /** Holds replies to scripts, and all later replies on their connections, until {@link #release}. */
    synchronized void hold() {
        held = true;
    }

    /** Passes on the held replies. */
    synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Closes all connections. */
    void cut() {
        links.forEach(Link::close);
    }

    /** Closes all connections and refuses new ones. */
    void refuse() {
        stopListening();
        cut();
    }

    /** Accepts connections again, as soon as the thread that accepted them before has released the port. */
    void accept() {
        Await.until("port " + port, this::accepts);
    }

    @SuppressWarnings("AddressSelection") // a port of this machine
    private synchronized boolean accepts() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress("127.0.0.1", port));
            listening = socket;
            thread("accept", () -> {
                while (true) {
                    new Link(socket.accept()).start(socket);
                }
            });
            return true;
        } catch (BindException taken) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private synchronized void stopListening() {
        quietly(listening);
    }

    @Override
    public void close() {
        refuse();
        release();
    }

    private synchronized Fate fate() {
        return fates.poll();
    }

    private synchronized void awaitRelease() throws InterruptedException {
        while (held) {
            wait();
        }
    }

    private interface Loop {
        void run() throws IOException, InterruptedException;
    }

    private static void thread(String name, Loop loop) {
        Thread thread = new Thread(
                () -> {
                    try {
                        loop.run();
                    } catch (IOException | InterruptedException ended) {
                        // the connection has ended
                    }
                },
                "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void quietly(AutoCloseable closed) {
        try {
            closed.close();
        } catch (Exception alreadyGone) {
            // nothing to close
        }
    }

    /** The connection of a client, and the connection to the server for it. */
    private final class Link {
        private final Socket client;
        private final Socket server = new Socket();
        private final Queue<Boolean> pending = new ConcurrentLinkedQueue<>(); // whether the command is a script
        private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

        Link(Socket client) {
            this.client = client;
        }

        void start(ServerSocket from) throws IOException {
            links.add(this);
            if (from.isClosed()) { // the proxy has just stopped accepting
                close();
                return;
            }
            try {
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
            } catch (IOException downOrCut) { // the proxy must continue to accept
                close();
                return;
            }
            connections.incrementAndGet();
            thread("requests", () -> closing(this::requests));
            thread("replies", () -> closing(this::replies));
            thread("back", () -> closing(this::back));
        }

        private void closing(Loop loop) throws IOException, InterruptedException {
            try {
                loop.run();
            } finally {
                close();
            }
        }

        private void requests() throws IOException {
            InputStream in = new BufferedInputStream(client.getInputStream());
            while (true) {
                Resp.Frame request = Resp.frame(in);
                boolean script = ((List<?>) request.value())
                        .get(0)
                        .toString()
                        .toUpperCase(Locale.ROOT)
                        .startsWith("EVAL");
                pending.add(script);
                if (script) {
                    sent.add(request.text());
                }
                server.getOutputStream().write(request.bytes());
            }
        }

        private void replies() throws IOException {
            InputStream in = new BufferedInputStream(server.getInputStream());
            while (true) {
                Resp.Frame reply = Resp.frame(in);
                boolean toScript = !reply.pushed() && pending.remove();
                if (toScript) {
                    scripts.incrementAndGet(); // before the client can see the reply
                }
                replies.add(new Reply(reply, toScript, System.nanoTime()));
            }
        }

        private void back() throws IOException, InterruptedException {
            boolean mute = false;
            while (true) {
                Reply reply = replies.poll(1, TimeUnit.SECONDS);
                if (reply == null) {
                    if (client.isClosed()) {
                        return;
                    }
                    continue;
                }
                Fate fate = reply.toScript ? fate() : null;
                if (fate == Fate.CUT) {
                    return;
                }
                mute |= fate == Fate.MUTE;
                if (reply.toScript || delaysAll) {
                    late(reply.arrived + delayNanos);
                }
                if (reply.toScript) {
                    awaitRelease();
                }
                if (!mute) {
                    client.getOutputStream().write(reply.frame.bytes());
                }
            }
        }

        private static void late(long at) {
            while (at - System.nanoTime() > 0) {
                LockSupport.parkNanos(at - System.nanoTime());
            }
        }

        private void close() {
            links.remove(this);
            quietly(client);
            quietly(server);
        }
    }
}
