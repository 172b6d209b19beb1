package dev.weir.redis;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.util.List;

/** Adds {@code down: REASON} and {@code up} to a list when a store fails and answers again. */
record StoreEvents(List<String> events) implements StoreListener {
    @Override
    public void storeDown(StoreException failure) {
        events.add("down: " + failure.getMessage());
    }

    @Override
    public void storeUp() {
        events.add("up");
    }
}
