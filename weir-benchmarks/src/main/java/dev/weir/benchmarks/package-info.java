/** The command {@code bench}: measures Weir with its peers beside it. */
@NullMarked
package dev.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
