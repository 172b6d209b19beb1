package dev.weir.stress.races;

/**
 * The effort after which a test counts as passed.
 *
 * @param raceMillis for each race
 * @param scenarios random ones for each model, in addition to its own
 * @param interleavings of each scenario
 * @param hangsMillis after the time of a race, after which it counts as hanging; Lincheck detects hanging models itself
 */
public record Effort(long raceMillis, int scenarios, int interleavings, long hangsMillis) {}
