package dev.weir.benchmarks.promise;

/** A limiter of clients, by number, that is put to the test. Not thread-safe. */
interface Subject {
    /** The answer to a request that is denied. */
    long DENIED = -1;

    /** Requests one permit. Returns the wait in nanoseconds, 0 if the permit is granted now, or {@link #DENIED}. */
    long request(int client);
}
