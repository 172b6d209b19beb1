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
 * Stands between a client and a server, knows which reply answers which command, and does to replies what a test says.
 * Only replies to scripts meet a {@link Fate}; what else a connection carries (its greeting) passes.
 */
final class Proxy implements AutoCloseable {

    /** What becomes of a reply to a script. The server has run the script in any case. */
    enum Fate {
        /** It is lost, and so is all that follows on the connection, which stays open: the way back is broken. */
        MUTE,
        /** It is lost, and the connection is cut. */
        CUT
    }

    private record Reply(Resp.Frame frame, boolean toScript, long arrived) {}

    private final int target;
    private final int port;
    private final AtomicLong scripts = new AtomicLong();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>(); // all scripts, as they were sent
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

    /** How many scripts the server has answered. */
    long scripts() {
        return scripts.get();
    }

    /** How many scripts have been sent whose words contain a text, whether the server answered or not. */
    long sent(String text) {
        return asked.stream().filter(script -> script.contains(text)).count();
    }

    /** How many connections to the server there have been. */
    long connections() {
        return connections.get();
    }

    /** The fate of the replies to the next few scripts, on whichever connection. */
    synchronized void next(Fate fate, int count) {
        for (int i = 0; i < count; i++) {
            fates.add(fate);
        }
    }

    /** Later replies to scripts are not changed. */
    synchronized void pass() {
        fates.clear();
    }

    /** From now on each reply to a script is passed on that much later than it came. */
    void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** From now on each reply is passed on that much later than it came, also those to other commands than scripts. */
    void delayAll(Duration delay) {
        delaysAll = true;
        delayNanos = delay.toNanos();
    }

    /** From now on replies to scripts, and all that follows on their connection, are kept. */
    synchronized void hold() {
        held = true;
    }

    /** Passes on what was kept. */
    synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Cuts all connections. */
    void cut() {
        links.forEach(Link::close);
    }

    /** Cuts all connections and refuses new ones. */
    void refuse() {
        stopListening();
        cut();
    }

    /** Takes new connections again; once the thread that accepted them before has released the port. */
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
                    } catch (IOException | InterruptedException over) {
                        // the connection is gone
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
            // as it should be
        }
    }

    /** One client's connection, and the one to the server for it. */
    private final class Link {
        private final Socket client;
        private final Socket server = new Socket();
        private final Queue<Boolean> pending = new ConcurrentLinkedQueue<>(); // whether it was a script
        private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

        Link(Socket client) {
            this.client = client;
        }

        void start(ServerSocket from) throws IOException {
            links.add(this);
            if (from.isClosed()) { // refused just now
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
                    asked.add(request.text());
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
