package dev.weir.server.live;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.security.SecureRandom;

/** A key under a limit. The hash has a secret, so that clients cannot choose keys that collide. */
record LimitedKey(LimitRow row, String key, long hash) {
    private static final HashFunction HASH = keyed();

    LimitedKey(LimitRow row, String key) {
        this(row, key, hash(key));
    }

    private static HashFunction keyed() {
        SecureRandom random = new SecureRandom();
        return Hashing.sipHash24(random.nextLong(), random.nextLong());
    }

    static long hash(String key) {
        return HASH.hashUnencodedChars(key).asLong();
    }
}
