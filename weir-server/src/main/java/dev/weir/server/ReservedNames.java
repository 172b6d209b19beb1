package dev.weir.server;

import java.util.Set;

/** The names of limiters that no policy may have. */
final class ReservedNames {
    /** The limiter for Envoy's descriptors. */
    static final String ENVOY = "envoy";

    /** The limiter for requests that bring their own limits. */
    static final String UNNAMED = "default";

    /** The limiter for candidates. */
    static final String CANDIDATE = "candidate";

    /** All of them. */
    static final Set<String> ALL = Set.of(ENVOY, UNNAMED, CANDIDATE);

    private ReservedNames() {}
}
