package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Products of two longs divided by a third, against numbers without bound. */
class LongMathTest {
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    @Test
    void divideAndRemainder_anySizes_areExactOrSaturate() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 200_000; i++) {
            check(any(random), any(random), Math.max(1, any(random)));
        }
        check(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
        check(Long.MAX_VALUE, Long.MAX_VALUE, 1);
        check(Long.MAX_VALUE, 2, 2);
        check(0, Long.MAX_VALUE, 1);
    }

    private static long any(SplittableRandom random) {
        return random.nextLong() >>> 1 >>> random.nextInt(63);
    }

    private static void check(long a, long b, long c) {
        BigInteger[] exact =
                BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divideAndRemainder(BigInteger.valueOf(c));

        assertThat(LongMath.quotient(a, b, c)).isEqualTo(exact[0].min(MAX).longValueExact());
    }
}
