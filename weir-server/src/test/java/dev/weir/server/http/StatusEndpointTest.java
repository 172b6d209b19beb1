package dev.weir.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.config.ConfigurationSource;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.net.ContentCoding;
import dev.weir.store.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

final class StatusEndpointTest {
    private static final long TIMEOUT_SECONDS = 30;

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);

    /** A figure that takes long. */
    private Number slow() {
        writing.countDown();
        try {
            return written.await(TIMEOUT_SECONDS, TimeUnit.SECONDS) ? 1 : 0;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The text is large, and thousands of calls may wait for it. */
    @Test
    void metrics_callsThatWait_shareOneBuffer() throws Exception {
        try (MemoryStore store = MemoryStore.create();
                ServerMetrics metrics = new ServerMetrics()) {
            ConfigurationSource example = new ConfigurationSource(null, false, false);
            StatusEndpoint status =
                    new StatusEndpoint(new LiveConfiguration(example, store, read -> () -> {}), metrics);
            metrics.monitor(this::slow, new LiveRecorder());
            CompletableFuture<HttpReply> current = status.metrics(ContentCoding.GZIP);
            assertThat(writing.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<HttpReply> next = status.metrics(ContentCoding.GZIP);
            CompletableFuture<HttpReply> another = status.metrics(ContentCoding.GZIP);
            assertThat(current).isNotDone();
            written.countDown();

            HttpReply reply = next.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            try (InputStream text =
                    new GZIPInputStream(new ByteArrayInputStream(reply.body().getBytes()))) {
                assertThat(text).asString(UTF_8).contains("weir_event_streams 1.0");
            }
            assertThat(another.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).body()).isSameAs(reply.body());
        }
    }
}
