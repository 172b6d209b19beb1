package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults that were found by attacking a full store, each with the test that showed it. */
class FullStoreFaultsTest {
    private final ManualTimeSource clock = new ManualTimeSource();

    private static long drain(RateLimiter limiter, String key, int tries) {
        long admitted = 0;
        for (int i = 0; i < tries; i++) {
            admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
        }
        return admitted;
    }

    /** A full store whose keys a* have one plan and all others have another. */
    private RateLimiter full(String plan, String others) {
        Limits a = Limits.parse(plan);
        Limits b = Limits.parse(others);
        MemoryStore store = MemoryStore.builder().timeSource(clock).maxKeys(1).build();
        RateLimiter filler = RateLimiter.builder()
                .name("filler")
                .limit("1/1000d")
                .store(store)
                .build();
        filler.tryAcquire("filler");
        return RateLimiter.builder()
                .name("test")
                .limitsByKey(key -> key.startsWith("a") ? a : b)
                .store(store)
                .build();
    }

    /** A key a<i> that shares the overflow state of "b". */
    private static String neighbour() {
        int wanted = (("b".hashCode() * 0x9E3779B9) >>> 16) % 1024;
        for (int i = 0; ; i++) {
            String key = "a" + i;
            if (((key.hashCode() * 0x9E3779B9) >>> 16) % 1024 == wanted) {
                return key;
            }
        }
    }

    @Test
    void share_fixedWindowsOfTwoLengths_theLongerIsKept() {
        RateLimiter limiter = full("fixed-window 10/1m", "fixed-window 10/1h");
        long admitted = drain(limiter, "b", 20);
        for (int i = 0; i < 5; i++) {
            limiter.tryAcquire(neighbour());
            clock.advance(Duration.ofMinutes(1));
            admitted += drain(limiter, "b", 20);
        }
        assertThat(admitted).isLessThanOrEqualTo(10);
    }

    @Test
    void share_peekUnderAnotherPlan_theLongerIsKept() {
        RateLimiter limiter = full("fixed-window 10/1m", "fixed-window 10/1h");
        long admitted = drain(limiter, "b", 20);
        limiter.peek(neighbour());
        clock.advance(Duration.ofMinutes(1));
        admitted += drain(limiter, "b", 20);
        assertThat(admitted).isLessThanOrEqualTo(10);
    }

    @Test
    void share_attemptsBesideAdmitted_theLargerLimitIsKept() {
        RateLimiter limiter = full("sliding-log 2/1h count=attempts", "sliding-log 10/1h");
        long admitted = 0;
        for (int i = 0; i < 10; i++) {
            admitted += drain(limiter, "b", 1);
            clock.advance(Duration.ofSeconds(1));
        }
        limiter.tryAcquire(neighbour());
        admitted += drain(limiter, "b", 20);
        assertThat(admitted).isLessThanOrEqualTo(10);
    }

    @Test
    void share_limitAddedWhileRunning_firstLimitKeepsItsLog() {
        MemoryStore store = MemoryStore.builder().timeSource(clock).maxKeys(1).build();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("10/1h").store(store).build();
        limiter.tryAcquire("filler");
        long admitted = drain(limiter, "b", 20);
        limiter.changeLimits(Limits.parse("10/1h", "1000/1d"));
        admitted += drain(limiter, "b", 20);
        assertThat(admitted).isLessThanOrEqualTo(10);
    }

    @Test
    void share_seventeenthShapeAfterAnotherWasRemoved_isServed() {
        MemoryStore store = MemoryStore.builder().timeSource(clock).maxKeys(1).build();
        RateLimiter filler = RateLimiter.builder()
                .name("filler")
                .limit("1/1000d")
                .store(store)
                .build();
        filler.tryAcquire("filler");
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1/1s").store(store).build();
        for (int i = 0; i < 20; i++) {
            limiter.changeLimits(Limits.parse("1/1s name=n" + i));
            limiter.tryAcquire("b");
        }
        clock.advance(Duration.ofDays(1));
        limiter.changeLimits(Limits.parse("1/1s name=n16"));
        boolean one = limiter.tryAcquire("b").allowed();
        clock.advance(Duration.ofDays(1));
        limiter.changeLimits(Limits.parse("1/1s name=n18"));
        boolean two = limiter.tryAcquire("b").allowed();
        assertThat(List.of(one, two)).containsOnly(true);
    }

