package dev.weir.server.grpc;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/** TLS whose certificates are replaced while connections are open; those keep what they have. Thread-safe. */
final class ReplaceableSslContext extends SslContext {
    private volatile SslContext current;

    ReplaceableSslContext(SslContext current) {
        this.current = current;
    }

    void replace(SslContext replacement) {
        current = replacement;
    }

    @Override
    public boolean isClient() {
        return current.isClient();
    }

    @Override
    public List<String> cipherSuites() {
        return current.cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // of its type, which callers of this need
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return current.applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return current.newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
        return current.newEngine(allocator, peerHost, peerPort);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return current.sessionContext();
    }
}
