package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.EnvoyDecider.Answer;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections with many calls beside one with a single call, on the same event loops. */
final class FairReadsTest {
    private static final int LOOPS = Runtime.getRuntime().availableProcessors();
    private static final int CALLS = 900; // of a connection, which may have 1,000 open
    private static final int MOST_BEFORE = CALLS / 4;
    private static final int BUFFER_BYTES = 1 << 20; // all calls, so that they are sent while the server does not read
    private static final long PATIENCE_SECONDS = 30;
    private static final String HOLD = "hold";
    private static final String MANY = "many";
    private static final String SINGLE = "single";

    private final EventLoops loops = new EventLoops();
    private final CountDownLatch held = new CountDownLatch(LOOPS);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Map<Thread, Integer> decided = new ConcurrentHashMap<>(); // of the many, by event loop
    private final CompletableFuture<Integer> decidedBefore = new CompletableFuture<>();
    private final List<Socket> clients = new ArrayList<>();
    private final Answer answer = new Answer(
            RateLimitResponse.getDefaultInstance(),
            new DescriptorDecision(new Limiters(MemoryStore.create(), null), List.of()));
    private GrpcServer server;

    @BeforeEach
    void start() throws IOException {
        ServerSettings settings = new ServerSettings().port(0).grpcPort(0);
        server = GrpcServer.start(settings, null, new EnvoyService(this::decide, false), loops);
    }

    @AfterEach
    void stop() throws IOException {
        released.countDown();
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
            case MANY -> decided.merge(loop, 1, Integer::sum);
            default -> decidedBefore.complete(decided.getOrDefault(loop, 0));
        }
        return CompletableFuture.completedFuture(answer);
    }

    private void hold() {
        held.countDown();
        try {
            assertThat(released.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
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
        List<Socket> busy = new ArrayList<>(); // one on each event loop
        for (int i = 0; i < LOOPS; i++) {
            busy.add(connect());
        }
        Socket quiet = connect();
        busy.forEach(client -> send(client, 0, 1, HOLD));
        assertThat(held.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        busy.forEach(client -> send(client, 1, CALLS, MANY));
        send(quiet, 0, 1, SINGLE);
        released.countDown();

        assertThat(decidedBefore.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isLessThan(MOST_BEFORE);
    }
}
