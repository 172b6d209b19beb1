/** Limiters in the memory of this JVM: their time by JMH, their bytes by JOL. */
@NullMarked
package dev.weir.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
