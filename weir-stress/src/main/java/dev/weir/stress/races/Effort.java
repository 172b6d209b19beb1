package dev.weir.stress.races;

/**
 * The effort after which a test counts as passed.
 *
 * @param raceMillis for each race
 * @param scenarios random ones for each model, in addition to its own
 * @param interleavings of each scenario
 */
public record Effort(long raceMillis, int scenarios, int interleavings) {}
