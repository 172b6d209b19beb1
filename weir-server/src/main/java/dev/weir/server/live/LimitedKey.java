package dev.weir.server.live;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import dev.weir.Limit;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A key under a limit of a rule. The hash has a secret, so that clients cannot choose keys that collide.
 *
 * @param rule the rule
 * @param limit the position of the limit
 * @param key the key
 * @param hash the hash of the key
 */
record LimitedKey(RuleRows rule, int limit, String key, long hash) {
    private static final HashFunction HASH = keyed();

    LimitedKey(RuleRows rule, int limit, String key) {
        this(rule, limit, key, hash(key));
    }

    private static HashFunction keyed() {
        SecureRandom random = new SecureRandom();
        return Hashing.sipHash24(random.nextLong(), random.nextLong());
    }

    static long hash(String key) {
        return HASH.hashUnencodedChars(key).asLong();
    }

    /** Returns the limit; null if it is not known, or if the rule denies everything. */
    @Nullable
    Limit grantingLimit() {
        return rule.id().denies() ? null : rule.limit(limit);
    }

    LimitRow row() {
        return rule.row(limit);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LimitedKey that && hash == that.hash && row() == that.row() && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash) + row().id;
    }
}
