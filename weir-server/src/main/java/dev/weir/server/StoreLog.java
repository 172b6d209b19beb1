package dev.weir.server;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.lang.System.Logger.Level;

/** Logs when the store stops and starts to answer. Keys are not logged. Thread-safe. */
final class StoreLog implements StoreListener {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    @Override
    public void storeDown(StoreException failure) {
        LOG.log(Level.WARNING, "Redis does not answer, the failure policy decides: " + failure.getMessage());
    }

    @Override
    public void storeUp() {
        LOG.log(Level.INFO, "Redis answers again");
    }
}
