package dev.weir.benchmarks.promise;

import dev.weir.Limit;
import dev.weir.benchmarks.promise.Examination.Finding;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Plays traffic for a limiter on a clock that is set to the time of each request. */
final class VirtualTime {
    private static final Limit LIMIT = Limit.parse("100/1m");

    private VirtualTime() {}

    /** Returns the limit. */
    static Limit limit() {
        return LIMIT;
    }

    /**
     * Requests of a limiter what the traffic requests, and returns what it did.
     *
     * @param maker creates the limiter on a clock
     */
    static Finding play(Traffic traffic, Function<AtomicLong, Subject> maker) {
        AtomicLong time = new AtomicLong(traffic.time(0));
        Subject subject = maker.apply(time);
        Examination examination = new Examination(LIMIT);
        for (int request = 0; request < traffic.size(); request++) {
            time.set(traffic.time(request));
            int client = traffic.client(request);
            examination.add(client, traffic.time(request), subject.request(client));
        }
        return examination.finding();
    }
}
