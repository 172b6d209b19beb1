package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.Store;
import dev.weir.store.StoreException;

/** Asynchronous operations of a store, waited for; they throw what the future failed with. */
final class Blocking {
    private Blocking() {}

    static Decision peek(Store store, Request request) {
        return Futures.join(store.peekAsync(request));
    }

    static void reset(Store store, Request request) {
        Futures.join(store.resetAsync(request));
    }

    static void block(Store store, Request request, long nanos) {
        Futures.join(store.blockAsync(request, nanos));
    }

    static void unblock(Store store, Request request) {
        Futures.join(store.unblockAsync(request));
    }

    static KeySnapshot inspect(Store store, Request request, int maxRuns) {
        return Futures.join(store.inspectAsync(request, maxRuns));
    }

    /** Returns whether the store answers a peek. */
    static boolean answers(Store store) {
        return answers(store, Request.of("test", Limits.parse("1/1m"), "probe", 1));
    }

    static boolean answers(Store store, Request request) {
        try {
            peek(store, request);
            return true;
        } catch (StoreException notYet) {
            return false;
        }
    }
}
