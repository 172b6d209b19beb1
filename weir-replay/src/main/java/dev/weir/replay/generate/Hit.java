package dev.weir.replay.generate;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * One request of a synthetic log.
 *
 * @param number the hit's place among all that were made, which decides between equal times
 * @param startMillis when it began, since the log's beginning; this is the time in the log
 * @param endMillis when it was answered and the line written, so that lines are a little out of order
 * @param client the client's number
 * @param user the authenticated user, or a hyphen
 * @param request method, target and protocol
 * @param status the answer's status
 * @param size the answer's size in bytes, 0 for none
 * @param referer the page it came from, or a dash
 * @param agent the user agent
 */
record Hit(
        long number,
        long startMillis,
        long endMillis,
        int client,
        String user,
        String request,
        int status,
        int size,
        String referer,
        String agent)
        implements Comparable<Hit> {
    private static final LocalDateTime START = LocalDateTime.of(2026, 3, 2, 0, 0); // a Monday
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss '+0000'", Locale.ENGLISH);

    /** Returns the line of the combined log format, in ASCII. */
    String line() {
        String time = START.plus(startMillis, ChronoUnit.MILLIS).format(TIME);
        return Clients.host(client) + " - " + user + " [" + time + "] \"" + request + "\" " + status + " "
                + (size == 0 ? "-" : size) + " \"" + referer + "\" \"" + agent + "\"\n";
    }

    @Override
    public int compareTo(Hit other) {
        int byEnd = Long.compare(endMillis, other.endMillis);
        return byEnd != 0 ? byEnd : Long.compare(number, other.number);
    }
}
