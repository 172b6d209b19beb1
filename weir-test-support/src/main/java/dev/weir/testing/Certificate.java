package dev.weir.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate for 127.0.0.1 and its private key, as files and as a Java key store. */
public record Certificate(Path certificate, Path key, KeyStore store) {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Map<String, KeyStore> STORES = new ConcurrentHashMap<>(); // each takes a process of keytool

    /** Writes the certificate with the given name, which is the same in all directories of this JVM. */
    public static Certificate create(Path directory, String name) throws IOException, GeneralSecurityException {
        KeyStore store = STORES.get(name);
        if (store == null) {
            store = generate(directory.resolve(name + ".p12"), name);
            STORES.put(name, store);
        }
        return new Certificate(
                Files.writeString(
                        directory.resolve(name + ".pem"),
                        pem("CERTIFICATE", store.getCertificate(name).getEncoded())),
                Files.writeString(
                        directory.resolve(name + ".key"),
                        pem("PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded())),
                store);
    }

    /** Generates a certificate with the JDK's keytool. */
    private static KeyStore generate(Path file, String name) throws IOException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-ext",
                        "bc:c",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.onExit().join().exitValue() != 0) {
            throw new AssertionError("keytool: " + output);
        }
        return KeyStore.getInstance(file.toFile(), PASSWORD);
    }

    /** Returns an SSLContext for clients that trust this certificate and, unless it is null, present their own. */
    public SSLContext clients(@Nullable Certificate own) throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        KeyManager[] keys = null;
        if (own != null) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(own.store, PASSWORD);
            keys = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    /** Connects a client that trusts this certificate and offers a version of HTTP. */
    public SSLSocket connect(int port, String protocol) throws GeneralSecurityException, IOException {
        SSLSocket client = (SSLSocket) clients(null).getSocketFactory().createSocket("127.0.0.1", port);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        client.setSSLParameters(parameters);
        return client;
    }

    private static String pem(String label, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
