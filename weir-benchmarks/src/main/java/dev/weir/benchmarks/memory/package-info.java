/** How much memory limiters take. */
@NullMarked
package dev.weir.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
