package dev.weir.benchmarks.promise;

/**
 * What a contestant is.
 *
 * @param title its name
 * @param configuration its configuration for 100 per minute, as code
 * @param clock what its time is
 */
record Label(String title, Library library, String configuration, String clock) {}
