package dev.weir;

import java.util.List;

/** The limit that never denies; see {@link Limit#unlimited}. */
public final class UnlimitedLimit extends Limit {
    private static final long WINDOW_NANOS = 1_000_000_000; // 1 s; no rate depends on it

    static final UnlimitedLimit UNNAMED = new UnlimitedLimit("");

    private UnlimitedLimit(String name) {
        super(name, Long.MAX_VALUE, WINDOW_NANOS);
    }

    @Override
    public UnlimitedLimit named(String name) {
        return new UnlimitedLimit(name);
    }

    @Override
    UnlimitedLimit share(double share) {
        return this;
    }

    @Override
    Object options() {
        return List.of();
    }
}
