package dev.weir.server.live;

import com.google.common.cache.CacheBuilder;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import dev.weir.internal.KeyBytes;
import dev.weir.server.config.KeyText;
import dev.weir.server.config.ReservedNames;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names keys for operators: as {@code /v1/keys} takes them, or as their HMAC. Long keys are shortened, and those that no path can have
 * are followed by their HMAC, which is that of the key as the store has it. Different keys of a rule have different names, also if
 * clients choose them. The last 1,000 keys that were listed under another name are known by it. Thread-safe.
 */
public final class KeyNames {
    private static final int SECRET_BYTES = 32;
    private static final int HASH_DIGITS = 16;
    private static final int MAX_CHARS = 80;
    private static final int KEPT_CHARS = 60;
    private static final int MOST_LISTED = 1_000;
    private static final Pattern HASH = Pattern.compile("#[0-9a-f]{16}");
    private static final Pattern WITH_HASH = Pattern.compile(".*…#[0-9a-f]{16}", Pattern.DOTALL);

    private final HashFunction hmac;
    private final boolean hashed;
    private final Map<String, String> listed = CacheBuilder.newBuilder() // keys as the store has them, by their names
            .concurrencyLevel(1)
            .maximumSize(MOST_LISTED)
            .<String, String>build()
            .asMap();

    /**
     * How operators see a key, and ask for it.
     *
     * @param key the text to show
     * @param query the query of calls for this key, encoded; null if there are none
     */
    record Name(String key, @Nullable String query) {}

    /**
     * Creates names.
     *
     * @param hashed whether all keys are shown as their HMAC; else only long ones end with it
     * @param secret the secret, or null for a new one
     */
    public KeyNames(boolean hashed, @Nullable String secret) {
        this.hashed = hashed;
        this.hmac =
                Hashing.hmacSha256(secret == null ? random() : ("shown:" + secret).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] random() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /**
     * Returns the name of a key.
     *
     * @param rule the rule that limits it
     * @param key the key as the store has it
     */
    Name of(RuleId rule, String key) {
        if (!rule.limiter().equals(ReservedNames.ENVOY)) {
            return new Name(listed(key, key), query(rule));
        }
        int end = KeyText.endOfDomain(key);
        return end < 0 || !rule.configured()
                ? new Name(shown(key), null)
                : new Name(
                        listed(key, key.substring(end + 1)),
                        "domain=" + encoded(KeyText.unescaped(key.substring(0, end))));
    }

    /** Returns the name of a key, by which it is known from now on; the text is what {@code /v1/keys} takes. */
    private String listed(String key, String text) {
        String name = hashed ? hash(key) : shortened(key, text);
        if (!name.equals(text)) {
            listed.put(name, key);
        }
        return name;
    }

    /** Returns a key as the store has it, or its HMAC, which is also its name in lists. */
    public String shown(String key) {
        return hashed ? hash(key) : key;
    }

    /** Returns the key that was listed under a name; null if it is not known (any more); a text that is no name itself. */
    public @Nullable String resolve(String text) {
        String key = listed.get(text);
        return key == null && !isName(text) ? text : key;
    }

    /** Returns the entries of the descriptor that was listed under a name, as {@link #resolve} does. */
    public @Nullable String resolveEntries(String text) {
        String key = listed.get(text);
        return key == null ? resolve(text) : key.substring(KeyText.endOfDomain(key) + 1);
    }

    private boolean isName(String text) {
        return (hashed ? HASH : WITH_HASH).matcher(text).matches();
    }

    private String shortened(String key, String text) {
        if (text.length() > MAX_CHARS) {
            int end = Character.isHighSurrogate(text.charAt(KEPT_CHARS - 1)) ? KEPT_CHARS - 1 : KEPT_CHARS;
            return inUtf8(text.substring(0, end)) + "…" + hash(key);
        }
        return isInPaths(text) ? text : inUtf8(text) + "…" + hash(key);
    }

    /**
     * Returns whether a path can have a segment that means the text. Clients remove the segments . and .. before they send a path, and
     * one that ends as if by an HMAC may mean another key.
     */
    private static boolean isInPaths(String text) {
        return !text.equals(".")
                && !text.equals("..")
                && inUtf8(text).equals(text)
                && !WITH_HASH.matcher(text).matches();
    }

    /** Returns a text as it arrives in UTF-8: with a question mark for each half of a pair of surrogates. */
    private static String inUtf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private String hash(String key) {
        return "#" + hmac.hashBytes(KeyBytes.of(key)).toString().substring(0, HASH_DIGITS);
    }

    private static @Nullable String query(RuleId rule) {
        if (rule.limiter().isEmpty()) {
            return null;
        } else if (!rule.limiter().equals(ReservedNames.UNNAMED)) {
            return "policy=" + encoded(rule.limiter());
        }
        return rule.limits().list().stream()
                .map(limit -> "limit=" + encoded(limit.toString()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
