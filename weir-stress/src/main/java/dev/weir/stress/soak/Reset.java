package dev.weir.stress.soak;

/**
 * A key was reset by a call that ran from {@code start} to {@code end}.
 *
 * @param log one of the key's logs
 */
record Reset(KeyLog log, long start, long end) {}
