package dev.weir.replay.generate;

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
    @Override
    public int compareTo(Hit other) {
        int byEnd = Long.compare(endMillis, other.endMillis);
        return byEnd != 0 ? byEnd : Long.compare(number, other.number);
    }
}
