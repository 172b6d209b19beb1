/** Parsers for the times in logs. */
@NullMarked
package dev.weir.replay.time;

import org.jspecify.annotations.NullMarked;
