package dev.weir.server.config;

import dev.weir.Limit;
import dev.weir.Limits;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a configuration: what limits the requests for a policy, or the descriptors that match the rule. Immutable.
 *
 * @param limiter the name of the limiter that holds its state
 * @param path its name in metrics and messages: that of a policy, or where the rule is, such as {@code edge.remote_address}
 * @param limits the limits
 * @param denies whether it denies everything, as a limit of zero requests does; its limits are then never met
 * @param shown how a response shows the limit, with the name by which other rules replace it
 * @param replaces the names of rules that do not apply to a request that matches this one
 * @param mode what its denials mean
 * @param candidate limits to compare it with, or null
 */
public record Rule(
        String limiter,
        String path,
        Limits limits,
        boolean denies,
        RateLimit shown,
        Set<String> replaces,
        Mode mode,
        @Nullable Limits candidate) {
    /** The path of all rules that descriptors bring themselves; those of a configuration have dots. */
    public static final String OVERRIDE = "override";

    private static final Limits UNLIMITED = Limits.of(Limit.unlimited());
    private static final Limits ONE = Limits.parse("1/1s");
    private static final long MORE_THAN_ONE = 2;

    /** What a denial by a rule means for the request. */
    public enum Mode {
        /** The request is denied. */
        LIVE,
        /** Nothing; it is counted. */
        SHADOW,
        /** The request is denied if all rules of this mode deny it. */
        QUOTA;

        private final String text = name().toLowerCase(Locale.ROOT);

        /** Returns the mode as operators see it. */
        public String text() {
            return text;
        }
    }

    /** Copies the names. */
    public Rule {
        replaces = Set.copyOf(replaces);
    }

    /** Returns the rule of a policy. */
    public static Rule ofPolicy(String name, Limits limits, @Nullable Limits candidate) {
        return new Rule(name, name, limits, false, RateLimit.getDefaultInstance(), Set.of(), Mode.LIVE, candidate);
    }

    /** Returns a rule that allows everything. */
    static Rule unlimited(String path, String name, Set<String> replaces, Mode mode) {
        RateLimit shown = RateLimit.newBuilder().setName(name).build();
        return new Rule(ReservedNames.ENVOY, path, UNLIMITED, false, shown, replaces, mode, null);
    }

    /** Returns a rule without a candidate. It denies everything if the limit that is shown is one of zero requests. */
    public static Rule limited(String path, Limits limits, RateLimit shown, Set<String> replaces, Mode mode) {
        boolean denies = shown.getRequestsPerUnit() == 0;
        return new Rule(ReservedNames.ENVOY, path, denies ? ONE : limits, denies, shown, replaces, mode, null);
    }

    /** Returns this rule with a candidate. */
    Rule comparedWith(Limits tried) {
        return new Rule(limiter, path, limits, denies, shown, replaces, mode, tried);
    }

    /** Returns the name by which other rules replace it, or empty. */
    public String name() {
        return shown.getName();
    }

    public boolean isUnlimited() {
        return limits.equals(UNLIMITED);
    }

    /** Returns the number of permits that stand for a number of hits: of a rule that denies everything, more than it ever grants. */
    public long permits(long hits) {
        return denies ? MORE_THAN_ONE : hits;
    }
}
