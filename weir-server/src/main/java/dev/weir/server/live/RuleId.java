package dev.weir.server.live;

import dev.weir.Limits;

/**
 * The identity of a rule: its decisions are counted as long as this is the same.
 *
 * @param limiter the name of the limiter that holds its state
 * @param name its name for operators
 * @param mode what its denials mean: live, shadow, quota or candidate
 * @param limits its limits
 * @param deniesAll whether it denies everything, whatever its limits are
 * @param configured whether it is a rule of a configuration; else a request brought its limits
 */
public record RuleId(String limiter, String name, String mode, Limits limits, boolean deniesAll, boolean configured) {

    /**
     * Returns the text of a limit.
     *
     * @param limit the position of the limit
     * @return its text
     */
    public String text(int limit) {
        return deniesAll ? "denies everything" : limits.list().get(limit).toString();
    }
}
