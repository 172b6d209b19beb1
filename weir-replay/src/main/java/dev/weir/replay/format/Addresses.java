package dev.weir.replay.format;

import dev.weir.replay.time.Digits;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Recognizes IP addresses, host names and ports in slices of bytes. */
final class Addresses {
    private static final int MAX_HOST_NAME = 253;
    private static final int IPV6_GROUPS = 8;

    /** Words without a dot that logs have in front of a client and that are not clients themselves. */
    private static final Set<String> STRAY_WORDS =
            Set.of("jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun stdout stderr unknown"
                    .concat(" trace debug info notice warn warning error err crit critical alert emerg fatal access")
                    .split(" "));

    private static final int LONGEST_STRAY_WORD = 8;

    private Addresses() {}

    static boolean isAddress(byte[] text, int from, int to) {
        return isIpv4(text, from, to) || isIpv6(text, from, to);
    }

    /** Returns whether the text is four numbers from 0 to 255 with dots between them. */
    static boolean isIpv4(byte[] text, int from, int to) {
        int dots = 0;
        int digits = 0;
        int number = 0;
        for (int at = from; at < to; at++) {
            byte character = text[at];
            if (character == '.') {
                if (digits == 0 || ++dots > 3) {
                    return false;
                }
                digits = 0;
                number = 0;
            } else {
                number = number * 10 + character - '0';
                if (!Digits.isDigit(character) || ++digits > 3 || number > 255) {
                    return false;
                }
            }
        }
        return dots == 3 && digits > 0;
    }

    /**
     * Returns whether the text is groups of hexadecimal digits with colons, perhaps with an IPv4 address at the end and a zone after a
     * percent sign.
     */
    static boolean isIpv6(byte[] text, int from, int to) {
        int end = Bytes.indexOf(text, '%', from, to);
        if (end == to - 1) {
            return false;
        }
        int groups = 0;
        boolean gap = false;
        int at = from;
        while (at < end) {
            if (text[at] == ':' && at + 1 < end && text[at + 1] == ':') {
                if (gap) {
                    return false;
                }
                gap = true;
                at += 2;
                continue;
            }
            if (at > from && text[at - 1] != ':') {
                if (text[at] != ':' || ++at == end) {
                    return false;
                }
            }
            int groupEnd = hexEnd(text, at, end);
            if (groupEnd < end && text[groupEnd] == '.') {
                return isIpv4(text, at, end) && isComplete(groups + 2, gap);
            }
            if (groupEnd == at || groupEnd - at > 4) {
                return false;
            }
            groups++;
            at = groupEnd;
        }
        return isComplete(groups, gap);
    }

    /** Returns whether an address has all groups; a gap stands for one at least. */
    private static boolean isComplete(int groups, boolean gap) {
        return gap ? groups < IPV6_GROUPS : groups == IPV6_GROUPS;
    }

    private static int hexEnd(byte[] text, int from, int to) {
        int at = from;
        while (at < to && Character.digit(text[at], 16) >= 0) {
            at++;
        }
        return at;
    }

    /**
     * Returns whether the text can be a host name: labels of letters, digits, hyphens and underscores, the last of which has a letter.
     * Words that logging systems put in front of lines, such as levels and months, are none.
     */
    static boolean isHostName(byte[] text, int from, int to) {
        if (from == to || to - from > MAX_HOST_NAME || text[from] == '.' || text[from] == '-') {
            return false;
        }
        boolean letter = false; // in the last label
        boolean dots = false;
        int end = text[to - 1] == '.' ? to - 1 : to; // the root's dot
        for (int at = from; at < end; at++) {
            byte character = text[at];
            if (character == '.') {
                if (text[at - 1] == '.') {
                    return false;
                }
                dots = true;
                letter = false;
            } else if (isLetter(character)) {
                letter = true;
            } else if (!Digits.isDigit(character) && character != '-' && character != '_') {
                return false;
            }
        }
        return letter && (dots || !isStrayWord(text, from, end));
    }

    /** Returns whether a host name has at least two labels, the last of which begins with a letter. */
    static boolean hasDomain(byte[] name, int from, int to) {
        int at = name[to - 1] == '.' ? to - 2 : to - 1; // without the root's dot
        while (at >= from && name[at] != '.') {
            at--;
        }
        return at > from && isLetter(name[at + 1]);
    }

    private static boolean isLetter(byte character) {
        int lower = character | 0x20;
        return (lower >= 'a' && lower <= 'z') || character < 0; // negative: a part of a character beyond ASCII
    }

    private static boolean isStrayWord(byte[] text, int from, int to) {
        return to - from <= LONGEST_STRAY_WORD
                && STRAY_WORDS.contains(
                        new String(text, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT));
    }

    /** Returns the index of the colon before a port at the end of the text; {@code from} if there is none. */
    static int portColon(byte[] text, int from, int to) {
        int at = to;
        while (at > from && Digits.isDigit(text[at - 1])) {
            at--;
        }
        boolean port = at < to && to - at <= 5 && at - 1 > from && text[at - 1] == ':';
        return port && Digits.all(text, at, to) <= 0xffff ? at - 1 : from;
    }
}
