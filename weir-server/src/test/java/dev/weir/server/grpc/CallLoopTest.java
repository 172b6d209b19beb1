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
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that wait for a store, of one connection. */
final class CallLoopTest {
    private static final int MAX_CALLS = 3;
    private static final long MAX_BYTES = 16 << 10; // more than these calls take, less than one more

    private final ServerMetrics metrics = new ServerMetrics();
    private final List<CompletableFuture<Answer>> waiting = new ArrayList<>(); // of one event loop, before it answers
    private final Answer answer = new Answer(
            RateLimitResponse.getDefaultInstance(),
            new DescriptorDecision(new Limiters(MemoryStore.create(), null), List.of(), false));

    @AfterEach
    void close() {
        metrics.close();
    }

    private CompletableFuture<Answer> decideLater() {
        CompletableFuture<Answer> later = new CompletableFuture<>();
        synchronized (waiting) {
            waiting.add(later);
        }
        return later;
    }

    private void answerAll() {
        synchronized (waiting) {
            assertThat(waiting).hasSize(MAX_CALLS);
            waiting.forEach(later -> later.complete(answer));
        }
    }

    private GrpcServer serverThatAnswers(EventLoops loops) throws IOException {
        return GrpcServer.start(
                AnyPort.settings(),
                null,
                new EnvoyService(request -> CompletableFuture.completedFuture(answer), false),
                loops,
                metrics);
    }

    @Test
    void calls_moreThanMayWait_areRefused_untilOthersAreAnswered() throws IOException {
        try (EventLoops loops = new EventLoops(MAX_BYTES, MemoryBounds.openRequestBytes());
                GrpcServer server = GrpcServer.start(
                        AnyPort.settings(), null, new EnvoyService(request -> decideLater(), false), loops, metrics);
                Socket client = Http2Frames.connect(server.port())) {
            OutputStream out = client.getOutputStream();
            for (int i = 0; i < MAX_CALLS; i++) {
                out.write(Http2Frames.call(2 * i + 1, "d", "k=v"));
            }
            out.write(Http2Frames.call(7, "d", "k=v"));
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(7, true));

            answerAll();
            for (int i = 0; i < 2 * MAX_CALLS; i++) {
                assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).isPresent(); // two of each answer
            }
            waiting.clear();
            out.write(Http2Frames.call(9, "d", "k=v"));
            out.write(Http2Frames.unknownCall(11));
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(11, true));
            assertThat(waiting).hasSize(1);
        }
    }

    @Test
    void healthWatches_moreThanMayBeOpen_areRefused_andLeaveCallsTheirRoom() throws IOException {
        try (EventLoops loops = new EventLoops(MAX_BYTES, MemoryBounds.openRequestBytes());
                GrpcServer server = serverThatAnswers(loops);
                Socket client = Http2Frames.connect(server.port())) {
            OutputStream out = client.getOutputStream();
            for (int i = 0; i < MAX_CALLS; i++) {
                out.write(Http2Frames.watch(2 * i + 1));
                assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(2 * i + 1, false));
            }
            out.write(Http2Frames.watch(7));
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(7, true));

            out.write(Http2Frames.call(9, "d", "k=v"));
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(9, false));
        }
    }

    /** The objects of short headers take much more memory than their text. */
    @Test
    void healthWatch_withManyHeaders_takesMoreRoom() throws IOException {
        String[] headers = Collections.nCopies(100, List.of("a", "")).stream()
                .flatMap(List::stream)
                .toArray(String[]::new);
        try (EventLoops loops = new EventLoops(MAX_BYTES, MemoryBounds.openRequestBytes());
                GrpcServer server = serverThatAnswers(loops);
                Socket client = Http2Frames.connect(server.port())) {
            client.getOutputStream().write(Http2Frames.watch(1, headers));
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(1, true));

            client.getOutputStream().write(Http2Frames.watch(3));
            assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).hasValue(new Frame(3, false));
        }
    }
}