    @Tag("large")
    @Test
    void twoShapesAtOnce_newKey_hasOneStateOnly() throws Exception {
        MemoryStore store = MemoryStore.create();
        RateLimiter one =
                RateLimiter.builder().name("test").limit("1/1h").store(store).build();
        RateLimiter two = RateLimiter.builder()
                .name("test")
                .limit("1/1h")
                .limit("5/1d")
                .store(store)
                .build();
        int keys = 100_000;
        CyclicBarrier barrier = new CyclicBarrier(2);
        AtomicInteger admitted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (RateLimiter limiter : List.of(one, two)) {
            Thread thread = new Thread(() -> {
                try {
                    for (int i = 0; i < keys; i++) {
                        if (i % 1000 == 0) {
                            barrier.await();
                        }
                        if (limiter.tryAcquire("k" + i).allowed()) {
                            admitted.incrementAndGet();
                        }
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(admitted.get())
                .as("keys %d", store.statistics().keys().orElseThrow())
                .isEqualTo(keys);
    }

    @Test
    void share_shortBlock_endsWhenItEnds() {
        MemoryStore store = MemoryStore.builder().timeSource(clock).maxKeys(1).build();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1000/1d").store(store).build();
        limiter.tryAcquire("filler");
        limiter.tryAcquire("b");
        limiter.block("b", Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(2));
        assertThat(limiter.tryAcquire("b").allowed()).isTrue();
    }

    @Test
    void inspect_blockOfAKeyThatShares_saysThatItShares() {
        RateLimiter limiter = full("10/1h", "10/1h");
        drain(limiter, "b", 10);
        limiter.block("b", Duration.ofSeconds(1));

        assertThat(limiter.inspect("b").overflow()).isTrue();
    }

    @Test
    void inspect_afterTheBlockOfAKeyThatShares_showsTheOverflowState() {
        RateLimiter limiter = full("10/1h", "10/1h");
        drain(limiter, "b", 10);
        limiter.block("b", Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(2));

        KeySnapshot snapshot = limiter.inspect("b");

        assertThat(snapshot.overflow()).isTrue();
        assertThat(snapshot.limits().get(0).remaining())
                .isEqualTo(limiter.peek("b").remaining())
                .isZero();
    }

    @Test
    void peek_fullStoreThatRefuses_isAsTryAcquire() {
        MemoryStore store = MemoryStore.builder()
                .timeSource(clock)
                .maxKeys(1)
                .whenFull(WhenFull.DENY)
                .build();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1/1m").store(store).build();
        limiter.tryAcquire("a");
        assertThat(limiter.peek("b").allowed())
                .isEqualTo(limiter.tryAcquire("b").allowed());
    }

    @Test
    void peek_noRoomForTheTextOfAKey_isAsTryAcquire() {
        MemoryStore store = MemoryStore.builder()
                .timeSource(clock)
                .maxKeyBytes(10)
                .whenFull(WhenFull.DENY)
                .build();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1/1m").store(store).build();
        limiter.tryAcquire("8 bytes.");

        assertThat(limiter.peek("3 b").allowed())
                .isEqualTo(limiter.tryAcquire("3 b").allowed())
                .isFalse();
        assertThat(limiter.peek("2b").allowed())
                .isEqualTo(limiter.tryAcquire("2b").allowed())
                .isTrue();
    }

    @Test
    void joint_keysOfDifferentLimitsShareAState_isDeniedAtThePresentTime() {
        RateLimiter limiter = full("fixed-window 10/1m", "fixed-window 10/1h");

        Decision denied = RateLimiter.tryAcquireAll(limiter.request(neighbour(), 1), limiter.request("b", 1));

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.timeNanos()).isEqualTo(clock.nanos());
    }
}
