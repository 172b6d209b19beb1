package dev.weir.algorithm;

/**
 * {@code a x b / c} without overflow on the way, for numbers of 0 or more and {@code c} of 1 or more: a multiplication and
 * a division where the product fits in 63 bits, long division bit by bit where it does not.
 */
final class Wide {
    private Wide() {}

    /** The quotient, rounded down; {@link Long#MAX_VALUE} if it is larger than that. */
    static long divide(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == 0 && low >= 0) {
            return low / c;
        }
        return high >= c ? Long.MAX_VALUE : saturated(quotient(high, low, c));
    }

    /** The remainder. */
    static long remainder(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == 0 && low >= 0) {
            return low % c;
        }
        return rest(high % c, low, c);
    }

    private static long saturated(long quotient) {
        return quotient < 0 ? Long.MAX_VALUE : quotient;
    }

    /** The 128 bits of high and low divided by c, bit by bit; high is below c. */
    private static long quotient(long high, long low, long c) {
        long rest = high;
        long quotient = 0;
        for (int bit = 63; bit >= 0; bit--) {
            rest = shifted(rest, low, bit);
            quotient <<= 1;
            if (Long.compareUnsigned(rest, c) >= 0) {
                rest -= c;
                quotient |= 1;
            }
        }
        return quotient;
    }

    private static long rest(long high, long low, long c) {
        long rest = high;
        for (int bit = 63; bit >= 0; bit--) {
            rest = shifted(rest, low, bit);
            rest = Long.compareUnsigned(rest, c) >= 0 ? rest - c : rest;
        }
        return rest;
    }

    /** The rest, below 2^63, with the next bit behind it: unsigned. */
    private static long shifted(long rest, long low, int bit) {
        return (rest << 1) | ((low >>> bit) & 1);
    }
}
