package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import java.util.List;

/** The connections of a contestant to the server. */
interface RemoteClient extends AutoCloseable {

    /** A limiter of these keys, with all made ready that is made once for a key. */
    RemoteLimiter limiter(Limit limit, List<String> keys);

    @Override
    void close();
}
