/** A long run of many threads, keys and limits, with a checker over every decision. */
@NullMarked
package dev.weir.stress.soak;

import org.jspecify.annotations.NullMarked;
