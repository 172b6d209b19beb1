/** The formats of logs: {@link dev.weir.replay.format.LogReader} reads a log into a trace. */
@NullMarked
package dev.weir.replay.format;

import org.jspecify.annotations.NullMarked;
