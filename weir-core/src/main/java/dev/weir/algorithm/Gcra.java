package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * The generic cell rate algorithm: requests evenly spaced, with room for a burst.
 *
 * <p><b>Promise:</b> over any span s at most {@code burst + floor(N x s / window)} permits; with a burst of 1, at most N in
 * every window. <b>Weakness:</b> with a larger burst up to {@code N + burst - 1} in one window. <b>A denial takes</b>
 * nothing. <b>Memory:</b> one instant with its fraction. <b>Cost:</b> constant.
 */
final class Gcra extends VirtualSchedule {

    Gcra(Limit limit) {
        super(limit, limit.accounting().burst());
    }
}
