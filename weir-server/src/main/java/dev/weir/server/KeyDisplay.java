package dev.weir.server;

import dev.weir.server.live.KeyNames;
import dev.weir.server.live.RuleId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names keys for operators: as {@code /v1/keys} takes them. Thread-safe. */
final class KeyDisplay implements KeyNames {

    @Override
    public Name of(RuleId rule, String key) {
        if (!rule.limiter().equals(Limiters.ENVOY)) {
            return new Name(key, query(rule));
        }
        int end = KeyText.endOfDomain(key);
        return end < 0 || rule.name().equals(Overrides.PATH)
                ? new Name(key, null)
                : new Name(key.substring(end + 1), "domain=" + encoded(KeyText.unescaped(key.substring(0, end))));
    }

    private static @Nullable String query(RuleId rule) {
        if (rule.limiter().isEmpty()) {
            return null;
        } else if (!rule.limiter().equals(Limiters.UNNAMED)) {
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
