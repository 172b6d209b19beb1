package dev.weir.benchmarks.web;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends one request after the other on one connection. A client as small as can be, so that the server is what is measured. */
final class WebClient implements AutoCloseable {
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String EXPECTED = "HTTP/1.1 204";
    private static final int MOST = 4_096; // of a response without a body

    private final Socket socket;
    private final byte[] response = new byte[MOST];

    WebClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
    }

    /** Sends a request and returns the time until its response was read, in nanoseconds. */
    long request() throws IOException {
        long start = System.nanoTime();
        socket.getOutputStream().write(REQUEST);
        int length = 0;
        while (!endsWithEmptyLine(length)) {
            int read = socket.getInputStream().read(response, length, MOST - length);
            if (read <= 0) {
                throw new IOException("the server closed the connection");
            }
            length += read;
        }
        long nanos = System.nanoTime() - start;
        String status = new String(response, 0, EXPECTED.length(), StandardCharsets.US_ASCII);
        if (!status.equals(EXPECTED)) {
            throw new FailedMeasureException("an empty endpoint answered with " + status, null);
        }
        return nanos;
    }

    private boolean endsWithEmptyLine(int length) {
        return length >= 4
                && response[length - 4] == '\r'
                && response[length - 3] == '\n'
                && response[length - 2] == '\r'
                && response[length - 1] == '\n';
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
