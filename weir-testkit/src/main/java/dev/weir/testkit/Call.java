package dev.weir.testkit;

import dev.weir.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a {@link History}, for the message of a failure. Its text is made when it is needed.
 *
 * @param at when, in ticks since the start
 * @param limiter the name of the limiter, if the call is for one
 * @param what the method
 * @param number the number of permits, or the ticks of a block, or 0
 * @param maxWait the longest wait in ticks, or 0
 * @param limits those of each limiter
 * @param answer what it returned; null if nothing
 */
record Call(
        long at,
        String limiter,
        String what,
        long number,
        long maxWait,
        List<Limits> limits,
        @Nullable Object answer) {

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(at).append(": ");
        text.append(limits.size() > 1 ? "both" : limiter).append(' ').append(what);
        text.append(number > 0 ? " " + number : "").append(maxWait > 0 ? ", a wait of at most " + maxWait : "");
        for (Limits each : limits) {
            text.append(", ").append(each);
        }
        return text.append(answer == null ? "" : ": " + answer).toString();
    }
}
