package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http2Frames;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.net.AnyPort;
import dev.weir.server.net.MemoryBounds;
import dev.weir.testing.Await;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server of gRPC that stops while connections wait in its backlog, because its event loops are busy. */
final class GrpcBacklogTest {
    private static final int CLIENTS = 30; // more than are accepted at once

    private final EventLoops loops = new EventLoops(MemoryBounds.openCallBytes(), MemoryBounds.openRequestBytes());
    private final List<Socket> clients = new ArrayList<>();

    /** Occupies the event loops until the given latch opens. */
    private void occupy(CountDownLatch free) throws InterruptedException {
        for (EventExecutor loop : loops.group()) {
            CountDownLatch occupied = new CountDownLatch(1);
            loop.execute(() -> {
                occupied.countDown();
                Await.until(() -> free.getCount() == 0);
            });
            assertThat(occupied.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private boolean haveTasks() {
        for (EventExecutor loop : loops.group()) {
            if (((SingleThreadEventExecutor) loop).pendingTasks() > 0) {
                return true;
            }
        }
        return false;
    }

    private void send(int port) throws IOException {
        Socket client = Http2Frames.connect(port);
        clients.add(client);
        client.getOutputStream().write(Http2Frames.unknownCall(1));
    }

    @Test
    void close_connectionsInBacklog_areAnswered() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        try (loops;
                ServerMetrics metrics = new ServerMetrics();
                GrpcServer server = GrpcServer.start(
                        AnyPort.settings(),
                        null,
                        new EnvoyService(request -> new CompletableFuture<>(), false),
                        loops,
                        metrics)) {
            occupy(free);
            for (int i = 0; i < CLIENTS; i++) {
                send(server.port());
            }

            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
            Await.until(this::haveTasks);
            free.countDown();

            for (Socket client : clients) {
                assertThat(Http2Frames.next(client, Http2Frames.HEADERS)).isPresent();
                client.close();
            }
            closing.get(60, TimeUnit.SECONDS);
        } finally {
            free.countDown();
        }
    }
}
