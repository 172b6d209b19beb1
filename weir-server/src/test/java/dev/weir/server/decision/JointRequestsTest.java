package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.store.MemoryStore;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The requests of descriptors that are decided together. */
final class JointRequestsTest {
    private static Descriptor descriptor(String key, long hits) {
        RateLimit shown = RateLimit.newBuilder().setRequestsPerUnit(3).build();
        Rule rule = Rule.limited("edge.path", Limits.parse("3/1d"), shown, Set.of(), Mode.LIVE);
        return new Descriptor(rule, key, hits);
    }

    /** A store on Redis counts to 2^53. */
    @Test
    void requests_equalDescriptors_areOne_forAsManyHitsAsAStoreCounts() {
        try (MemoryStore store = MemoryStore.create()) {
            List<Descriptor> descriptors = List.of(
                    descriptor("a", 2),
                    descriptor("b", Descriptor.MAX_HITS),
                    descriptor("a", 3),
                    descriptor("b", Descriptor.MAX_HITS));

            JointRequests joint = new JointRequests(new Limiters(store, null), descriptors);

            assertThat(joint.requests())
                    .extracting(Request::key, Request::permits)
                    .containsExactly(tuple("a", 5L), tuple("b", Descriptor.MAX_HITS));
            assertThat(joint.position(3)).isEqualTo(1);
        }
    }
}
