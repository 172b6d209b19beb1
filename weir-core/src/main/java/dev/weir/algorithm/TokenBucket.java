package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * The token bucket: permits are tokens, a full bucket holds {@code burst} of them, and it refills evenly, N a window. The
 * tokens are not counted; the instant at which the bucket is full again says the same exactly.
 *
 * <p><b>Promise:</b> over any span s at most {@code burst + floor(N x s / window)} permits. <b>Weakness:</b> so up to
 * 2N - 1 in one window with the default burst of N: a full bucket, and what refills meanwhile. <b>A denial takes</b> nothing.
 * <b>Memory:</b> one instant with its fraction. <b>Cost:</b> constant.
 */
final class TokenBucket extends VirtualSchedule {

    TokenBucket(Limit limit) {
        super(limit, limit.accounting().burst());
    }
}
