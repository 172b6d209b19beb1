package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the cost of equal requests learns from their answers. */
final class BatchCostTest {
    private static final Limits LIMITS = Limits.parse("10/1s");
    private static final PendingRequest REQUEST =
            new PendingRequest(0, List.of(Request.of("test", LIMITS, "key", 1)), 0, false, 0, 1_000_000);

    private final BatchCost cost = new BatchCost();

    private void learn(List<Answer> answers) {
        cost.learn(Collections.nCopies(answers.size(), REQUEST), answers);
    }

    private static Answer granted(byte[] handle) {
        return new Answer(Decision.allowed(LIMITS.list().get(0), 0, 0, 0, 1), 0, handle, "");
    }

    /** A batch of equal requests that were decided together is followed by ones of which each is decided alone. */
    @Test
    void decidedTogetherOnce_equalRequestsCostLittleLess() {
        learn(IntStream.range(0, 9).mapToObj(i -> granted(new byte[1])).toList());
        assertThat(cost.ofEqual(REQUEST)).isEqualTo(1);

        learn(Collections.nCopies(9, granted(new byte[1])));

        assertThat(cost.ofEqual(REQUEST)).isEqualTo(0.75);
    }

    @Test
    void undecided_equalRequestsCostAsMuchAsOthers() {
        learn(Collections.nCopies(9, Answer.UNDECIDED));

        assertThat(cost.ofEqual(REQUEST)).isEqualTo(1);
    }
}
