package dev.weir.stress.races;

/**
 * How much is tried before a test is said to hold.
 *
 * @param raceMillis for each race
 * @param scenarios random ones for each model, in addition to its own
 * @param interleavings of each scenario
 * @param hangsMillis after the time of a race, when it is said to hang; Lincheck detects hanging models itself
 */
public record Effort(long raceMillis, int scenarios, int interleavings, long hangsMillis) {}
