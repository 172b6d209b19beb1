package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.AtomicFile;
import dev.weir.testing.Await;
import dev.weir.testing.Certificate;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both ports with TLS, and with certificates of clients. */
final class TlsTest extends ServerTest {
    private static final String CONFIGURATION = """
            domain: d
            descriptors:
              - key: k
                rate_limit: {unit: day, requests_per_unit: 5}
            """;

    private static final String ED25519 = """
            -----BEGIN CERTIFICATE-----
            MIH2MIGpoAMCAQICCCKtrOED6isbMAUGAytlcDAPMQ0wCwYDVQQDEwR3ZWlyMCAX
            DTI2MTEyNzIxMDYyNVoYDzIxMjYxMTAzMjEwNjI1WjAPMQ0wCwYDVQQDEwR3ZWly
            MCowBQYDK2VwAyEAawfDLBqj1KU9hbvqPNr73thteisK3CrN/vhL0AOiPK6jITAf
            MB0GA1UdDgQWBBSfBg9/aZY1EMapMPSWjdOM9hc3mTAFBgMrZXADQQC+eBfuXOfl
            PkZf4tCdhtetLDVTHciXkEHlvlp7qgrAF9Slhyxprs0TdxdUcXCTAMaD5IjQxK7r
            N5xs2UFRXWUG
            -----END CERTIFICATE-----
            """;

