package dev.weir.replay.format;

/** The request that a parser found in one line. One instance is reused for every line. The key is a slice, not a copy. */
final class Request {
    long timeNanos;
    long permits;
    byte[] key = {};
    int keyFrom;
    int keyTo;

    void key(byte[] bytes, int from, int to) {
        key = bytes;
        keyFrom = from;
        keyTo = to;
    }
}
