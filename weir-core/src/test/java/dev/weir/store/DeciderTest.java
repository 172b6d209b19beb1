package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a decision opens an offer, and what the offer answers. */
class DeciderTest {
    private static final long MS = 1_000_000;
    private static final long START = 1_000_000 * MS + 1; // the first nanosecond of a tick of 1 ms
    private static final int ROUNDS = Decider.MAX_SEARCHES / 2; // of two limits

    private final CompiledLimits.Cache compiled = new CompiledLimits.Cache();
    private KeyState key = new KeyState("limiter", "key", START);

    private Decision decide(Limits limits, long permits, long reading) {
        key.open(Offer.NONE); // as the lock does
        LimitMigration.prepare(key, compiled.of(limits), key.timeAt(reading));
        return Decider.decideAtOnce(key, limits, permits, reading);
    }

    private Decision decideAlone(Limits limits, long reading, Offer last) {
        key.open(Offer.NONE);
        return Decider.decideAlone(key, limits, 1, reading, last);
    }

    /**
     * Two limits that each have room only where the other has none: a search that went on until they agree would hold the locks for
     * hundreds of microseconds.
     */
    @Test
    void limitsFullAlternately_searchOfManyRounds_isDenied_laterOneContinues() {
        AtomicLong now = new AtomicLong(START);
        try (MemoryStore store = MemoryStore.builder().timeSource(now::get).build()) {
            Request even = request("even", "1/1ms resolution=1us");
            Request odd = request("odd", "1/1ms resolution=1us");
            reserve(store, even, request("even pace", "1/2ms resolution=1us"));
            now.addAndGet(MS);
            reserve(store, odd, request("odd pace", "1/2ms resolution=1us"));

            int searches = 0;
            Decision decision = Decision.allowed(even.limits().list().get(0), 0, 0, 0, 0);
            do {
                now.addAndGet(decision.retryAfterNanos());
                decision = store.reserve(List.of(even, odd), Long.MAX_VALUE).decision();
                assertThat(decision.allowed() || decision.retryAfterNanos() > (ROUNDS - 1) * MS)
                        .isTrue();
                searches++;
            } while (!decision.allowed());

            assertThat(searches).isBetween(2, 2 * 200 / ROUNDS + 1);
            assertThat(now.get() + decision.waitNanos()).isGreaterThanOrEqualTo(START + 2 * 200 * MS);
        }
    }

    private static Request request(String limiter, String limit) {
        return Request.of(limiter, Limits.parse(limit), "key", 1);
    }

    /** Reserves 200 times under two limits. */
    private static void reserve(MemoryStore store, Request one, Request other) {
        for (int i = 0; i < 200; i++) {
            assertThat(store.reserve(List.of(one, other), Long.MAX_VALUE)
                            .decision()
                            .allowed())
                    .isTrue();
        }
    }

    private void enterAndUnlock() {
        key.enter();
        key.unlock();
    }

