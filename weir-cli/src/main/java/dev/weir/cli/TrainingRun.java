package dev.weir.cli;

import dev.weir.server.WeirServer;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A request to each port of a server in this process, so that the classes which answer them are in the archive that Java makes at its exit. */
final class TrainingRun {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String BODY = "{\"key\":\"alice\",\"limits\":[\"3/1m\"]}";
    private static final String REQUEST = "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    private TrainingRun() {}

    /**
     * Sends a request to each port of a server with the example, and reads the responses.
     *
     * @throws CommandFailure if one is not a decision
     */
    static void ask(WeirServer server) throws IOException {
        askHttp(server.port());
        askEnvoy(server.grpcPort());
    }

    private static void askHttp(int port) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1}); // also where Java prefers ::1
        try (Socket socket = new Socket(loopback, port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!response.startsWith("HTTP/1.1 200 ")) {
                throw new CommandFailure(
                        "the server answered " + response.lines().findFirst().orElse("nothing"));
            }
        }
    }

    private static void askEnvoy(int port) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", port, InsecureChannelCredentials.create())
                .build();
        try {
            RateLimitResponse unused = RateLimitServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .shouldRateLimit(RateLimitRequest.newBuilder()
                            .setDomain("example")
                            .addDescriptors(RateLimitDescriptor.newBuilder()
                                    .addEntries(Entry.newBuilder()
                                            .setKey("remote_address")
                                            .setValue("192.0.2.1")))
                            .build());
        } catch (StatusRuntimeException e) {
            throw new CommandFailure("the server answered " + e.getStatus());
        } finally {
            channel.shutdownNow();
        }
    }
}
