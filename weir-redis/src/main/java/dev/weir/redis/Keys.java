package dev.weir.redis;

import dev.weir.Request;
import dev.weir.internal.KeyBytes;
import io.lettuce.core.cluster.SlotHash;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The names of keys on the server: {@code weir:{limiter:key}}, and the same followed by b for the hash of blocks. Different keys
 * have different names, also if they contain unpaired surrogates.
 */
final class Keys {
    private static final String MAC = "HmacSHA256";
    private static final int HASH_BYTES = 16;

    private final String prefix;
    private final @Nullable SecretKeySpec secret;

    /** Creates names with a prefix; with a secret, keys are hashed with it. */
    Keys(String prefix, @Nullable String secret) {
        this.prefix = prefix;
        this.secret = secret == null ? null : new SecretKeySpec(KeyBytes.of(secret), MAC);
    }

    private byte[][] of(String limiter, String key) {
        byte[] state = KeyBytes.of(prefix + ":{" + limiter + ":" + shown(key) + "}");
        byte[] blocks = new byte[state.length + 1];
        System.arraycopy(state, 0, blocks, 0, state.length);
        blocks[state.length] = 'b';
        return new byte[][] {state, blocks};
    }

    /** Returns the name of a key that never exists. */
    byte[] absent() {
        return KeyBytes.of(prefix + ":absent");
    }

    /** Returns two names for each request: of its state and of the hash of blocks. */
    byte[][] of(List<Request> requests) {
        byte[][] names = new byte[2 * requests.size()][];
        for (int i = 0; i < requests.size(); i++) {
            byte[][] pair = of(requests.get(i).limiter(), requests.get(i).key());
            names[2 * i] = pair[0];
            names[2 * i + 1] = pair[1];
        }
        return names;
    }

    /**
     * Returns a pair that names the state instead of the hash. While a slot moves, Redis runs a script for one name on the node that has
     * it; for two, only if both are on that node, and most keys have no hash. A script that needs the hash then fails.
     */
    static byte[][] withoutHash(byte[][] pair) {
        return new byte[][] {pair[0], pair[0]};
    }

    /** Returns the slot of a cluster in which both keys of a pair are. */
    static int slot(byte[][] pair) {
        return SlotHash.getSlot(pair[0]);
    }

    private String shown(String key) {
        if (secret == null) {
            return key;
        }
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(secret);
            byte[] hash = new byte[HASH_BYTES];
            System.arraycopy(mac.doFinal(KeyBytes.of(key)), 0, hash, 0, HASH_BYTES);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing); // every Java has it
        }
    }
}
