/** Two threads at once, as jcstress runs them. */
@NullMarked
package dev.weir.stress.races;

import org.jspecify.annotations.NullMarked;
