/** What the server takes from the throughput of its framework, and how it behaves under load. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks.server;
