/**
 * Replay of logs: reads the requests of an access log into a {@link dev.weir.replay.Trace}, replays them against limits with
 * {@link dev.weir.replay.Replay}, and writes synthetic logs with {@link dev.weir.replay.LogGenerator}.
 */
@NullMarked
package dev.weir.replay;

import org.jspecify.annotations.NullMarked;
