package dev.weir.benchmarks.run;

/**
 * What one fork measured.
 *
 * @param nanos the time of a call
 * @param bytes allocated in a call
 * @param allowed how many requests passed
 * @param denied how many did not
 */
public record Sample(double nanos, double bytes, long allowed, long denied) {}
