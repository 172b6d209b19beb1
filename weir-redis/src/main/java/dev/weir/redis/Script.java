package dev.weir.redis;

import dev.weir.Request;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The scripts that run on the server, one for each operation, assembled from the pieces beside this class. */
enum Script {
    /** Decides on requests. */
    DECIDE("decide"),
    /** Refunds permits of a reservation. */
    REFUND("give-back"),
    /** Denies all requests for a key. */
    BLOCK("block"),
    /** Lifts the block of a key. */
    UNBLOCK("unblock"),
    /** Removes the state of a key. */
    RESET("reset"),
    /** Describes the state of a key. */
    INSPECT("inspect");

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
                    + piece("keys")
                    + piece("decide");
        }
        if (verb.equals("inspect")) {
            return piece("clock") + Pieces.common("inspect-log") + piece("keys") + piece(verb);
        }
        return piece("clock") + Pieces.COMMON + piece(verb);
    }

    /** Returns the script that decides on joint requests with these limits. Requests of one batch have the same script. */
    static Script deciding(List<Request> requests) {
        return DECIDE;
    }

    /** Returns the script itself, which is sent once. */
    byte[] text() {
        return text;
    }

    /** Returns the digest by which the script is called from then on. */
    String digest() {
        return digest;
    }

    /** Returns how the server answers. */
    ScriptOutputType output() {
        return this == DECIDE || this == INSPECT ? ScriptOutputType.VALUE : ScriptOutputType.INTEGER;
    }

    /** Whether this changes a key's state other than by a decision, so that cached denials may no longer apply. */
    boolean liftsDenials() {
        return this != DECIDE && this != INSPECT;
    }

    /**
     * Loads all scripts. If SCRIPT LOAD is not permitted, each is sent whole when it is first needed; then a later request may
     * overtake it.
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
     * The pieces that handle any state. The server runs a script from its top each time, so that every function costs time in every
     * call: the algorithms are in functions that are called when they are needed.
     */
    private static final class Pieces {
        static final String COMMON = common("");

        /** Returns all of it, with one more piece in the family of logs, if any. */
        static String common(String pieceOfLogs) {
            String more = pieceOfLogs.isEmpty() ? "" : piece(pieceOfLogs);
            return piece("plain-state")
                    + piece("state")
                    + family(
                            "log", piece("runs") + piece("log") + more + piece("sliding-log") + piece("sliding-window"))
                    + family("windows", piece("fixed-window"))
                    + family(
                            "schedule",
                            piece("schedule") + piece("token-bucket") + piece("leaky-bucket") + piece("gcra"))
                    + family("unlimited", piece("unlimited"));
        }

        private static String family(String name, String text) {
            return "function families." + name + "()\n" + text + "end\n";
        }
    }
}
