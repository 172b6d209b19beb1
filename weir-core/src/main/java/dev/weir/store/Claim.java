package dev.weir.store;

import dev.weir.Limits;

/**
 * What a limiter asks of a store: permits for one key under its limits.
 *
 * @param limiter the limiter's name; the keys of different limiters are different keys
 * @param limits the limits that the key must keep
 * @param key who asks
 * @param permits how much, at least 1
 */
public record Claim(String limiter, Limits limits, String key, long permits) {}
