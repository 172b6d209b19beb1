package dev.weir.algorithm;

import java.math.BigInteger;

/** Arithmetic without overflow: of instants, and of {@code a * b / c} for numbers of 0 or more and {@code c} of 1 or more. */
final class LongMath {
    private LongMath() {}

    /** Returns the quotient, rounded down; {@link Long#MAX_VALUE} if it is larger. */
    static long quotient(long a, long b, long c) {
        long product = a * b;
        if (Math.multiplyHigh(a, b) == 0 && product >= 0) {
            return product / c;
        }
        BigInteger quotient =
                BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divide(BigInteger.valueOf(c));
        return quotient.bitLength() > 63 ? Long.MAX_VALUE : quotient.longValue();
    }

    /** Returns the later of two instants. */
    static long later(long one, long other) {
        return one - other >= 0 ? one : other;
    }

    /** Returns the earlier of two instants. */
    static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }
}
