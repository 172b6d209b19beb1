package dev.weir.redis;

import dev.weir.store.Claim;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** What keys are called on the server: {@code weir:{limiter:key}}, and the same with a b for the hash of blocks. */
final class Keys {
    private static final String MAC = "HmacSHA256";
    private static final int HASH_BYTES = 16;

    private final String prefix;
    private final @Nullable SecretKeySpec secret;

    /** With a secret, keys are hashed with it. */
    Keys(String prefix, @Nullable String secret) {
        this.prefix = prefix;
        this.secret = secret == null ? null : new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), MAC);
    }

    private byte[][] of(String limiter, String key) {
        byte[] state = (prefix + ":{" + limiter + ":" + shown(key) + "}").getBytes(StandardCharsets.UTF_8);
        byte[] blocks = new byte[state.length + 1];
        System.arraycopy(state, 0, blocks, 0, state.length);
        blocks[state.length] = 'b';
        return new byte[][] {state, blocks};
    }

    /** The names of two keys for each claim. */
    byte[][] of(List<Claim> claims) {
        byte[][] names = new byte[2 * claims.size()][];
        for (int i = 0; i < claims.size(); i++) {
            byte[][] pair = of(claims.get(i).limiter(), claims.get(i).key());
            names[2 * i] = pair[0];
            names[2 * i + 1] = pair[1];
        }
        return names;
    }

    /** The slot of a cluster in which both keys of a pair are. */
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
            System.arraycopy(mac.doFinal(key.getBytes(StandardCharsets.UTF_8)), 0, hash, 0, HASH_BYTES);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing); // every Java has it
        }
    }
}
