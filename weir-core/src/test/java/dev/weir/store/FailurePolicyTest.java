package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.LimiterListener;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What failure policies decide while the store fails. */
class FailurePolicyTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ManualTimeSource clock = new ManualTimeSource();
    private final DistantStore store = new DistantStore(clock);
    private final List<String> failures = new ArrayList<>();

    private RateLimiter.Builder limiter(String limit) {
        return RateLimiter.builder()
                .name("test")
                .limit(limit)
                .store(store)
                .executor(Runnable::run)
                .listener(new LimiterListener() {
                    @Override
                    public void storeFailed(String limiter, String key, StoreException why) {
                        failures.add(limiter + " " + key + " " + why.getMessage());
                    }
                });
    }

    @Test
    void requestWithOwnLimits_policyDecidesByThem() {
        RateLimiter limiter = limiter("100/1s").build();
        store.down = true;
        Limits own = Limits.parse("1/1s");

        Decision decision = RateLimiter.tryAcquireAll(limiter.request("key", 1, own));

        assertThat(decision.allowed() && decision.degraded()).isTrue();
        assertThat(limiter.peekAsync(limiter.request("key", 1, own)).join().allowed())
                .isFalse();
        assertThat(limiter.peek("key").allowed()).isTrue();
    }

    @Test
    void open_admitsUncounted_andReportsIt() {
        RateLimiter limiter =
                limiter("1/1s").whenStoreFails(FailurePolicy.open()).build();
        store.down = true;
        for (int i = 0; i < 3; i++) {
            Decision decision = limiter.tryAcquire("key");
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.degraded()).isTrue();
        }
        assertThat(failures).hasSize(3).containsOnly("test key down");

        store.down = false;
        assertThat(limiter.tryAcquire("key").degraded()).isFalse();
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void closed_denies_forTheShortestWindow() throws Exception {
        RateLimiter limiter =
                limiter("5/1s").whenStoreFails(FailurePolicy.closed()).build();
        store.down = true;

        Decision decision = limiter.tryAcquire("key");

        assertThat(decision.allowed()).isFalse();
        assertThat(decision.degraded()).isTrue();
        assertThat(decision.retryAfterNanos()).isEqualTo(SECOND);
        assertThat(limiter.tryAcquire("key", Duration.ofSeconds(5)).allowed()).isFalse();
        assertThat(limiter.tryAcquireAsync("key", Duration.ofSeconds(5)).join().allowed())
                .isFalse();
        assertThat(limiter.peek("key").allowed()).isFalse();
        store.down = false;
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(4);
    }

    @Test
    void closed_together_deniesForTheShortestWindowOfAll() {
        RateLimiter limiter =
                limiter("5/1h").whenStoreFails(FailurePolicy.closed()).build();
        store.down = true;

        Decision decision = RateLimiter.tryAcquireAll(
                limiter.request("one", 1), limiter.request("other", 1, Limits.parse("5/1m", "5/1s")));

        assertThat(decision.retryAfterNanos()).isEqualTo(SECOND);
    }

    @Test
    void closed_unlimited_hasNoWindow() {
        RateLimiter limiter =
                limiter("5/1h").whenStoreFails(FailurePolicy.closed()).build();
        store.down = true;
        Limits none = Limits.parse("unlimited");

        Decision both = RateLimiter.tryAcquireAll(limiter.request("one", 1), limiter.request("other", 1, none));
        Decision unlimited = RateLimiter.tryAcquireAll(limiter.request("key", 1, none));

        assertThat(both.retryAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(both.statuses()).extracting(Status::resetAfterNanos).containsOnly(3600 * SECOND);
        assertThat(unlimited.retryAfterNanos()).isEqualTo(SECOND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/1s",
                "sliding-window 10/1s",
                "fixed-window 10/1s",
                "token-bucket 10/1s",
                "gcra 10/1s burst=10",
                "leaky-bucket 10/1s"
            })
    void local_grantsItsShareOfEveryAlgorithm_inTermsOfTheWholeLimit(String limit) {
        RateLimiter limiter =
                limiter(limit).whenStoreFails(FailurePolicy.local(0.25)).build();
        store.down = true;
        int granted = 0;
        for (int i = 0; i < 10; i++) {
            Reservation reservation = limiter.reserve("key", 1, Duration.ofMillis(600));
            assertThat(reservation.decision().limit())
                    .isEqualTo(limiter.limits("key").list().get(0));
            assertThat(reservation.decision().degraded()).isTrue();
            granted += reservation.decision().allowed() ? 1 : 0;
        }
        boolean refillsByHalfASecond = limit.startsWith("token") || limit.startsWith("gcra");
        assertThat(granted).isEqualTo(refillsByHalfASecond ? 3 : 2);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0.3, 3",
        "10, 0.7, 7",
        "9, 0.3333333333333333, 3",
        "98, 0.02040816326530612, 2",
        "10, 0.29, 2",
        "7, 1, 7",
        "2251799813685249, 0.75, 1688849860263936"
    })
    void local_shareThatIsNoDouble_isTheNumberMeantRoundedDown(long permits, double share, long granted) {
        RateLimiter limiter = limiter(permits + "/1s")
                .whenStoreFails(FailurePolicy.local(share))
                .build();
        store.down = true;

        assertThat(limiter.peek("key").remaining()).isEqualTo(granted);
    }

    @Test
    void local_moreThanItsShareButNotThanTheLimit_isNotYet() {
        RateLimiter limiter =
                limiter("10/1s").whenStoreFails(FailurePolicy.local(0.25)).build();
        store.down = true;

        assertThat(limiter.tryAcquire("key", 3).allowed()).isFalse();
        assertThat(limiter.tryAcquire("key", 3).retryAfterNanos()).isEqualTo(SECOND);
        assertThat(limiter.tryAcquire("key", 11).never()).isTrue();
        assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue();
    }

    @Test
    void local_moreThanTheShareOfOneOfSeveralLimits_statusesSayNotYet() {
        RateLimiter limiter = RateLimiter.builder()
                .name("several")
                .limits(Limits.parse("20/1m", "10/1s"))
                .store(store)
                .whenStoreFails(FailurePolicy.local(0.25))
                .build();
        store.down = true;

        Decision notYet = limiter.tryAcquire("key", 4);
        Decision never = limiter.tryAcquire("key", 11);

        assertThat(notYet.never()).isFalse();
        assertThat(notYet.statuses()).extracting(Status::retryAfterNanos).containsExactly(0L, SECOND);
        assertThat(never.never()).isTrue();
        assertThat(never.limit()).hasToString("sliding-log 10/1s");
        assertThat(never.statuses()).extracting(Status::retryAfterNanos).containsExactly(60 * SECOND, Long.MAX_VALUE);
    }

    @Test
    void local_isTheDefault_andWaitsAreLocal() {
        RateLimiter limiter = limiter("1/1s").build();
        store.down = true;
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();

        Reservation second = limiter.reserve("key", 1, Duration.ofSeconds(2));

        assertThat(second.decision().waitNanos()).isEqualTo(SECOND);
        assertThat(second.cancel()).isTrue();
        assertThat(limiter.reserve("key", 1, Duration.ofSeconds(2)).decision().waitNanos())
                .isEqualTo(SECOND);
    }

    @Test
    void local_limitersOfAStore_shareItsMemory() {
        RateLimiter one = limiter("1/1s").build();
        RateLimiter sameName =
                limiter("1/1s").whenStoreFails(FailurePolicy.local(0.5)).build();
        RateLimiter otherName = limiter("1/1s").name("other").build();
        DistantStore another = new DistantStore(clock);
        RateLimiter otherStore = limiter("1/1s").store(another).build();
        store.down = true;
        another.down = true;
        assertThat(one.tryAcquire("key").allowed()).isTrue();

        assertThat(sameName.tryAcquire("key").allowed()).isFalse();
        assertThat(otherName.tryAcquire("key").allowed()).isTrue();
        assertThat(otherStore.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void local_limitersAreUnreachable_storeIsNotKept() {
        WeakReference<Store> unreachable = storeOfALimiter();

        Await.until("the store is collected", () -> {
            System.gc();
            return unreachable.get() == null;
        });
    }

    private WeakReference<Store> storeOfALimiter() {
        DistantStore own = new DistantStore(clock);
        RateLimiter limiter = limiter("1/1s").store(own).build();
        own.down = true;
        assertThat(limiter.tryAcquire("key").degraded()).isTrue();
        return new WeakReference<>(own);
    }

    @Test
    void acquireAsync_storeFails_decidesByPolicy() {
        RateLimiter limiter = limiter("1/1s").build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ZERO);
        store.down = true;
        store.arrival.complete(null);

        assertThat(due.join().degraded()).isTrue();
        assertThat(failures).containsExactly("test key down");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.01, Double.NaN})
    void local_noShare_isRefused(double share) {
        assertThatThrownBy(() -> FailurePolicy.local(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("share must be above 0 and at most 1, was ");
    }

    @Test
    void together_limitersOfOnePolicy_waitTogether() {
        RateLimiter user = limiter("1/2s").name("user").build();
        RateLimiter tenant = limiter("1/3s").name("tenant").build();
        store.down = true;
        assertThat(user.tryAcquire("a").allowed()).isTrue();
        assertThat(tenant.tryAcquire("b").allowed()).isTrue();
        Duration longest = Duration.ofSeconds(3);

        Reservation both = RateLimiter.reserveAll(longest, user.request("a", 1), tenant.request("b", 1));

        assertThat(both.decision().degraded()).isTrue();
        assertThat(both.decision().waitTime()).isEqualTo(longest);
        assertThat(both.cancel()).isTrue();
        assertThat(user.reserve("a", 1, longest).decision().waitTime()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void together_limitersOfDifferentShares_doNotWait() {
        RateLimiter user = limiter("1/2s").name("user").build();
        RateLimiter tenant = limiter("1/3s")
                .name("tenant")
                .whenStoreFails(FailurePolicy.local(0.5))
                .build();
        store.down = true;
        assertThat(user.tryAcquire("a").allowed()).isTrue();

        Reservation both = RateLimiter.reserveAll(Duration.ofSeconds(3), user.request("a", 1), tenant.request("b", 1));

        assertThat(both.decision().allowed()).isFalse();
        assertThat(tenant.tryAcquire("b").allowed()).as("refunded").isTrue();
    }

    @Test
    void together_limitersOfDifferentPolicies_allOrNone() {
        RateLimiter local = limiter("1/1s").name("local").build();
        RateLimiter closed = limiter("9/1s")
                .name("closed")
                .whenStoreFails(FailurePolicy.closed())
                .build();
        store.down = true;

        assertThat(RateLimiter.tryAcquireAll(local.request("a", 1), closed.request("b", 1))
                        .allowed())
                .isFalse();

        assertThat(failures).containsExactly("local a down", "closed b down");
        assertThat(local.tryAcquire("a").allowed()).as("refunded").isTrue();
    }

    @Test
    void local_limitsOfOtherKeysMeanwhile_namesTheMostRestrictiveLimit() {
        Limits plan = Limits.parse("100/1s", "8/1h");
        Limits other = Limits.parse("100/1s", "80/1h");
        RateLimiter limiter = RateLimiter.builder()
                .name("test")
                .limitsByKey(key -> key.equals("key") ? plan : other)
                .store(store)
                .whenStoreFails(FailurePolicy.local(0.25))
                .build();
        store.down = true;
        for (int i = 0; i < 5; i++) {
            limiter.tryAcquire("key");
            limiter.tryAcquire("other");
            Decision reserved = limiter.reserve("key", 1, Duration.ZERO).decision();
            assertThat(reserved.degraded()).isTrue();
            assertThat(plan.list()).contains(reserved.limit());
        }

        Decision denied = limiter.tryAcquire("key");

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.limit()).isEqualTo(plan.list().get(1));
    }

    @Test
    void local_moreThanALessRestrictiveLimit_isNever() {
        RateLimiter limiter = RateLimiter.builder()
                .name("test")
                .limits(Limits.parse("100/1m", "4/1m"))
                .store(store)
                .whenStoreFails(FailurePolicy.local(0.04))
                .build();
        store.down = true;

        assertThat(limiter.tryAcquire("key", 5).never()).isTrue();
        assertThat(limiter.tryAcquire("key", 4).never()).isFalse();
    }
}
