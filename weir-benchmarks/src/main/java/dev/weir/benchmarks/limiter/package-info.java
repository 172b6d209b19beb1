/** The limiters that are measured, all behind one interface. */
@NullMarked
package dev.weir.benchmarks.limiter;

import org.jspecify.annotations.NullMarked;
