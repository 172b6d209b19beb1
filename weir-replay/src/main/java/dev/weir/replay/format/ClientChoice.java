package dev.weir.replay.format;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of the client in a forwarded list of addresses. A single address is a list with one entry. Immutable.
 *
 * <p>In {@code 203.0.113.9, 198.51.100.7, 10.0.0.1}, {@code first} is 203.0.113.9, {@code last} and {@code 1-from-right} are
 * 10.0.0.1, and {@code 2-from-right} is 198.51.100.7. Every proxy appends the address that it received the request from, and
 * clients can send any list of their own, so only the entries that your own proxies appended can be trusted.
 */
public final class ClientChoice {
    private static final Pattern FROM_RIGHT = Pattern.compile("([1-9]\\d{0,3})-from-right");

    private final int fromRight; // 1 is the last entry; 0 stands for the first

    private ClientChoice(int fromRight) {
        this.fromRight = fromRight;
    }

    /** {@return the choice of the first entry, which clients can forge} */
    public static ClientChoice first() {
        return new ClientChoice(0);
    }

    /**
     * Returns the choice of an entry counted from the right.
     *
     * @param number the entry's number; 1 is the last, which the proxy nearest to the server appended
     * @return the choice
     * @throws IllegalArgumentException if the number is less than 1
     */
    public static ClientChoice fromRight(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("client number must be at least 1, was " + number);
        }
        return new ClientChoice(number);
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
            return fromRight(Integer.parseInt(numbered.group(1)));
        }
        return switch (text) {
            case "first" -> first();
            case "last" -> fromRight(1);
            default ->
                throw new IllegalArgumentException(
                        "client must be first, last or N-from-right such as 2-from-right, counted from 1, was '" + text
                                + "'");
        };
    }

    /** Returns the index of the chosen entry in a list of the given size, or -1 if the list is too short. */
    int index(int size) {
        return fromRight == 0 ? 0 : Math.max(-1, size - fromRight);
    }

    /** {@return the choice in the syntax of {@link #parse}} */
    @Override
    public String toString() {
        return switch (fromRight) {
            case 0 -> "first";
            case 1 -> "last";
            default -> fromRight + "-from-right";
        };
    }
}
