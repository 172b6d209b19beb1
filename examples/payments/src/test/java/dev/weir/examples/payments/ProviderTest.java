package dev.weir.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProviderTest {
    @Test
    void counts_workerThatMadeNoCallInThePhase_isZero() throws Exception {
        try (Provider provider = new Provider("alpha", 100)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(provider.uri() + "/warm-up"))
                    .header(Provider.WORKER, "starved")
                    .build();

            HttpClient.newHttpClient().send(request, BodyHandlers.discarding());

            assertThat(provider.counts().callsByWorker()).isEqualTo(Map.of("starved", 0L));
            assertThat(provider.counts().calls()).isZero();
        }
    }
}
