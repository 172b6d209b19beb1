package dev.weir.replay;

/**
 * How long the admitted requests of a queue waited.
 *
 * @param delayed the requests that were admitted but had to wait
 * @param maxWaitMillis the longest of these waits, rounded up to milliseconds
 */
public record Delays(long delayed, long maxWaitMillis) {}
