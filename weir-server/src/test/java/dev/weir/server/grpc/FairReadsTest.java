package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http2Frames;
import dev.weir.server.Http2Frames.Frame;
import dev.weir.server.decision.DescriptorDecision;
import dev.weir.server.decision.EnvoyDecider.Answer;
import dev.weir.server.decision.Limiters;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.net.AnyPort;
import dev.weir.server.net.MemoryBounds;
import dev.weir.store.MemoryStore;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that are read one after the other, since their event loops were busy when they sent. */
final class FairReadsTest {
    private static final int LOOPS = Runtime.getRuntime().availableProcessors();
    private static final int CALLS = 900; // of a connection, which may have 1,000 open
    private static final int MOST_BEFORE = CALLS / 4;
    private static final int FEW_CALLS_BYTES = 20 << 10; // four, as the server counts them
    private static final int BUFFER_BYTES = 1 << 20; // all calls, so that they are sent while the server does not read
    private static final long TIMEOUT_SECONDS = 30;
    private static final String HOLD = "hold";
    private static final String MANY = "many";
    private static final String SINGLE = "single";

    private final EventLoops loops = new EventLoops(MemoryBounds.openCallBytes(), FEW_CALLS_BYTES);
    private volatile CountDownLatch held = new CountDownLatch(LOOPS);
    private volatile CountDownLatch released = new CountDownLatch(1);
    private final Map<Thread, Integer> decided = new ConcurrentHashMap<>(); // of the many, by event loop
    private final CompletableFuture<Integer> decidedBefore = new CompletableFuture<>();
    private final List<Socket> clients = new ArrayList<>();
    private final Answer answer = new Answer(
            RateLimitResponse.getDefaultInstance(),
            new DescriptorDecision(new Limiters(MemoryStore.create(), null), List.of(), false));
    private volatile int holdAfter; // the number of decisions of an event loop
    private final ServerMetrics metrics = new ServerMetrics();
    private GrpcServer server;

    @BeforeEach
    void start() throws IOException {
        server = GrpcServer.start(AnyPort.settings(), null, new EnvoyService(this::decide, false), loops, metrics);
    }

    @AfterEach
    void stop() throws IOException {
        released.countDown();
        metrics.close();
        for (Socket client : clients) {
            client.close();
        }
        server.close();
        loops.close();
    }

    private CompletableFuture<Answer> decide(RateLimitRequest request) {
        Thread loop = Thread.currentThread();
        switch (request.getDomain()) {
            case HOLD -> hold();
            case MANY -> {
                if (decided.merge(loop, 1, Integer::sum) == holdAfter) {
                    hold();
                }
            }
            default -> decidedBefore.complete(decided.getOrDefault(loop, 0));
        }
        return CompletableFuture.completedFuture(answer);
    }

    private void hold() {
        CountDownLatch release = released;
        held.countDown();
        try {
            assertThat(release.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Opens a connection whose settings the server has acknowledged. */
    private Socket connect() throws IOException {
        Socket client = Http2Frames.connect(server.port());
        clients.add(client);
        client.setSendBufferSize(BUFFER_BYTES);
        assertThat(Http2Frames.awaitFrame(client, Http2Frames.SETTINGS)).isTrue();
        return client;
    }

    private List<Socket> connectToEachLoop() throws IOException {
        List<Socket> connected = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            connected.add(connect());
        }
        return connected;
    }

    private static void send(Socket client, int first, int calls, String domain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < calls; i++) {
            bytes.writeBytes(Http2Frames.call(2 * (first + i) + 1, domain, "k=v"));
        }
        try {
            client.getOutputStream().write(bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void singleCall_besideManyOfOthers_isDecidedBetweenThem() throws Exception {
        List<Socket> busy = connectToEachLoop();
        Socket quiet = connect();
        busy.forEach(client -> send(client, 0, 1, HOLD));
        assertThat(held.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        busy.forEach(client -> send(client, 1, CALLS, MANY));
        send(quiet, 0, 1, SINGLE);
        released.countDown();

        assertThat(decidedBefore.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isLessThan(MOST_BEFORE);
    }

    /** Sends calls on connections to each loop, while the loops cannot read them. Returns the connections. */
    private List<Socket> sendWhileHeld(int connections, int calls) throws Exception {
        List<Socket> busy = connectToEachLoop();
        List<Socket> others = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            others.addAll(connectToEachLoop());
        }
        busy.forEach(client -> send(client, 0, 1, HOLD));
        assertThat(held.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        others.forEach(client -> send(client, 0, calls, MANY));
        return others;
    }

    /** More answers than may wait for clients are there before any of them can be sent, and these clients read. */
    @Test
    void answers_ofManyConnectionsAtOnce_areAllSent() throws Exception {
        List<Socket> others = sendWhileHeld(10, 2);
        released.countDown();

        for (Socket client : others) {
            List<Frame> frames = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                frames.add(Http2Frames.next(client, Http2Frames.HEADERS, Http2Frames.RST_STREAM)
                        .orElseThrow());
            }
            assertThat(frames)
                    .containsExactlyInAnyOrder(
                            new Frame(1, false), new Frame(1, true), new Frame(3, false), new Frame(3, true));
        }
    }

    @Test
    void answers_ofManyConnections_areSentWhileOthersAreRead() throws Exception {
        List<Socket> others = sendWhileHeld(100, 4);
        holdAfter = 350; // calls of a loop, of 400 that have arrived when it reads again
        CountDownLatch first = released;
        released = new CountDownLatch(1);
        held = new CountDownLatch(LOOPS);
        first.countDown();
        assertThat(held.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();

        ExecutorService readers = Executors.newCachedThreadPool();
        try {
            CompletableFuture<?>[] answers = others.stream()
                    .map(client -> CompletableFuture.runAsync(() -> awaitAnswer(client), readers))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.anyOf(answers).get(TIMEOUT_SECONDS, TimeUnit.SECONDS); // though the loops are held
        } finally {
            released.countDown();
            readers.shutdown();
        }
    }

    private static void awaitAnswer(Socket client) {
        try {
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
