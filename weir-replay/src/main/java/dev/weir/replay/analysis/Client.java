package dev.weir.replay.analysis;

import java.util.List;

/**
 * One key in detail.
 *
 * @param key its text
 * @param requests the number of its requests
 * @param demand the most permits that it requests in any window of the first limit
 * @param denied the number of its denied requests, for each limit
 * @param whole its requests on the axis of the traffic, as the first limit decided
 * @param busiest the stretch with most of its requests, as the first limit decided
 */
public record Client(String key, long requests, long demand, List<Long> denied, Timeline whole, Timeline busiest) {
    /** Copies the list. */
    public Client {
        denied = List.copyOf(denied);
    }
}
