package dev.weir.replay.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * A number since the epoch, whose unit follows from its size: below 100 thousand million it is seconds (up to the year 5138),
 * and with every three digits more milliseconds, microseconds, nanoseconds. A fraction is read to the nanosecond.
 */
final class EpochTime implements TimeParser {
    private static final long MAX_SECONDS = 100_000_000_000L;
    private static final int MAX_DIGITS = 19; // of a long
    private static final int MAX_LENGTH = 64;

    @Override
    public long parse(byte[] text, int from, int to) {
        long whole = Digits.all(text, from, to);
        return whole < 0 ? parseDecimal(text, from, to) : nanos(whole);
    }

    private static long nanos(long number) {
        if (number < MAX_SECONDS) {
            return nanos(number, 1);
        } else if (number < MAX_SECONDS * 1_000) {
            return nanos(number, 1_000);
        } else if (number < MAX_SECONDS * 1_000_000) {
            return nanos(number, 1_000_000);
        }
        return number;
    }

    private static long nanos(long number, long perSecond) {
        return Nanos.of(number / perSecond, number % perSecond * (Nanos.PER_SECOND / perSecond));
    }

    /** Signs, fractions and exponents, which are rare. */
    private static long parseDecimal(byte[] text, int from, int to) {
        if (to - from > MAX_LENGTH) {
            return NOT_A_TIME;
        }
        BigDecimal number;
        try {
            number = new BigDecimal(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            return NOT_A_TIME;
        }
        long magnitude = (long) number.precision() - number.scale(); // digits before the point
        if (magnitude < -MAX_LENGTH) {
            return NOT_A_TIME; // an exponent that no clock writes, and that would take an age to expand
        } else if (magnitude > MAX_DIGITS) {
            return OUT_OF_RANGE;
        }
        int toNanos = magnitude <= 11 ? 9 : magnitude <= 14 ? 6 : magnitude <= 17 ? 3 : 0;
        BigInteger nanos = number.scaleByPowerOfTen(toNanos)
                .setScale(0, RoundingMode.FLOOR)
                .toBigInteger();
        return nanos.signum() < 0 || nanos.bitLength() > 63 ? OUT_OF_RANGE : nanos.longValue();
    }
}
