/** The requests of a log in the order of their times, independent of the format of the log. */
@NullMarked
package dev.weir.replay.trace;

import org.jspecify.annotations.NullMarked;
