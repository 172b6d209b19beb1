package dev.weir.algorithm;

/** The windows of a fixed window with more than one: starts and counts. */
final class Windows extends Runs {
    Windows() {}

    private Windows(Windows other) {
        super(other);
    }

    @Override
    Windows copy() {
        return new Windows(this);
    }
}
