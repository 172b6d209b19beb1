package dev.weir.replay.format;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of the client in a forwarded list of addresses: the {@code number}-th entry from one end, counted from 1. A
 * single address is a list with one entry.
 *
 * <p>In {@code 203.0.113.9, 198.51.100.7, 10.0.0.1}, {@code first} is 203.0.113.9, {@code last} and {@code 1-from-right} are
 * 10.0.0.1, and {@code 2-from-right} is 198.51.100.7. Every proxy appends the address that it received the request from, and
 * clients can send any list of their own, so only the entries that your own proxies appended can be trusted.
 *
 * @param fromRight whether the last entry is number 1; otherwise the first is
 * @param number the entry's number, at least 1
 */
public record ClientChoice(boolean fromRight, int number) {
    /** The first entry, which clients can forge. */
    public static final ClientChoice FIRST = new ClientChoice(false, 1);
    /** The last entry, which the proxy nearest to the server appended. */
    public static final ClientChoice LAST = new ClientChoice(true, 1);

    private static final Pattern FROM_RIGHT = Pattern.compile("([1-9]\\d{0,3})-from-right");

    /**
     * Creates a choice.
     *
     * @param fromRight whether the last entry is number 1; otherwise the first is
     * @param number the entry's number, at least 1
     * @throws IllegalArgumentException if the number is less than 1
     */
    public ClientChoice {
        if (number < 1) {
            throw new IllegalArgumentException("client number must be at least 1, was " + number);
        }
    }

    /**
     * Parses a choice in the syntax of the command line.
     *
     * @param text {@code first}, {@code last} or {@code N-from-right}, where N is 1 to 9999
     * @return the choice
     * @throws IllegalArgumentException if the text is not a choice; the message lists the accepted forms
     */
    public static ClientChoice parse(String text) {
        Matcher numbered = FROM_RIGHT.matcher(text);
        if (numbered.matches()) {
            return new ClientChoice(true, Integer.parseInt(numbered.group(1)));
        }
        return switch (text) {
            case "first" -> FIRST;
            case "last" -> LAST;
            default ->
                throw new IllegalArgumentException(
                        "client must be first, last or N-from-right such as 2-from-right, counted from 1, was '" + text
                                + "'");
        };
    }

    /** Returns the index of the chosen entry in a list of the given size, or -1 if the list is too short. */
    int index(int size) {
        if (number > size) {
            return -1;
        }
        return fromRight ? size - number : number - 1;
    }

    /**
     * {@return the choice in the syntax of {@link #parse}; {@code N-from-left} if it is another entry from the left, for which
     * that syntax has no form}
     */
    @Override
    public String toString() {
        return fromRight
                ? number == 1 ? "last" : number + "-from-right"
                : number == 1 ? "first" : number + "-from-left";
    }
}
