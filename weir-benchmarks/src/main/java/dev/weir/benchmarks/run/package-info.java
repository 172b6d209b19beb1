/** In which order it is measured, and what came of it. */
@NullMarked
package dev.weir.benchmarks.run;

import org.jspecify.annotations.NullMarked;
