package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The arguments of a script that decides on several groups of requests. */
final class PackedRequestsTest {
    private static final Limits TEN = Limits.parse("10/1h");
    private static final Limits FIVE = Limits.parse("5/1h");

    private static JointRequest joint(long permits, long maxWaitNanos, Limits... limits) {
        List<Request> requests = Arrays.stream(limits)
                .map(each -> Request.of("test", each, "key", permits))
                .toList();
        return JointRequest.of(requests, maxWaitNanos);
    }

    private static List<JointRequest> group(Limits... limits) {
        return List.of(joint(1, 0, limits));
    }

    private static byte[][] packed(List<List<JointRequest>> groups) {
        return PackedRequests.of(PackedRequests.SERVER_TIME, groups, false);
    }

    /** Packs a group of equal requests for single permits. */
    private static void put(ByteBuffer expected, int count, int limitsAt, int requests) {
        expected.putShort((short) count).putInt(1).putShort((short) limitsAt).putInt(1);
        putNumber(expected, 0);
        for (int i = 0; i < requests; i++) {
            putNumber(expected, 1);
        }
    }

    /** Puts a number below 2^32 into 7 bytes. */
    private static void putNumber(ByteBuffer expected, long number) {
        expected.put((byte) 0).putShort((short) 0).putInt((int) number);
    }

    private static byte[] bytes(ByteBuffer expected) {
        byte[] bytes = new byte[expected.position()];
        expected.flip().get(bytes);
        return bytes;
    }

    /** A group must not be decided under the limits of another one. */
    @Test
    void of_groupsUnderDifferentLimits_eachNamesItsOwn() {
        byte[][] values = packed(List.of(group(TEN), group(FIVE), group(TEN), group(TEN)));

        ByteBuffer expected = ByteBuffer.allocate(100).put((byte) 0);
        put(expected, 1, 2, 1);
        put(expected, 1, 3, 1);
        put(expected, 2, 2, 1);
        assertThat(values).isDeepEqualTo(new byte[][] {bytes(expected), PackedLimits.of(TEN), PackedLimits.of(FIVE)});
    }

    @Test
    void of_jointRequests_limitsOfAllKeysDiffer() {
        byte[][] values = packed(List.of(group(TEN, FIVE), group(TEN, TEN), group(TEN, FIVE), group(TEN)));

        ByteBuffer expected = ByteBuffer.allocate(200).put((byte) 0);
        put(expected, 1, 2, 2);
        put(expected, 1, 3, 2);
        put(expected, 1, 2, 2);
        put(expected, 1, 4, 1);
        assertThat(values.length).isEqualTo(4);
        assertThat(values[0]).isEqualTo(bytes(expected));
        byte[] ten = PackedLimits.of(TEN);
        byte[] five = PackedLimits.of(FIVE);
        assertThat(values[1]).startsWith(ten).endsWith(five).hasSize(ten.length + five.length);
        assertThat(values[2]).startsWith(ten).endsWith(ten).hasSize(2 * ten.length);
        assertThat(values[3]).isEqualTo(ten);
    }

    @Test
    void of_equalGroups_areSentOnceWithTheirNumber() {
        ByteBuffer expected = ByteBuffer.allocate(100).put((byte) 0);
        put(expected, 3, 2, 1);
        assertThat(packed(List.of(group(TEN), group(TEN), group(TEN)))[0]).isEqualTo(bytes(expected));
    }

    @Test
    void of_requestsOfAGroup_equalOnesAreCounted_inOrder() {
        List<JointRequest> group =
                List.of(joint(1, 0, TEN), joint(1, 0, TEN), joint(2, 0, TEN), joint(2, 3_999, TEN), joint(1, 0, TEN));
        ByteBuffer expected = ByteBuffer.allocate(200).put((byte) 1);
        expected.putShort((short) 1).putInt(4).putShort((short) 2);
        for (int[] each : new int[][] {{2, 0, 1}, {1, 0, 2}, {1, 3, 2}, {1, 0, 1}}) {
            expected.putInt(each[0]);
            putNumber(expected, each[1]);
            putNumber(expected, each[2]);
        }
        assertThat(PackedRequests.of(PackedRequests.SERVER_TIME, List.of(group), true)[0])
                .isEqualTo(bytes(expected));
    }
}
