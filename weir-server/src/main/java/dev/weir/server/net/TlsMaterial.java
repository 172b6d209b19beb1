package dev.weir.server.net;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts of the files of TLS, in PEM.
 *
 * @param certificate the server's certificate and those that issued it
 * @param key its private key, in PKCS#8
 * @param clients the certificates that issue those of clients, which then need one; or null
 */
public record TlsMaterial(
        String certificate, String key, @Nullable String clients) {
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final byte[] SIGNED = "weir".getBytes(StandardCharsets.US_ASCII);

    /**
     * Checks that the texts are certificates and a key, and that the key is that of the certificate.
     *
     * @throws IllegalArgumentException if not
     */
    public void check() {
        PublicKey certified = certificates("file of the certificate", certificate)
                .iterator()
                .next()
                .getPublicKey();
        if (clients != null) {
            certificates("file of those that issue the certificates of clients", clients);
        }
        try {
            PrivateKey own = KeyFactory.getInstance(certified.getAlgorithm()).generatePrivate(encodedKey());
            Signature signature = Signature.getInstance(algorithm(certified));
            signature.initSign(own);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(SIGNED);
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException other) {
            // reported below: a key of another kind, or none
        }
        throw new IllegalArgumentException("the key is not that of the certificate");
    }

    private static Collection<? extends Certificate> certificates(String file, String text) {
        try {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(stream(text));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException none) {
            // reported below
        }
        throw new IllegalArgumentException("there is no certificate in the " + file);
    }

    private PKCS8EncodedKeySpec encodedKey() {
        Matcher found = KEY.matcher(key);
        if (!found.find()) {
            throw new IllegalArgumentException("there is no private key in PKCS#8 in the file of the key");
        }
        return new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
    }

    private static String algorithm(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns what gRPC needs. */
    public SslContext forGrpc() throws IOException {
        SslContextBuilder builder = SslContextBuilder.forServer(stream(certificate), stream(key));
        if (clients != null) {
            builder.trustManager(stream(clients)).clientAuth(ClientAuth.REQUIRE);
        }
        return GrpcSslContexts.configure(builder).build();
    }

    /** Returns what HTTP needs. */
    public ServerSSLOptions forHttp() {
        ServerSSLOptions options = new ServerSSLOptions();
        options.setKeyCertOptions(
                new PemKeyCertOptions().addCertValue(buffer(certificate)).addKeyValue(buffer(key)));
        if (clients != null) {
            options.setTrustOptions(new PemTrustOptions().addCertValue(buffer(clients)))
                    .setClientAuth(io.vertx.core.http.ClientAuth.REQUIRED);
        }
        return options;
    }

    private static Buffer buffer(String text) {
        return Buffer.buffer(text, StandardCharsets.ISO_8859_1.name());
    }

    /** The key must be in no log. */
    @Override
    public String toString() {
        return "TlsMaterial";
    }
}
