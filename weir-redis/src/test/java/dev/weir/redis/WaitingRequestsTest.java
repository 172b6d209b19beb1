package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order in which waiting requests are put into batches. */
final class WaitingRequestsTest {
    private static final Limits LOG = Limits.parse("10/1h");
    private static final Limits BUCKET = Limits.parse("token-bucket 10/1h");

    private final BatchCost costs = new BatchCost();
    private final WaitingRequests waiting = new WaitingRequests();

    private PendingRequest add(Limits limits, long maxWaitNanos, String... keys) {
        PendingRequest pending = pending(limits, maxWaitNanos, keys);
        waiting.add(pending);
        return pending;
    }

    private void put(int count, long maxWaitNanos, String key) {
        for (int i = 0; i < count; i++) {
            waiting.add(pending(LOG, maxWaitNanos, key));
        }
    }

    private static PendingRequest pending(Limits limits, long maxWaitNanos, String... keys) {
        List<Request> requests = new ArrayList<>();
        for (String key : keys) {
            requests.add(Request.of("limiter", limits, key, 1));
        }
        return new PendingRequest(0, requests, maxWaitNanos, false, 0, 100);
    }

    private List<PendingRequest> next() {
        return requests(nextPipeline());
    }

    private static List<PendingRequest> requests(Pipeline pipeline) {
        List<PendingRequest> all = new ArrayList<>();
        for (Batch batch : pipeline.batches()) {
            batch.groups().forEach(all::addAll);
        }
        return all;
    }

    private Batch nextBatch() {
        return nextPipeline().batches().get(0);
    }

    private Pipeline nextPipeline() {
        PipelineBuilder builder = new PipelineBuilder(costs);
        waiting.moveTo(builder, 0, 0, true);
        return builder.build(0);
    }

    private static Batch batchOf(PendingRequest pending) {
        return new Batch(0, List.of(List.of(pending)), 0);
    }

    @Test
    void thousandsWaitForOneKey_anotherKeyIsInTheNextBatch() {
        put(5_000, 1, "hot");
        PendingRequest other = add(LOG, 0, "other");

        assertThat(next()).contains(other);
    }

    @Test
    void keyWithMoreThanItsShare_continuesAfterTheOthers() {
        put(20, 1, "hot");
        List<PendingRequest> others = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            others.add(add(LOG, 0, "other " + i));
        }