    @Test
    void decideAtOnce_secondGrantOfATick_opensAnOffer() {
        Limits limits = Limits.parse("3/1s");
        decide(limits, 1, START);
        assertThat(key.offer()).isSameAs(Offer.NONE);
        decide(limits, 1, START);

        Offer offer = key.offer();
        Decision granted = offer.decide(limits, 1, START + 5);
        Decision denied = offer.decide(limits, 1, START + 6);

        assertThat(granted.allowed()).isTrue();
        assertThat(granted.remaining()).isZero();
        assertThat(granted.timeNanos()).isEqualTo(START + 5);
        assertThat(offer.grantedAt()).isEqualTo(START + 5);
        long expiry = START - 1 + MS + 1_000 * MS;
        assertThat(granted.resetAfterNanos()).isEqualTo(expiry - (START + 5));
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfterNanos()).isEqualTo(expiry - (START + 6));
        assertThat(offer.decide(limits, 2, START + 6)).isNull();
        assertThat(offer.decide(limits, 1, expiry - 1).retryAfterNanos()).isEqualTo(1);
        assertThat(offer.decide(limits, 1, expiry)).isNull();
        assertThat(offer.decide(Limits.parse("4/1s"), 1, START + 6)).isNull();
        assertThat(offer.close()).isEqualTo(1);
        assertThat(offer.decide(limits, 1, START + 6)).isNull();
    }

    @Test
    void decideAlone_secondGrantOfATick_opensAnOffer() {
        Limits limits = Limits.parse("9/1s");
        decide(limits, 1, START);
        long next = START + 2 * MS;

        assertThat(decideAlone(limits, next, Offer.NONE).remaining()).isEqualTo(7);
        assertThat(key.offer()).isSameAs(Offer.NONE);
        assertThat(decideAlone(limits, next, Offer.NONE).remaining()).isEqualTo(6);
        assertThat(key.offer().decide(limits, 1, next).remaining()).isEqualTo(5);
    }

    @Test
    void decideAlone_firstGrantOfATickAfterAnOffer_opensAnOfferIfThatWasUsed() {
        Limits limits = Limits.parse("9/1s");
        decide(limits, 1, START);
        decide(limits, 1, START);
        Offer offer = key.offer();

        enterAndUnlock();
        assertThat(decideAlone(limits, START + 2 * MS, offer).remaining()).isEqualTo(6);
        assertThat(key.offer()).as("after an unused one").isSameAs(Offer.NONE);
        decideAlone(limits, START + 2 * MS, Offer.NONE);
        Offer used = key.offer();
        assertThat(used.decide(limits, 1, START + 2 * MS).allowed()).isTrue();

        enterAndUnlock();
        assertThat(decideAlone(limits, START + 4 * MS, used).remaining()).isEqualTo(3);
        assertThat(key.offer().decide(limits, 1, START + 4 * MS).remaining()).isEqualTo(2);
    }

    @Test
    void decideAlone_delayedReading_opensAnOfferOfTheTimeOfTheKey() {
        Limits limits = Limits.parse("9/1s");
        decide(limits, 1, START);
        long next = START + 2 * MS;
        decideAlone(limits, next, Offer.NONE);

        Decision late = decideAlone(limits, next - MS, Offer.NONE);
        Decision later = key.offer().decide(limits, 1, next - MS);

        assertThat(late.remaining()).isEqualTo(6);
        assertThat(later.remaining()).isEqualTo(5);
        assertThat(later.timeNanos()).isEqualTo(late.timeNanos()).isEqualTo(next);
        assertThat(later.resetAfterNanos()).isEqualTo(late.resetAfterNanos());
    }

    @Test
    void offer_endOfTheTick_grantsNoMore() {
        Limits limits = Limits.parse("9/1s");
        decide(limits, 1, START);
        decide(limits, 1, START);
        Offer offer = key.offer();
        long end = START - 1 + MS;

        assertThat(offer.decide(limits, 1, START - 1).timeNanos())
                .as("not before")
                .isEqualTo(START);
        assertThat(offer.decide(limits, 1, end).allowed()).isTrue();
        assertThat(offer.decide(limits, 1, end + 1)).isNull();
    }

    @Test
    void offer_twoLimits_reportsBothAndLeavesDenialsToTheLock() {
        Limits limits = Limits.parse("3/1s", "5/1m");
        decide(limits, 1, START);
        decide(limits, 1, START);
        Offer offer = key.offer();

        Decision granted = offer.decide(limits, 1, START);

        assertThat(granted.statuses()).extracting(Status::remaining).containsExactly(0L, 2L);
        assertThat(offer.decide(limits, 1, START)).isNull();
    }

    @Test
    void denial_onePermitAndNoneLeft_isRepeatedByAnOffer() {
        for (String[] texts : new String[][] {{"2/1s"}, {"2/1s", "9/1m"}}) {
            key = new KeyState("limiter", "key", START);
            Limits limits = Limits.parse(texts);
            decide(limits, 2, START);
            Decision denied = decide(limits, 1, START + 10);

            Decision repeated = key.offer().decide(limits, 1, START + 20);

            assertThat(repeated.allowed()).isFalse();
            assertThat(repeated.retryAfterNanos()).isEqualTo(denied.retryAfterNanos() - 10);
            assertThat(repeated.resetAfterNanos()).isEqualTo(denied.resetAfterNanos() - 10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2/1s", "9/1s", "2/1s count=attempts", "leaky-bucket 2/1s capacity=5"})
    void denial_thatMayChange_opensNoOffer(String text) {
        Limits limits = Limits.parse(text);
        decide(limits, text.startsWith("leaky") ? 1 : 2, START);

        assertThat(decide(limits, text.equals("2/1s") ? 2 : text.equals("9/1s") ? 8 : 1, START)
                        .allowed())
                .isFalse();

        assertThat(key.offer()).isSameAs(Offer.NONE);
    }

    @Test
    void grant_delayedReading_opensNoOffer() {
        Limits limits = Limits.parse("9/1s", "9/1m");
        decide(limits, 1, START);
        decide(limits, 1, START - 1);

        assertThat(key.offer()).isSameAs(Offer.NONE);
    }

    @Test
    void decision_blockedKey_opensNoOffer() {
        Limits limits = Limits.parse("1/1s");
        decide(limits, 1, START);
        key.block(START, 10);

        assertThat(decide(limits, 1, START).blocked()).isTrue();
        assertThat(key.offer()).isSameAs(Offer.NONE);
    }

    @Test
    void equalLimits_theFirstIsNamed() {
        Limits limits = Limits.parse("1/1s name=a", "1/1s name=b");

        assertThat(decide(limits, 1, START).limit().name()).isEqualTo("a");
        assertThat(decide(limits, 1, START).limit().name()).isEqualTo("a");
    }
}
