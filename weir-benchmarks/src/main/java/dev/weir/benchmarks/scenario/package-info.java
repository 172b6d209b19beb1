/** What is measured: the benchmarks that JMH runs in forks of their own. */
@NullMarked
package dev.weir.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
