package dev.weir.redis;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;

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
        text = source(verb).getBytes(StandardCharsets.UTF_8);
        digest = sha1(text);
    }

    private static String source(String verb) {
        if (verb.equals("decide")) {
            return piece("clock")
                    + piece("plain")
                    + piece("plain-schedule")
                    + piece("answers")
                    + Pieces.COMMON
                    + piece("decide");
        }
        return piece("clock") + Pieces.COMMON + piece(verb);
    }

    /** What is sent once. */
    byte[] text() {
        return text;
    }

    /** What is sent from then on. */
    String digest() {
        return digest;
    }

    /**
     * Makes all of them known to the server. One that does not let itself be told is sent them when they are first needed; then
     * a later one may overtake it.
     */
    static CompletableFuture<Void> load(RedisScriptingAsyncCommands<byte[], byte[]> commands) {
        CompletableFuture<?>[] loaded = Arrays.stream(values())
                .map(script ->
                        commands.scriptLoad(script.text).toCompletableFuture().handle((digest, refused) -> digest))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(loaded);
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

    /**
     * What decides on any state. The server runs a script from its top each time, so that every function costs at every call:
     * the algorithms are in functions that are called when they are needed.
     */
    private static final class Pieces {
        static final String COMMON = piece("plain-state")
                + piece("state")
                + family("log", "runs", "log", "sliding-log", "sliding-window")
                + family("windows", "fixed-window")
                + family("schedule", "schedule", "token-bucket", "leaky-bucket", "gcra");

        private static String family(String name, String... pieces) {
            StringBuilder family = new StringBuilder("function families." + name + "()\n");
            for (String piece : pieces) {
                family.append(piece(piece));
            }
            return family.append("end\n").toString();
        }
    }
}
