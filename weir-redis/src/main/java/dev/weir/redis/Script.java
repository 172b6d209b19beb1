package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** What runs on the server: one of these for each thing that can be asked, put together from the pieces beside this class. */
enum Script {
    /** Decides on requests. */
    DECIDE("decide"),
    /** Gives back what was booked. */
    GIVE_BACK("give-back"),
    /** Denies everything for a key. */
    BLOCK("block"),
    /** Forgets a key. */
    RESET("reset");

    @SuppressWarnings("ImmutableEnumChecker") // never handed out but to be sent
    private final byte[] text;

    private final String digest;

    Script(String verb) {
        StringBuilder whole = new StringBuilder();
        Pieces.ALL.forEach(piece -> whole.append(piece(piece)));
        whole.append(piece(verb));
        text = whole.toString().getBytes(StandardCharsets.UTF_8);
        digest = sha1(text);
    }

    /** What is sent once. */
    byte[] text() {
        return text;
    }

    /** What is sent from then on. */
    String digest() {
        return digest;
    }

    private static String piece(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException(name + ".lua is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String sha1(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** What all scripts begin with, in this order. */
    private static final class Pieces {
        static final List<String> ALL = List.of(
                "state",
                "runs",
                "log",
                "sliding-log",
                "sliding-window",
                "fixed-window",
                "schedule",
                "token-bucket",
                "leaky-bucket",
                "gcra");
    }
}
