package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A key and a certificate for 127.0.0.1 that nobody else has signed, as PEM files.
 *
 * @param key the private key
 * @param chain the certificate, which is its own authority
 */
record Certificate(Path key, Path chain) {
    private static final String PASSWORD = "changeit";

    /** Makes one, by the JDK's keytool. */
    static Certificate in(Path folder) {
        try {
            Path store = folder.resolve("store.p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "weir",
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=127.0.0.1",
                            "-ext",
                            "san=ip:127.0.0.1",
                            "-ext",
                            "bc:c",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            PASSWORD,
                            "-keystore",
                            store.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("keytool: " + said);
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            byte[] key = keys.getKey("weir", PASSWORD.toCharArray()).getEncoded();
            byte[] chain = keys.getCertificate("weir").getEncoded();
            return new Certificate(
                    Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key)),
                    Files.writeString(folder.resolve("chain.pem"), pem("CERTIFICATE", chain)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static String pem(String what, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
