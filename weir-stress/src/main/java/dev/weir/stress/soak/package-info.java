/** A long run of many threads, keys and limits, with a check of every decision. */
@NullMarked
package dev.weir.stress.soak;

import org.jspecify.annotations.NullMarked;
