package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.Store;

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
}
