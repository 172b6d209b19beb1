package dev.weir.server.config;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The units of time in Envoy's messages and in configuration files. A month has 30 days, a year 365. */
public enum LimitUnit {
    SECOND(RateLimit.Unit.SECOND, TimeUnit.SECONDS.toNanos(1)),
    MINUTE(RateLimit.Unit.MINUTE, TimeUnit.MINUTES.toNanos(1)),
    HOUR(RateLimit.Unit.HOUR, TimeUnit.HOURS.toNanos(1)),
    DAY(RateLimit.Unit.DAY, TimeUnit.DAYS.toNanos(1)),
    WEEK(RateLimit.Unit.WEEK, TimeUnit.DAYS.toNanos(7)),
    MONTH(RateLimit.Unit.MONTH, TimeUnit.DAYS.toNanos(30)),
    YEAR(RateLimit.Unit.YEAR, TimeUnit.DAYS.toNanos(365));

    private final RateLimit.Unit shown;
    private final long nanos;

    LimitUnit(RateLimit.Unit shown, long nanos) {
        this.shown = shown;
        this.nanos = nanos;
    }

    /** Returns the unit of a configuration file, in any case. */
    static Optional<LimitUnit> named(String name) {
        return Arrays.stream(values())
                .filter(unit -> unit.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    /** Returns the unit with a number of Envoy's API, which requests and responses share. */
    public static Optional<LimitUnit> numbered(int number) {
        return Arrays.stream(values())
                .filter(unit -> unit.shown.getNumber() == number)
                .findFirst();
    }

    /** Returns how a response shows a window: as the unit of that length, or as unknown if there is none. */
    static RateLimit.Unit shown(long windowNanos) {
        return Arrays.stream(values())
                .filter(unit -> unit.nanos == windowNanos)
                .findFirst()
                .map(unit -> unit.shown)
                .orElse(RateLimit.Unit.UNKNOWN);
    }

    /** Returns the text of a window of this length in a limit. */
    public String window() {
        return TimeUnit.NANOSECONDS.toSeconds(nanos) + "s";
    }
}
