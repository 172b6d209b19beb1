/** Operations of two threads at the same time. */
@NullMarked
package dev.weir.stress.races;

import org.jspecify.annotations.NullMarked;
