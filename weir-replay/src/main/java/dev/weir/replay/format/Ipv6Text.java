package dev.weir.replay.format;

/**
 * The canonical text of an IPv6 address (RFC 5952): lower case, no leading zeros, the longest run of zeros as {@code ::}. An
 * IPv4-mapped address becomes the IPv4 address. A zone is kept as it is. Reused from line to line.
 */
final class Ipv6Text {
    private static final int GROUPS = 8;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private final int[] groups = new int[GROUPS];
    private byte[] bytes = new byte[64];
    private int length;

    /** Returns the bytes that the latest call of {@link #write} filled. */
    byte[] bytes() {
        return bytes;
    }

    /** Writes the address in the bytes {@code from} to {@code to}, which must be valid, and returns its length. */
    int write(byte[] text, int from, int to) {
        int end = Bytes.indexOf(text, '%', from, to);
        bytes = new byte[64 + to - end];
        length = 0;
        read(text, from, end);
        if (isMapped()) {
            ipv4(groups[6], groups[7]);
        } else {
            ipv6();
        }
        System.arraycopy(text, end, bytes, length, to - end);
        return length + to - end;
    }

    private void read(byte[] text, int from, int to) {
        int count = 0;
        int gap = -1;
        int at = from;
        while (at < to) {
            if (text[at] == ':') {
                boolean twice = at + 1 < to && text[at + 1] == ':';
                gap = twice ? count : gap;
                at += twice ? 2 : 1;
                continue;
            }
            int end = Bytes.indexOf(text, ':', at, to);
            if (Bytes.indexOf(text, '.', at, end) < end) {
                count = readIpv4(text, at, end, count);
            } else {
                groups[count++] = hex(text, at, end);
            }
            at = end;
        }
        spread(count, gap);
    }

    private int readIpv4(byte[] text, int from, int to, int count) {
        int address = 0;
        int number = 0;
        for (int at = from; at < to; at++) {
            if (text[at] == '.') {
                address = (address << 8) | number;
                number = 0;
            } else {
                number = number * 10 + text[at] - '0';
            }
        }
        address = (address << 8) | number;
        groups[count] = address >>> 16;
        groups[count + 1] = address & 0xffff;
        return count + 2;
    }

    private static int hex(byte[] text, int from, int to) {
        int value = 0;
        for (int at = from; at < to; at++) {
            value = (value << 4) | Character.digit(text[at], 16);
        }
        return value;
    }

    /** Fills the gap with zeros. */
    private void spread(int count, int gap) {
        int missing = GROUPS - count;
        if (missing == 0) {
            return;
        }
        for (int i = GROUPS - 1; i >= gap; i--) {
            groups[i] = i - missing >= gap ? groups[i - missing] : 0;
        }
    }

    private boolean isMapped() {
        return zerosFrom(0) == 5 && groups[5] == 0xffff;
    }

    private int zerosFrom(int first) {
        int at = first;
        while (at < GROUPS && groups[at] == 0) {
            at++;
        }
        return at - first;
    }

    private void ipv6() {
        int gap = longestRun();
        int gapEnd = gap + zerosFrom(gap);
        boolean hasGap = gapEnd - gap > 1;
        for (int i = 0; i < GROUPS; i++) {
            if (hasGap && i >= gap && i < gapEnd) {
                if (i == gap) {
                    put(':');
                    put(':');
                }
            } else {
                if (i > 0 && !(hasGap && i == gapEnd)) {
                    put(':');
                }
                hexadecimal(groups[i]);
            }
        }
    }

    /** Returns where the longest run of zeros begins, the first of several. */
    private int longestRun() {
        int best = 0;
        for (int i = 1; i < GROUPS; i++) {
            best = zerosFrom(i) > zerosFrom(best) ? i : best;
        }
        return best;
    }

    private void hexadecimal(int group) {
        for (int shift = 12; shift >= 0; shift -= 4) {
            if (group >>> shift != 0 || shift == 0) {
                put(HEX[(group >>> shift) & 0xf]);
            }
        }
    }

    private void ipv4(int high, int low) {
        decimal(high >>> 8);
        put('.');
        decimal(high & 0xff);
        put('.');
        decimal(low >>> 8);
        put('.');
        decimal(low & 0xff);
    }

    private void decimal(int number) {
        if (number >= 100) {
            put('0' + number / 100);
        }
        if (number >= 10) {
            put('0' + number / 10 % 10);
        }
        put('0' + number % 10);
    }

    private void put(int character) {
        bytes[length++] = (byte) character;
    }
}
