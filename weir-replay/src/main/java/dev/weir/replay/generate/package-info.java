/** Synthetic access logs. */
@NullMarked
package dev.weir.replay.generate;

import org.jspecify.annotations.NullMarked;
