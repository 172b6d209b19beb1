/** The command {@code stress}: tests what threads may do at the same time. */
@NullMarked
package dev.weir.stress;

import org.jspecify.annotations.NullMarked;