        assertThat(next()).hasSize(14 + 16).containsAll(others.subList(0, 16));
        assertThat(next()).hasSize(24 + 6).startsWith(others.subList(16, 40).toArray(PendingRequest[]::new));
    }

    @Test
    void requestsOfAnotherScript_areTheFirstOfTheNextBatch() {
        List<PendingRequest> logs = new ArrayList<>();
        List<PendingRequest> buckets = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            logs.add(add(LOG, 0, "log " + i));
            buckets.add(add(BUCKET, 0, "bucket " + i));
        }

        assertThat(next()).isEqualTo(logs.subList(0, 32));
        assertThat(next()).isEqualTo(buckets.subList(0, 32));
        assertThat(next()).isEqualTo(logs.subList(32, 40));
        assertThat(next()).isEqualTo(buckets.subList(32, 40));
        assertThat(waiting.hasNext()).isFalse();
    }

    @Test
    void completeRequests_areRemoved() {
        PendingRequest single = add(LOG, 0, "a");
        PendingRequest joint = add(LOG, 0, "a", "b");
        assertThat(single.cancel(false) && joint.cancel(false)).isTrue();

        assertThat(waiting.size()).isEqualTo(2);
        waiting.moveTo(new PipelineBuilder(costs), 0, 0, true);
        assertThat(waiting.size()).isZero();
        assertThat(waiting.hasNext()).isFalse();
    }

    @Test
    void overdueRequests_areRemoved() {
        PendingRequest pending = new PendingRequest(0, List.of(Request.of("limiter", LOG, "a", 1)), 0, false, 0, 10);
        waiting.add(pending);

        PipelineBuilder builder = new PipelineBuilder(costs);
        waiting.moveTo(builder, 10, 0, true);
        assertThat(builder.isEmpty()).isTrue();
        assertThat(waiting.hasNext()).isFalse();
    }

    /** An overdue request is never sent, so it must not wait on if the server answers again. */
    @Test
    void overdueRequest_serverDoesNotAnswer_staysOverdue() {
        PendingRequest pending = add(LOG, 1_000, "a");
        waiting.moveTo(new PipelineBuilder(costs), 100, 0, false);
        assertThat(waiting.hasNext()).isFalse();
        assertThat(pending.isOverdue(100, 0, true)).isTrue();
    }

    @Test
    void timeInTheQueue_isSubtractedFromMaxWait() {
        PendingRequest pending = add(LOG, 1_000, "a");
        waiting.moveTo(new PipelineBuilder(costs), 250, 0, true);
        assertThat(pending.maxWaitNanos()).isEqualTo(800);
    }

    /** Otherwise a caller would examine all waiting requests each time it may send some. */
    @Test
    void manyKeysOfAnotherScript_onlySomeAreExamined() {
        PendingRequest first = add(LOG, 0, "first");
        PendingRequest changed = add(BUCKET, 0, "first");
        for (int i = 0; i < 255; i++) {
            waiting.add(pending(BUCKET, 0, "bucket " + i));
        }
        PendingRequest log = add(LOG, 0, "log");

        assertThat(next()).containsExactly(first);
        assertThat(next()).hasSize(32).doesNotContain(log, changed);
    }

    /** Single and joint requests on few keys; some are sent again because their script left them undecided. */
    @Test
    void randomRequests_eachIsSentOnce_inOrderForEachKey() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Map<PendingRequest, Integer> arrival = new HashMap<>();
            Map<String, Integer> latest = new HashMap<>(); // arrival of the latest one that was sent, by key
            int sent = 0;
            while (sent < 200) {
                while (arrival.size() < 200 && random.nextInt(6) > 0) {
                    arrival.put(addRandom(random), arrival.size());
                }
                Pipeline pipeline = nextPipeline();
                pipeline.batches().forEach(waiting::answered);
                List<PendingRequest> batch = requests(pipeline);
                int kept = random.nextInt(3) > 0 ? batch.size() : random.nextInt(batch.size() + 1);
                for (int i = batch.size() - 1; i >= kept; i--) {
                    waiting.addFirst(batch.get(i)); // undecided
                }
                for (PendingRequest each : batch.subList(0, kept)) {
                    for (Request request : each.requests()) {
                        Integer before = latest.put(request.key(), arrival.get(each));
                        assertThat(before == null || before < arrival.get(each))
                                .as("seed %d: %s", seed, request.key())
                                .isTrue();
                    }
                }
                sent += kept;
            }
            assertThat(waiting.size()).as("seed %d", seed).isZero();
            assertThat(sent).as("seed %d", seed).isEqualTo(200);
        }
    }

    /** Up to three pipelines in flight, answered in order; a script may leave its last expensive requests undecided. */
    @Test
    void randomRequests_severalInFlight_waitersAreDecidedInOrder() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Map<PendingRequest, Integer> arrival = new HashMap<>();
            Map<String, Integer> latest = new HashMap<>();
            ArrayDeque<Pipeline> inFlight = new ArrayDeque<>();
            for (int decided = 0, steps = 0; decided < 200; steps++) {
                assertThat(steps).as("seed %d", seed).isLessThan(5_000);
                while (arrival.size() < 200 && random.nextInt(6) > 0) {
                    arrival.put(addRandom(random), arrival.size());
                }
                if (inFlight.size() < 3 && random.nextBoolean()) {
                    inFlight.add(nextPipeline());
                } else if (!inFlight.isEmpty()) {
                    Pipeline answered = inFlight.remove();
                    List<PendingRequest> batch = requests(answered);
                    int kept = batch.size();
                    while (kept > 0 && batch.get(kept - 1).mayBeLeft() && random.nextBoolean()) {
                        kept--;
                    }
                    answered.batches().forEach(waiting::answered);
                    for (int i = batch.size() - 1; i >= kept; i--) {
                        waiting.addFirst(batch.get(i));
                    }
                    batch.subList(0, kept).stream()
                            .filter(PendingRequest::mayWait)
                            .forEach(each -> each.requests().forEach(request -> {
                                Integer before = latest.put(request.key(), arrival.get(each));
                                assertThat(before == null || before < arrival.get(each))
                                        .isTrue();
                            }));
                    decided += kept;
                }
            }
            assertThat(waiting.hasNext()).as("seed %d", seed).isFalse();
        }
    }

    private PendingRequest addRandom(Random random) {
        List<String> keys = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
        while (keys.size() > 1 && (keys.size() > 3 || random.nextBoolean())) {
            keys.remove(random.nextInt(keys.size()));
        }
        Limits limits = random.nextInt(4) == 0 ? BUCKET : LOG;
        return add(limits, random.nextInt(3) == 0 ? 1 : 0, keys.toArray(String[]::new));
    }

    /** The next script decides the requests that one leaves undecided, so later ones must not be in flight. */
    @Test
    void severalLimits_mayWait_laterRequestsWaitForTheAnswer() {
        Limits two = Limits.parse("10/1s", "100/1m");
        List<PendingRequest> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(add(two, 100, "key"));
        }
        PendingRequest atOnce = add(two, 0, "key");
        PendingRequest other = add(two, 100, "other");

        Batch first = nextBatch();
        List<PendingRequest> sent = first.groups().get(0);
        assertThat(sent).isEqualTo(all.subList(0, sent.size())).hasSizeBetween(2, 11);
        assertThat(first.groups().get(1)).containsExactly(other);
        assertThat(next()).isEmpty();
        assertThat(waiting.hasNext()).isFalse(); // there is nothing to send before the answer

        waiting.answered(first);
        PendingRequest undecided = sent.get(sent.size() - 1);
        waiting.addFirst(undecided);
        assertThat(next()).startsWith(undecided, all.get(sent.size())).doesNotContain(atOnce);
    }

    @Test
    void jointRequests_mayWait_holdAllTheirKeys() {
        PendingRequest joint = add(LOG, 100, "a", "b");
        assertThat(next()).containsExactly(joint);
        PendingRequest onB = add(LOG, 100, "b");
        PendingRequest ofA = add(LOG, 0, "a");
        PendingRequest both = add(LOG, 100, "a", "c");

        Batch atOnce = nextBatch();
        assertThat(atOnce.groups()).containsExactly(List.of(ofA));
        assertThat(next()).isEmpty();
        waiting.answered(batchOf(joint));
        assertThat(next()).containsExactly(onB, both);
    }
}
