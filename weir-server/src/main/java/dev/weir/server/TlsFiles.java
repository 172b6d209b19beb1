package dev.weir.server;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of TLS, in PEM.
 *
 * @param certificate the server's certificate and those that issued it
 * @param key its private key, in PKCS#8
 * @param clients the certificates that issue those of clients, which then need one; or null
 */
record TlsFiles(Path certificate, Path key, @Nullable Path clients) {

    /** Returns what gRPC needs. */
    SslContext forGrpc() throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(certificate.toFile(), key.toFile());
            if (clients != null) {
                builder.trustManager(clients.toFile()).clientAuth(ClientAuth.REQUIRE);
            }
            return GrpcSslContexts.configure(builder).build();
        } catch (IllegalArgumentException e) {
            throw new IOException("the files of TLS cannot be used: " + e.getMessage(), e);
        }
    }

    /** Sets what HTTP needs. */
    void applyTo(HttpServerOptions options) {
        options.setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(certificate.toString())
                        .setKeyPath(key.toString()));
        if (clients != null) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(clients.toString()))
                    .setClientAuth(io.vertx.core.http.ClientAuth.REQUIRED);
        }
    }

    /**
     * Checks that the files can be read.
     *
     * @throws IllegalArgumentException if not; the message names the file
     */
    void check() {
        for (Path file : clients == null ? new Path[] {certificate, key} : new Path[] {certificate, key, clients}) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("a file of TLS cannot be read: " + file);
            }
        }
    }
}
