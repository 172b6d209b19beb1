/** The command {@code stress}: has threads do to each other what they may. */
@NullMarked
package dev.weir.stress;

import org.jspecify.annotations.NullMarked;