    private int remaining(ChannelCredentials credentials) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server().grpcPort(), credentials)
                .build();
        try {
            return RateLimitServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .shouldRateLimit(EnvoyClient.request("d", "k=v").build())
                    .getStatuses(0)
                    .getLimitRemaining();
        } finally {
            channel.shutdownNow();
        }
    }

    private int health(Certificate trusted, Certificate own) throws Exception {
        return get("/healthz", trusted, own).statusCode();
    }

    private HttpResponse<String> get(String path, Certificate trusted, Certificate own) throws Exception {
        return HttpClient.newBuilder()
                .sslContext(trusted.clients(own))
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server().port() + path))
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void tls_servesBothPorts() throws Exception {
        Certificate own = Certificate.create(directory, "server");
        start(new ServerSettings().tls(own.certificate(), own.key(), null), CONFIGURATION);

        ChannelCredentials credentials = TlsChannelCredentials.newBuilder()
                .trustManager(own.certificate().toFile())
                .build();
        assertThat(remaining(credentials)).isEqualTo(4);
        assertThat(health(own, null)).isEqualTo(200);
        assertThatThrownBy(() -> envoy().send("d", "k=v")).isInstanceOf(StatusRuntimeException.class); // in plain text
    }

    @ParameterizedTest
    @CsvSource({"h2", "http/1.1", "http/1.0"})
    void tls_protocolsOfHttp_areAgreedOn(String protocol) throws Exception {
        Certificate own = Certificate.create(directory, "server");
        start(new ServerSettings().tls(own.certificate(), own.key(), null), CONFIGURATION);

        try (SSLSocket client = own.connect(server().port(), protocol)) {
            client.startHandshake();
            assertThat(client.getApplicationProtocol()).isEqualTo(protocol);
        }
    }

    @ParameterizedTest
    @CsvSource({"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, false"})
    void tls_weakCipherSuites_areRefused(String suite, boolean accepted) throws Exception {
        Certificate own = Certificate.create(directory, "server");
        start(new ServerSettings().tls(own.certificate(), own.key(), null), CONFIGURATION);

        for (int port : new int[] {server().port(), server().grpcPort()}) {
            try (SSLSocket client = own.connect(port, "h2")) {
                client.setEnabledProtocols(new String[] {"TLSv1.2"});
                client.setEnabledCipherSuites(new String[] {suite});
                if (accepted) {
                    client.startHandshake();
                } else {
                    assertThatThrownBy(client::startHandshake).isInstanceOf(SSLException.class);
                }
            }
        }
    }

    @Test
    void tls_clientsNeedCertificates() throws Exception {
        Certificate own = Certificate.create(directory, "server");
        Certificate client = Certificate.create(directory, "client");
        start(new ServerSettings().tls(own.certificate(), own.key(), client.certificate()), CONFIGURATION);

        ChannelCredentials anonymous = TlsChannelCredentials.newBuilder()
                .trustManager(own.certificate().toFile())
                .build();
        assertThatThrownBy(() -> remaining(anonymous)).isInstanceOf(StatusRuntimeException.class);
        assertThatThrownBy(() -> health(own, null)).isInstanceOf(IOException.class);
        ChannelCredentials known = TlsChannelCredentials.newBuilder()
                .trustManager(own.certificate().toFile())
                .keyManager(client.certificate().toFile(), client.key().toFile())
                .build();
        assertThat(remaining(known)).isEqualTo(4);
        assertThat(health(own, client)).isEqualTo(200);
    }

    /** As some authorities deliver it, with parameters that only old protocols need. */
    @Test
    void tls_certificateKeyAndParametersInOneFile_serves() throws Exception {
        Certificate own = Certificate.create(directory, "server");
        Path all = Files.writeString(
                directory.resolve("all.pem"),
                Files.readString(own.key()) + Files.readString(own.certificate())
                        + "-----BEGIN DH PARAMETERS-----\nMAYCAQUCAQI=\n-----END DH PARAMETERS-----\n");
        start(new ServerSettings().tls(all, all, null), CONFIGURATION);

        assertThat(health(own, null)).isEqualTo(200);
    }

    @Test
    void tls_binaryCertificate_isRefused() throws Exception {
        Certificate own = Certificate.create(directory, "server");
        String base64 = Files.readString(own.certificate()).replaceAll("-----[^-]+-----|\\s", "");
        Path der =
                Files.write(directory.resolve("server.der"), Base64.getDecoder().decode(base64));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(der, own.key(), null))
                .withMessage(der + " contains no certificate in PEM");
    }

    @Test
    void tls_badFiles_areRefused() throws Exception {
        Path none = directory.resolve("none.pem");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(none, none, null))
                .withMessage(none + " cannot be read: there is no such file");

        Path text = Files.writeString(directory.resolve("text.pem"), "no certificate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(text, text, null))
                .withMessage(text + " contains no certificate in PEM");

        Certificate one = Certificate.create(directory, "server");
        Certificate other = Certificate.create(directory, "client");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(one.certificate(), other.key(), null))
                .withMessage("the key in " + other.key() + " is not that of the certificate in " + one.certificate());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(one.certificate(), one.key(), text))
                .withMessage(text + " contains no certificate in PEM");
        Path broken = Files.writeString(
                directory.resolve("broken.key"), "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(one.certificate(), broken, null))
                .withMessage("the key in " + broken + " is not that of the certificate in " + one.certificate());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(one.certificate(), one.certificate(), null))
                .withMessage(one.certificate()
                        + " contains no private key in PKCS#8 without a password (BEGIN PRIVATE KEY in PEM);"
                        + " openssl pkcs8 -topk8 -nocrypt converts others");
    }

    /** Netty reads an indented block to the end of its first line, and Vert.x no other name of a certificate. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"CERTIFICATE | X509 CERTIFICATE", "'\n' | '\n  '"})
    void tls_pemThatNettyOrVertxCannotRead_isRefused(String part, String replacement) throws Exception {
        Certificate own = Certificate.create(directory, "server");
        Path changed = Files.writeString(
                directory.resolve("changed.pem"),
                Files.readString(own.certificate()).replace(part, replacement));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(changed, own.key(), null))
                .withMessage(changed + " contains no certificate in PEM");
    }

    /** Netty and Vert.x cannot read other keys. */
    @Test
    void tls_keyOfAnotherAlgorithm_isRefused() throws Exception {
        Path certificate = Files.writeString(directory.resolve("ed25519.pem"), ED25519);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().tls(certificate, certificate, null))
                .withMessage("the key of the certificate in " + certificate + " must be RSA or EC, was EdDSA");
    }

    private static ChannelCredentials trusting(Certificate certificate) throws IOException {
        return TlsChannelCredentials.newBuilder()
                .trustManager(certificate.certificate().toFile())
                .build();
    }

    private boolean isServed(Certificate certificate) {
        try {
            return health(certificate, null) == 200 && remaining(trusting(certificate)) >= 0;
        } catch (IOException | StatusRuntimeException distrusted) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tls_changedFiles_areUsedForNewConnections() throws Exception {
        Certificate first = Certificate.create(directory, "server");
        Certificate second = Certificate.create(directory, "client");
        Path certificate = Files.copy(first.certificate(), directory.resolve("tls.crt"));
        Path key = Files.copy(first.key(), directory.resolve("tls.key"));
        start(new ServerSettings().tls(certificate, key, null), CONFIGURATION);
        assertThat(isServed(first)).isTrue();
        ManagedChannel open = Grpc.newChannelBuilderForAddress("127.0.0.1", server().grpcPort(), trusting(first))
                .build();
        try {
            assertThat(isAnswered(open)).isTrue();

            replace(certificate, second.certificate());
            Await.until(() -> metrics(first).contains("\nweir_tls_valid 0.0\n"));
            assertThat(isServed(first)).isTrue();

            replace(key, second.key());
            Await.until(() -> isServed(second) && metrics(second).contains("\nweir_tls_valid 1.0\n"));
            assertThat(get("/healthz", second, null).version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(isServed(first)).isFalse();
            assertThat(isAnswered(open)).isTrue();
        } finally {
            open.shutdownNow();
        }
    }

    private static boolean isAnswered(ManagedChannel channel) {
        return RateLimitServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(20, TimeUnit.SECONDS)
                        .shouldRateLimit(EnvoyClient.request("d", "k=w").build())
                        .getStatusesCount()
                == 1;
    }

    private String metrics(Certificate trusted) {
        try {
            return get("/metrics", trusted, null).body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void replace(Path file, Path content) throws IOException {
        AtomicFile.write(file, Files.readString(content));
    }
}
