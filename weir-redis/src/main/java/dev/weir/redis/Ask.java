package dev.weir.redis;

import dev.weir.store.Claim;
import java.util.List;

/** One request to the server: permits for all of its claims or for none. */
interface Ask {
    /** What is asked for. Asks of one group are alike in limiters, limits and keys. */
    List<Claim> claims();

    /** The longest wait that will do. */
    long maxWaitNanos();
}
