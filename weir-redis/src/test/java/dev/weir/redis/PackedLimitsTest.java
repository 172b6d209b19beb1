package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Limits;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The encoding of limits for scripts. A part of it is the prefix of stored states, so it must not change. */
final class PackedLimitsTest {
    private static final int LENGTH = 43;
    private static final int PREFIX = 30;

    private static byte[] packed(String... limits) {
        return PackedLimits.of(Limits.parse(limits));
    }

    private static long number(byte[] packed, int at, int bytes) {
        return new BigInteger(1, packed, at, bytes).longValueExact();
    }

    @ParameterizedTest
    @CsvSource({
        "10/1m,                           1, 60000000, 10, 1000,    0, 10, 1",
        "10/1m margin=5s,                 1, 65000000, 10, 1000,    0, 10, 1",
        "10/1500ns margin=500ns,          1, 3,        10, 1,       0, 10, 1",
        "10/1m resolution=1s,             1, 60000000, 10, 1000000, 0, 10, 1",
        "10/1m count=attempts,            1, 60000000, 10, 1000,    1, 10, 9",
        "sliding-window 10/1m,            2, 60000000, 10, 1000000, 0, 10, 2",
        "sliding-window 10/1m estimate=classic, 2, 60000000, 10, 1000000, 2, 10, 2",
        "fixed-window 10/1m,              3, 60000000, 10, 1,       0, 10, 3",
        "fixed-window 10/1m align=first,  3, 60000000, 10, 1,       4, 10, 3",
        "fixed-window 9007199254740991/1s, 3, 1000000, 9007199254740991, 1, 0, 9007199254740991, 3",
        "token-bucket 10/1m burst=3,      4, 60000000, 10, 1,       0, 3,  4",
        "leaky-bucket 10/1m,              5, 60000000, 10, 1,       8, 10, 5",
        "gcra 10/1m burst=4,              6, 60000000, 10, 1,       0, 4,  6"
    })
    void of_anyLimit_encodesItsNumbers(
            String limit, long kind, long window, long permits, long tick, long flags, long burst, long stored) {
        byte[] packed = packed(limit);

        assertThat(packed).hasSize(1 + LENGTH);
        assertThat(number(packed, 0, 1)).as("limits").isEqualTo(1);
        assertThat(number(packed, 1, 1)).as("kind").isEqualTo(kind);
        assertThat(number(packed, 2, 7)).as("window").isEqualTo(window);
        assertThat(number(packed, 9, 7)).as("permits").isEqualTo(permits);
        assertThat(number(packed, 16, 7)).as("tick").isEqualTo(tick);
        assertThat(number(packed, 23, 1)).as("flags").isEqualTo(flags);
        assertThat(number(packed, 24, 7)).as("burst").isEqualTo(burst);
        assertThat(number(packed, 1 + PREFIX, 1)).as("format").isEqualTo(5);
        assertThat(number(packed, 2 + PREFIX, 1)).as("kind of the state").isEqualTo(stored);
        assertThat(number(packed, 3 + PREFIX, 7)).as("window of the state").isEqualTo(window);
    }

    /** Other versions of Weir read these states. */
    @Test
    void of_prefix_staysTheSame() {
        byte[] packed = packed("10/1m", "token-bucket 5/1s name=a");

        assertThat(HexFormat.of().formatHex(packed, 1 + PREFIX, 1 + LENGTH)).isEqualTo("050100000003938700dbdf21f0");
        assertThat(HexFormat.of().formatHex(packed, 1 + LENGTH + PREFIX, 1 + 2 * LENGTH))
                .isEqualTo("0504000000000f4240b7be436e");
    }

    @Test
    void of_equalLimits_shareBytes_differentOnesDoNot() {
        Limits limits = Limits.parse("10/1m");
        assertThat(PackedLimits.of(limits)).isSameAs(PackedLimits.of(limits)).isEqualTo(packed("10/1m"));
        for (int i = 1; i <= 1_000; i++) { // more than the cache holds
            assertThat(number(packed(i + "/1m"), 9, 7)).isEqualTo(i);
        }
    }

    /** The first of each pair is the largest limit whose numbers are exact in scripts. */
    @ParameterizedTest
    @CsvSource({
        "9007199254740991/1s, 9007199254740992/1s",
        "fixed-window 9007199254740991/1s, fixed-window 9007199254740992/1s",
        "4503599627370495/1s count=attempts, 4503599627370496/1s count=attempts",
        "1/1501199875790164us, 1/1501199875790165us",
        "gcra 1/1h burst=625499, gcra 1/1h burst=625500",
        "token-bucket 67108864/1s burst=33554431, token-bucket 67108864/1s burst=33554432",
        "token-bucket 1/1s burst=2251797561, token-bucket 1/1s burst=2251797562"
    })
    void of_numbersBeyondThoseOfTheScripts_areRejected(String largest, String tooLarge) {
        assertThat(packed(largest)).hasSize(1 + LENGTH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> packed(tooLarge))
                .withMessageStartingWith("limit must not be too large for Redis, whose scripts count to 2^53, was ");
    }

    @Test
    void of_productBeyondALong_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> packed("token-bucket 4294967296/1s burst=4294967296"));
        assertThatIllegalArgumentException().isThrownBy(() -> packed("token-bucket 4294967296/1s burst=2147483648"));
    }

    private static int hash(String name) {
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue() & 0xFF_FFFF;
    }

    @Test
    void of_namesWithTheSameHash_areRejected() {
        Map<Integer, String> names = new HashMap<>();
        String name = "limit-0";
        String other = names.put(hash(name), name);
        for (int i = 1; other == null; i++) {
            name = "limit-" + i;
            other = names.put(hash(name), name);
        }
        Limits limits = Limits.parse("10/1m name=" + other, "10/1h name=" + name);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> PackedLimits.of(limits))
                .withMessage("names of limits must not have the same hash on Redis, '" + other + "' and '" + name
                        + "' have: rename one");
    }

    @Test
    void of_unlimited_hasTheMostPermits() {
        byte[] packed = packed("unlimited");

        assertThat(number(packed, 1, 1)).isEqualTo(7);
        assertThat(number(packed, 9, 7)).isEqualTo(1L << 53);
    }
}
