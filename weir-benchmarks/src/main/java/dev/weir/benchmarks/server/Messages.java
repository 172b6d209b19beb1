package dev.weir.benchmarks.server;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.stream.IntStream;

/** The rules of the measured server, and the messages of calls under them. */
final class Messages {
    static final int KEYS = 1_000;

    /** The limit of known keys, which get about twice as many requests. */
    static final int KNOWN_PERMITS = 10;

    static final String CONFIGURATION = """
            domain: bench
            descriptors:
              - key: user
                rate_limit: {unit: second, requests_per_unit: 1000}
              - key: path
                rate_limit: {unit: second, requests_per_unit: 1000}
              - key: tried
                rate_limit: {unit: second, requests_per_unit: 1000}
                candidate: 500/1s
              - key: random
                rate_limit: {unit: minute, requests_per_unit: 100}
              - key: known
                rate_limit: {unit: minute, requests_per_unit: %d}
            """.formatted(KNOWN_PERMITS);

    private Messages() {}

    /** Returns a call for each of 1,000 keys, with one descriptor for each name. */
    static byte[][] ofEachKey(String... names) {
        return IntStream.range(0, KEYS)
                .mapToObj(key -> of(Integer.toString(key), names))
                .toArray(byte[][]::new);
    }

    /** Returns a call with one descriptor for each name. */
    static byte[] of(String value, String... names) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("bench");
        for (String name : names) {
            request.addDescriptors(RateLimitDescriptor.newBuilder()
                    .addEntries(Entry.newBuilder().setKey(name).setValue(value)));
        }
        return request.build().toByteArray();
    }
}
