package dev.weir.replay.format;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The canonical text of an IP address: no leading zeros, and an IPv6 address as in RFC 5952, lower case, with the longest run of
 * zeros as {@code ::}. An IPv4-mapped address becomes the IPv4 address. A zone is kept as it is.
 */
final class AddressText {
    private static final Pattern LEADING_ZEROS = Pattern.compile("(?<![0-9A-Fa-f])0+(?=[0-9A-Fa-f])");
    private static final Pattern ZEROS = Pattern.compile("\\b0(?::0)+\\b");

    private AddressText() {}

    /** Returns the canonical text of the address in the bytes {@code from} to {@code to}, which must be valid. */
    static byte[] canonical(byte[] text, int from, int to) {
        int end = Bytes.indexOf(text, '%', from, to);
        String padded = new String(text, from, end - from, StandardCharsets.ISO_8859_1);
        String address = LEADING_ZEROS.matcher(padded).replaceAll("");
        if (address.indexOf(':') < 0) {
            return address.getBytes(StandardCharsets.ISO_8859_1);
        }
        String zone = new String(text, end, to - end, StandardCharsets.ISO_8859_1);
        try {
            // The JDK looks nothing up that has a colon. It writes all eight groups, and an IPv4-mapped address as
            // IPv4.
            String groups = InetAddress.getByName(address).getHostAddress();
            return (shortened(groups) + zone).getBytes(StandardCharsets.ISO_8859_1);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an IPv6 address: " + address, e);
        }
    }

    /** Replaces the longest run of zeros, the first of several. */
    private static String shortened(String groups) {
        int from = 0;
        int to = 0;
        Matcher run = ZEROS.matcher(groups);
        while (run.find()) {
            if (run.end() - run.start() > to - from) {
                from = run.start();
                to = run.end();
            }
        }
        if (to == 0) {
            return groups;
        }
        String before = from == 0 ? ":" : groups.substring(0, from);
        String after = to == groups.length() ? ":" : groups.substring(to);
        return before + after;
    }
}
