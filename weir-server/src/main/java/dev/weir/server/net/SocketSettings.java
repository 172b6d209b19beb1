package dev.weir.server.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;

/**
 * The settings of what listens on a port.
 *
 * @param host the address or host name
 * @param port the port, or 0 for any free one
 * @param requestMillis how long a request, and what comes before the first, may take to arrive
 * @param keepAliveMillis how long a connection may have no request
 * @param stopGraceMillis how long a connection may have no request after the server has begun to stop
 * @param openRequestBytes the memory that the requests of an event loop may take which are not complete
 */
public record SocketSettings(
        String host, int port, long requestMillis, long keepAliveMillis, long stopGraceMillis, long openRequestBytes) {

    /** Returns the address. */
    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /** Returns why nothing listens. */
    public IOException cannotListen(IOException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) { // the first says only that it failed
            cause = cause.getCause();
        }
        String reason = cause instanceof UnresolvedAddressException ? "unknown host" : cause.getMessage();
        return new IOException(
                "cannot listen on " + host + ", port " + port + ": " + (reason == null ? cause : reason), failure);
    }
}
