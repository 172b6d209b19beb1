package dev.weir.spring;

import dev.weir.FailurePolicy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads failure policies. */
final class FailurePolicies {
    private static final Pattern LOCAL = Pattern.compile("local\\(\\s*([0-9]*\\.?[0-9]+)\\s*\\)");

    private FailurePolicies() {}

    /**
     * Returns the policy of a text.
     *
     * @param text open, closed, local or local(share)
     * @throws IllegalArgumentException if it is none of these, or the share is out of range
     */
    static FailurePolicy parse(String text) {
        return switch (text.strip()) {
            case "open" -> FailurePolicy.open();
            case "closed" -> FailurePolicy.closed();
            case "local" -> FailurePolicy.local(1);
            default -> FailurePolicy.local(share(text));
        };
    }

    private static double share(String text) {
        Matcher local = LOCAL.matcher(text.strip());
        if (!local.matches()) {
            throw new IllegalArgumentException(
                    "must be open, closed, local or a share such as local(0.25), was '" + text + "'");
        }
        return Double.parseDouble(local.group(1));
    }
}
