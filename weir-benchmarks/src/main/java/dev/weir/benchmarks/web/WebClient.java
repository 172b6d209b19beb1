package dev.weir.benchmarks.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Sends one request after the other on one connection. */
interface WebClient extends AutoCloseable {
    /** Sends a request, reads its response and returns the status. */
    int statusOf(String path) throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}

    /** Which client. */
    enum Kind {
        /** As small as can be, so that the server is nearly all that is measured. */
        SOCKET("a bare socket"),
        /** The JDK's, as applications use it. */
        HTTP_CLIENT("java.net.http");

        final String title;

        Kind(String title) {
            this.title = title;
        }

        WebClient connect(int port) throws IOException {
            return this == SOCKET ? new Bare(port) : jdk(port);
        }
    }

    /** Reads up to the empty line behind the headers. */
    final class Bare implements WebClient {
        private static final int STATUS_AT = "HTTP/1.1 ".length();
        private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        private static final int MOST = 4_096; // of a response without a body

        private final Map<String, byte[]> requests =
                Map.of(Endpoint.LIMITED, get(Endpoint.LIMITED), Endpoint.EMPTY, get(Endpoint.EMPTY));
        private final Socket socket;
        private final byte[] response = new byte[MOST];

        Bare(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
        }

        private static byte[] get(String path) {
            return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public int statusOf(String path) throws IOException {
            byte[] request = requests.get(path);
            socket.getOutputStream().write(request);
            int length = 0;
            while (length < END.length || !Arrays.equals(response, length - END.length, length, END, 0, END.length)) {
                int read = socket.getInputStream().read(response, length, MOST - length);
                if (read <= 0) {
                    throw new IOException("the server closed the connection");
                }
                length += read;
            }
            return Integer.parseInt(new String(response, STATUS_AT, 3, StandardCharsets.US_ASCII));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Uses one connection, since there is one request at a time. Its threads end when it is no longer reachable. */
    private static WebClient jdk(int port) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        Map<String, HttpRequest> requests =
                Map.of(Endpoint.LIMITED, get(port, Endpoint.LIMITED), Endpoint.EMPTY, get(port, Endpoint.EMPTY));
        return path ->
                client.send(requests.get(path), BodyHandlers.discarding()).statusCode();
    }

    private static HttpRequest get(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
    }
}
