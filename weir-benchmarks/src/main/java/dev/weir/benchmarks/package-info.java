/** The command {@code bench}: measures Weir and its peers. */
@NullMarked
package dev.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
