package dev.weir.replay;

/**
 * The waits of the requests that a leaky bucket admitted.
 *
 * @param delayed the number of requests that were admitted after a wait
 * @param maxWaitMillis the longest of these waits in milliseconds, rounded up; 0 if there were none
 */
public record Delays(long delayed, long maxWaitMillis) {}
