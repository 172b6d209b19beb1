package dev.weir.server;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Requests to each port of a server in this process that has the example, so that the classes which answer are loaded. That takes
 * longer than Envoy waits: without them, the first clients would pass without a decision.
 */
final class FirstRequests {
    private static final int REQUESTS = 5; // after which one takes a few milliseconds
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String BODY = "{\"key\":\"alice\",\"limits\":[\"100/1m\"]}";
    private static final String REQUEST = "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
    private static final RateLimitRequest ENVOY_REQUEST = RateLimitRequest.newBuilder()
            .setDomain("example")
            .addDescriptors(RateLimitDescriptor.newBuilder()
                    .addEntries(Entry.newBuilder().setKey("remote_address").setValue("192.0.2.1")))
            .build();

    private FirstRequests() {}

    /**
     * Sends some requests to each port, and reads the responses.
     *
     * @throws IOException if a response is not a decision
     * @throws io.grpc.StatusRuntimeException if there is none
     */
    static void send(int port, int grpcPort) throws IOException {
        askHttp(port);
        askEnvoy(grpcPort);
    }

    private static void askHttp(int port) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1}); // also where Java prefers ::1
        for (int i = 0; i < REQUESTS; i++) {
            try (Socket socket = new Socket(loopback, port)) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
                String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (!response.startsWith("HTTP/1.1 200 ")) {
                    throw new IOException(
                            "it answered " + response.lines().findFirst().orElse("nothing"));
                }
            }
        }
    }

    private static void askEnvoy(int port) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", port, InsecureChannelCredentials.create())
                .build();
        try {
            RateLimitServiceBlockingStub stub = RateLimitServiceGrpc.newBlockingStub(channel);
            for (int i = 0; i < REQUESTS; i++) {
                RateLimitResponse unused = stub.withDeadlineAfter(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                        .shouldRateLimit(ENVOY_REQUEST);
            }
        } finally {
            channel.shutdownNow();
        }
    }
}
