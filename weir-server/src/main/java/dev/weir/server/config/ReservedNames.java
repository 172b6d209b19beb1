package dev.weir.server.config;

import java.util.Set;

/** The names of limiters that no policy may have. */
public final class ReservedNames {
    /** The limiter for Envoy's descriptors. */
    public static final String ENVOY = "envoy";

    /** The limiter for requests that bring their own limits. */
    public static final String UNNAMED = "default";

    /** The limiter for candidates. */
    public static final String CANDIDATE = "candidate";

    /** All of them. */
    static final Set<String> ALL = Set.of(ENVOY, UNNAMED, CANDIDATE);

    private ReservedNames() {}
}
