/**
 * The replay of a {@link dev.weir.replay.trace.Trace} against limits. {@link dev.weir.replay.format} reads a trace from a log,
 * {@link dev.weir.replay.generate} writes synthetic logs.
 */
@NullMarked
package dev.weir.replay;

import org.jspecify.annotations.NullMarked;
