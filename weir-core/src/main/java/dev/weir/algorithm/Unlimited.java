package dev.weir.algorithm;

import dev.weir.Limit;

/** The rule of a limit that never denies and remembers nothing. */
final class Unlimited implements Algorithm {
    private final Limit limit;

    Unlimited(Limit limit) {
        this.limit = limit;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public long earliest(Memory memory, long now, long from, long permits) {
        return from;
    }

    @Override
    public boolean canBook(Memory memory, long now, long wait, long permits) {
        return true;
    }

    @Override
    public void book(Memory memory, long now, long wait, long permits) {}

    @Override
    public GiveBack reserve(Memory memory, long now, long wait, long permits) {
        return back -> {};
    }

    @Override
    public long remaining(Memory memory, long now) {
        return Long.MAX_VALUE;
    }

    @Override
    public long resetAfter(Memory memory, long now) {
        return 0;
    }

    @Override
    public boolean adopt(Memory memory, Algorithm before, long now) {
        return before instanceof Unlimited;
    }
}
