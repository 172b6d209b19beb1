package dev.weir.server.net;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of TLS, in PEM.
 *
 * @param certificate the server's certificate and those that issued it
 * @param key its private key, in PKCS#8
 * @param clients the certificates that issue those of clients, which then need one; or null
 */
public record TlsMaterial(
        PemFile certificate, PemFile key, @Nullable PemFile clients) {
    private static final String BASE64 = "\\s+([A-Za-z0-9+/=\\r\\n]+)"; // Netty reads no further than an indented line
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----" + BASE64 + "-----END CERTIFICATE-----");
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----" + BASE64 + "-----END PRIVATE KEY-----");
    private static final byte[] SIGNED = "weir".getBytes(StandardCharsets.US_ASCII);

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if one cannot be read
     */
    public static TlsMaterial read(Path certificate, Path key, @Nullable Path clients) {
        return new TlsMaterial(
                PemFile.read(certificate), PemFile.read(key), clients == null ? null : PemFile.read(clients));
    }

    /** Reads the same files again. */
    public TlsMaterial reread() {
        return read(certificate.path(), key.path(), clients == null ? null : clients.path());
    }

    /** Returns the files. */
    public List<Path> paths() {
        return clients == null
                ? List.of(certificate.path(), key.path())
                : List.of(certificate.path(), key.path(), clients.path());
    }

    /**
     * Checks that the texts are certificates and a key, and that the key is that of the certificate.
     *
     * @throws IllegalArgumentException if not; the message names the file
     */
    public void check() {
        PublicKey certified = certificates(certificate).iterator().next().getPublicKey();
        if (clients != null) {
            certificates(clients);
        }
        String algorithm = certified.getAlgorithm();
        if (!algorithm.equals("RSA") && !algorithm.equals("EC")) { // the others cannot be read by Netty and Vert.x
            throw new IllegalArgumentException(
                    "the key of the certificate in " + certificate.path() + " must be RSA or EC, was " + algorithm);
        }
        String encoded = encodedKey();
        try {
            PrivateKey own = KeyFactory.getInstance(algorithm)
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(encoded)));
            Signature signature = Signature.getInstance(algorithm.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(own);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(SIGNED);
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException | IllegalArgumentException other) {
            // reported below: a key of another kind, or none
        }
        throw new IllegalArgumentException(
                "the key in " + key.path() + " is not that of the certificate in " + certificate.path());
    }

    private static Collection<? extends Certificate> certificates(PemFile file) {
        String blocks = CERTIFICATE
                .matcher(file.text())
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining("\n"));
        try { // only what Netty and Vert.x read: no DER, and nothing of what else the file contains
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(blocks.getBytes(StandardCharsets.ISO_8859_1)));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException none) {
            // reported below
        }
        throw new IllegalArgumentException(file.path() + " contains no certificate in PEM");
    }

    private String encodedKey() {
        Matcher found = KEY.matcher(key.text());
        if (!found.find()) {
            throw new IllegalArgumentException(
                    key.path() + " contains no private key in PKCS#8 without a password (BEGIN PRIVATE KEY in PEM); "
                            + "openssl pkcs8 -topk8 -nocrypt converts others");
        }
        return found.group(1);
    }

    /** Returns what gRPC needs. */
    public SslContext forGrpc() throws IOException {
        SslContextBuilder builder = SslContextBuilder.forServer(certificate.stream(), key.stream());
        if (clients != null) {
            builder.trustManager(clients.stream()).clientAuth(ClientAuth.REQUIRE);
        }
        return GrpcSslContexts.configure(builder).build();
    }

    /** Returns what HTTP needs: the cipher suites are those of gRPC, which are forward secret and authenticated, for HTTP/1.1, too. */
    public ServerSSLOptions forHttp() throws IOException {
        ServerSSLOptions options = new ServerSSLOptions();
        forGrpc().cipherSuites().forEach(options::addEnabledCipherSuite);
        options.setKeyCertOptions(
                new PemKeyCertOptions().addCertValue(certificate.buffer()).addKeyValue(key.buffer()));
        if (clients != null) {
            options.setTrustOptions(new PemTrustOptions().addCertValue(clients.buffer()))
                    .setClientAuth(io.vertx.core.http.ClientAuth.REQUIRED);
        }
        return options;
    }
}
