package dev.weir.server;

import com.google.protobuf.UInt64Value;
import dev.weir.server.config.KeyText;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A client like Envoy: grpc-java's stub on a connection of its own. */
final class EnvoyClient implements AutoCloseable {
    private final ManagedChannel channel;

    EnvoyClient(int port) {
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .build();
    }

    ManagedChannel channel() {
        return channel;
    }

    RateLimitResponse send(RateLimitRequest request) {
        return RateLimitServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .shouldRateLimit(request);
    }

    /** Sends a request with one hit for descriptors, each written as in {@code key1=foo,key2=bar}. */
    RateLimitResponse send(String domain, String... descriptors) {
        return send(request(domain, descriptors).build());
    }

    /** Sends a request and returns its code, and the code and remaining requests of each descriptor: OK: OK 4, OVER_LIMIT 0. */
    String brief(String domain, String... descriptors) {
        return brief(send(domain, descriptors));
    }

    static String brief(RateLimitResponse response) {
        return response.getOverallCode() + ": "
                + response.getStatusesList().stream().map(EnvoyClient::brief).collect(Collectors.joining(", "));
    }

    private static String brief(DescriptorStatus status) {
        return status.getCode() + " " + Integer.toUnsignedString(status.getLimitRemaining());
    }

    /** Sends requests until one is denied, and returns how many were OK. */
    int allowed(String domain, String... descriptors) {
        int allowed = 0;
        while (send(domain, descriptors).getOverallCode() == Code.OK) {
            allowed++;
            if (allowed > 1_000) {
                throw new AssertionError("no denial among 1,000 requests");
            }
        }
        return allowed;
    }

    static RateLimitRequest.Builder request(String domain, String... descriptors) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(domain);
        for (String descriptor : descriptors) {
            request.addDescriptors(descriptor(descriptor));
        }
        return request;
    }

    static RateLimitDescriptor.Builder descriptor(String entries) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        List<String> parts = KeyText.parse(entries);
        for (int i = 0; i < parts.size(); i += 2) {
            descriptor.addEntries(Entry.newBuilder().setKey(parts.get(i)).setValue(parts.get(i + 1)));
        }
        return descriptor;
    }

    static RateLimitDescriptor hits(String entries, long hits) {
        return descriptor(entries).setHitsAddend(UInt64Value.of(hits)).build();
    }

    static RateLimitDescriptor limited(String entries, int requests, int unit) {
        return descriptor(entries)
                .setLimit(RateLimitOverride.newBuilder()
                        .setRequestsPerUnit(requests)
                        .setUnitValue(unit))
                .build();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
