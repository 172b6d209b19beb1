package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The configuration is swapped repeatedly while clients send requests. Each answer is checked alone: it must be right under the
 * limits that it names, and these must be of one configuration.
 */
final class ConfigurationSwapTest extends ServerTest {
    private static final int FIRST = 3;
    private static final int SECOND = 5;
    private static final int CLIENTS = 3;
    private static final int SWAPS = 5;
    private static final int REQUESTS_PER_KEY = 12;

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger swaps = new AtomicInteger();

    private static String rules(int small) {
        return """
                domain: d
                descriptors:
                  - key: small
                    rate_limit: {unit: day, requests_per_unit: %d}
                  - key: large
                    rate_limit: {unit: day, requests_per_unit: %d}
                """.formatted(small, 10 * small);
    }

    /** Sends requests for one key after the other until there were enough swaps. */
    private void client(int number) {
        try (EnvoyClient own = new EnvoyClient(server().grpcPort())) {
            int latest = FIRST;
            for (int key = 0; swaps.get() < SWAPS; key++) {
                String text = number + "-" + key;
                int granted = 0;
                for (int i = 0; i < REQUESTS_PER_KEY; i++) {
                    RateLimitResponse response = own.send("d", "small=" + text, "large=" + text);
                    granted += check(response, granted);
                    int limit = response.getStatuses(0).getCurrentLimit().getRequestsPerUnit();
                    if (number == 0 && latest != limit) {
                        swaps.incrementAndGet();
                    }
                    latest = limit;
                }
            }
        }
    }

    /** Checks an answer for a key with the given number of grants; returns 1 if it grants another, else 0. */
    private int check(RateLimitResponse response, int granted) {
        DescriptorStatus small = response.getStatuses(0);
        DescriptorStatus large = response.getStatuses(1);
        int limit = small.getCurrentLimit().getRequestsPerUnit();
        boolean allowed = response.getOverallCode() == Code.OK;
        int after = granted + (allowed ? 1 : 0);
        boolean right = large.getCurrentLimit().getRequestsPerUnit() == 10 * limit
                && allowed == granted < limit
                && small.getLimitRemaining() == Math.max(0, limit - after)
                && large.getLimitRemaining() == 10 * limit - after;
        if (!right) {
            wrong.add("after " + granted + " grants: " + response);
        }
        return allowed ? 1 : 0;
    }

    @Test
    void configuration_isSwappedUnderLoad_noDecisionIsWrong() throws Exception {
        start(rules(FIRST));
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            Thread thread = new Thread(() -> client(number));
            thread.start();
            clients.add(thread);
        }
        for (int small = SECOND; swaps.get() < SWAPS; small = FIRST + SECOND - small) {
            int before = swaps.get();
            write("limits.yaml", rules(small));
            Await.until(() -> swaps.get() > before);
        }
        for (Thread thread : clients) {
            thread.join();
        }

        assertThat(wrong).isEmpty();
    }
}
