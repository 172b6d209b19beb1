package dev.weir.cli;

import dev.weir.replay.ReplayResult.DeniedKey;
import java.util.List;

/**
 * What one limit decided.
 *
 * @param limit the limit as text
 * @param allowed the number of requests allowed
 * @param denied the number of requests denied
 * @param top the keys that were denied most, most denied first; of a server those in its list for all limits, which may be none
 */
record LimitCounts(String limit, long allowed, long denied, List<DeniedKey> top) {
    LimitCounts plus(long moreAllowed, long moreDenied) {
        return new LimitCounts(limit, allowed + moreAllowed, denied + moreDenied, top);
    }

    LimitCounts withTop(List<DeniedKey> keys) {
        return new LimitCounts(limit, allowed, denied, keys);
    }
}
