package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.sun.management.ThreadMXBean;
import dev.weir.store.MemoryStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The limiter's API: the arguments it refuses, the listeners it notifies, and its cost. */
class RateLimiterTest {
    private static final long DECISION_BYTES = 56; // header, reference, four longs, two flags

    private long now = 1_000_000_000_000L;
    private final RateLimiter limiter =
            RateLimiter.builder().limit("3/1s").timeSource(() -> now).build();

    @Test
    void keys_invalid_areRefusedByEveryMethod() {
        for (String key : List.of("", "k".repeat(1025), "\u00e4".repeat(513))) {
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(key));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire(key, Duration.ZERO));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync(key, Duration.ZERO));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.reserve(key, 1, Duration.ZERO));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.peek(key));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.reset(key));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.block(key, Duration.ofSeconds(1)));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.call(key, Duration.ZERO, () -> 1));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire(""))
                .withMessage("key must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("k".repeat(2000)))
                .withMessage(
                        "key must be at most 1024 bytes long in UTF-8, was 2000 characters: " + "k".repeat(64) + "...");
        assertThat(limiter.tryAcquire("\u00e4".repeat(512)).allowed()).isTrue();
    }

    @Test
    void permitsAndWaits_outOfRange_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("key", 0))
                .withMessage("permits must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("key", -1))
                .withMessage("permits must be at least 1, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.acquire("key", Duration.ofNanos(-1)))
                .withMessage("maxWait must not be negative, was PT-0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.block("key", Duration.ZERO))
                .withMessage("duration must be at least 1 nanosecond, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.reserve("key", 2, Duration.ZERO).refund(3))
                .withMessage("permits to refund must be at most 2, was 3");
    }

    @Test
    void unpairedSurrogates_areDifferentKeysOf3Bytes() {
        for (String key : List.of("\ud800", "?", "\udc00")) {
            assertThat(limiter.tryAcquire(key).remaining()).isEqualTo(2);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("\ud800".repeat(342)));
    }

    @Test
    void nulls_areNamed() {
        assertThatNullPointerException().isThrownBy(() -> Limit.parse(null)).withMessage("text must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> RateLimiter.tryAcquireAll((Request[]) null))
                .withMessage("requests must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquire(null))
                .withMessage("key must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.reserve("key", null))
                .withMessage("maxWait must not be null");
    }

    @Test
    void jointRequests_invalid_areRefused() {
        RateLimiter elsewhere = RateLimiter.of(Limit.parse("1/1s"));

        assertThatIllegalArgumentException()
                .isThrownBy(RateLimiter::tryAcquireAll)
                .withMessage("requests must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.tryAcquireAll(limiter.request("a", 1), elsewhere.request("a", 1)))
                .withMessage("requests decided together must be of limiters that share a store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.tryAcquireAll(limiter.request("a", 1), limiter.request("a", 2)))
                .withMessageStartingWith("duplicate limiter and key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.tryAcquireAll(Request.of("api", Limits.parse("1/1s"), "key", 1)))
                .withMessageStartingWith("requests must be made by RateLimiter.request");
    }

    @Test
    void limitsByKey_followTheKeysPlan() {
        Limits free = Limits.parse("1/1h");
        Limits premium = Limits.parse("3/1h");
        List<String> paying = new ArrayList<>();
        RateLimiter plans = RateLimiter.builder()
                .limitsByKey(key -> paying.contains(key) ? premium : free)
                .timeSource(() -> now)
                .build();
        assertThat(plans.tryAcquire("bob").allowed()).isTrue();
        assertThat(plans.tryAcquire("bob").allowed()).isFalse();

        paying.add("bob");

        assertThat(plans.tryAcquire("bob").remaining()).isEqualTo(1);
        assertThat(plans.limits("bob")).isEqualTo(premium);
        assertThatIllegalStateException().isThrownBy(() -> plans.changeLimits(free));
    }

    @Test
    void listener_isNotifiedOfDecisionsAndRefunds_notPeeks() {
        List<String> events = new ArrayList<>();
        RateLimiter notifying = RateLimiter.builder()
                .name("api")
                .limit("2/1s")
                .timeSource(() -> now)
                .listener(new LimiterListener() {
                    @Override
                    public void decided(String limiter, String key, long permits, Decision decision) {
                        events.add(limiter + " " + key + " " + permits + " " + decision.allowed());
                    }

                    @Override
                    public void refunded(String limiter, String key, long permits, long timeNanos) {
                        events.add(limiter + " " + key + " refunded " + permits);
                    }
                })
                .build();
        notifying.tryAcquire("a");
        notifying.peek("a");
        notifying.tryAcquire("a", 2);
        notifying.reserve("a", 1, Duration.ZERO).cancel();
        RateLimiter.tryAcquireAll(notifying.request("b", 1), notifying.request("c", 2));

        assertThat(events)
                .containsExactly(
                        "api a 1 true",
                        "api a 2 false",
                        "api a 1 true",
                        "api a refunded 1",
                        "api b 1 true",
                        "api c 2 true");
    }

    @Test
    void listenerThatThrows_changesNothing() throws Exception {
        List<String> events = new ArrayList<>();
        RateLimiter limiter = RateLimiter.builder()
                .limit("2/1s")
                .timeSource(() -> now)
                .listener(new LimiterListener() {
                    @Override
                    public void decided(String limiter, String key, long permits, Decision decision) {
                        throw new AssertionError("broken listener");
                    }

                    @Override
                    public void refunded(String limiter, String key, long permits, long timeNanos) {
                        throw new IllegalStateException("broken listener");
                    }
                })
                .listener(new LimiterListener() {
                    @Override
                    public void decided(String limiter, String key, long permits, Decision decision) {
                        events.add(key + " " + permits);
                    }
                })
                .build();
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(1);
        Reservation reservation = limiter.reserve("key", Duration.ZERO);
        assertThat(reservation.await().allowed()).isTrue();
        assertThat(reservation.cancel()).isTrue();
        assertThat(limiter.tryAcquireAsync("key").join().allowed()).isTrue();
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(events).containsExactly("key 1", "key 1", "key 1", "key 1");
    }

    @Test
    void tryAcquire_readsTheClockOnceAndAllocatesTheDecisionAlone() {
        long[] readings = {0};
        RateLimiter counted = RateLimiter.builder()
                .limit("1000000/1m")
                .timeSource(() -> {
                    readings[0]++;
                    return now++;
                })
                .build();
        counted.tryAcquire("key");
        readings[0] = 0;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        int rounds = 0;
        while (rounds < 100 && least > DECISION_BYTES) { // until it is compiled
            rounds++;
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 100_000; i++) {
                counted.tryAcquire("key");
            }
            long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (after - before) / 100_000);
        }

        assertThat(readings[0])
                .isBetween(
                        100_000L * rounds, 100_000L * rounds + 60); // the removal of idle keys reads it once a second
        assertThat(least).isLessThanOrEqualTo(DECISION_BYTES);
    }

    @Test
    void tryAcquire_newKey_readsTheClockOnce() {
        AtomicInteger reads = new AtomicInteger();
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(() -> {
                    reads.incrementAndGet();
                    return now;
                })
                .build();
        limiter.tryAcquire("a");
        reads.set(0);
        limiter.tryAcquire("b");
        assertThat(reads.get()).isEqualTo(1);
    }

    @Test
    void twoLimitersOfOneName_onOneStore_shareTheirKeys() {
        MemoryStore store = MemoryStore.builder().timeSource(() -> now).build();
        RateLimiter one =
                RateLimiter.builder().name("api").limit("1/1s").store(store).build();
        RateLimiter same =
                RateLimiter.builder().name("api").limit("1/1s").store(store).build();
        one.tryAcquire("key");

        assertThat(same.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void twoLimitersOfOtherNames_onOneStore_countApart() {
        MemoryStore store = MemoryStore.builder().timeSource(() -> now).build();
        RateLimiter login =
                RateLimiter.builder().name("login").limit("5/1m").store(store).build();
        RateLimiter api =
                RateLimiter.builder().name("api").limit("1000/1m").store(store).build();
        for (int i = 0; i < 100; i++) {
            api.tryAcquire("alice");
        }
        assertThat(login.tryAcquire("alice").remaining()).isEqualTo(4);
    }

    @Test
    void limiter_describesItself() {
        assertThat(limiter).hasToString("RateLimiter[name=default, limits=[sliding-log 3/1s]]");
    }
}
