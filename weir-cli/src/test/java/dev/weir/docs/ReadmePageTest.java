package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.KeySnapshot;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.redis.RedisStore;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The Java snippets of README.md and docs/redis.md: each is a region of this class. */
final class ReadmePageTest {
    private final String userId = "user-1";
    private final String tenantId = "tenant-1";
    private final String redisHost = "127.0.0.1:1"; // nothing listens there
    private final Order order = new Order(1);
    private final Gateway gateway = Receipt::new;

    @Test
    void coordinates_areThoseOfTheBuild() {
        List<String> pom = Pages.lines(Pages.ROOT.resolve("pom.xml"));
        String version = pom.stream()
                .map(String::strip)
                .filter(line -> line.startsWith("<version>"))
                .findFirst()
                .orElseThrow();

        assertThat(Pages.blocks("xml"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(block.text()).contains("<groupId>dev.weir</groupId>", version));
    }

    @Test
    void firstSnippet_allowsAFirstRequest() {
        assertThat(firstRequest()).isEqualTo("200");
        assertThat(tooManyRequests(1)).isEqualTo("429, Retry-After: 1");
    }

    private String firstRequest() {
        // region
        RateLimiter perUser = RateLimiter.of(Limit.slidingLog(100, Duration.ofMinutes(1))); // one for the application

        Decision decision = perUser.tryAcquire(userId);
        if (!decision.allowed()) {
            return tooManyRequests(decision.retryAfterSeconds()); // rounded up
        }
        // endregion
        return "200";
    }

    @Test
    void call_permitInTime_runsTheTask() throws Exception {
        // region
        Limit quota = Limit.slidingLog(100, Duration.ofSeconds(1)).margin(Duration.ofMillis(20));
        RateLimiter provider = RateLimiter.of(quota);

        Receipt receipt = provider.call("psp-1", Duration.ofSeconds(2), () -> gateway.pay(order));
        // endregion
        assertThat(receipt.order).isEqualTo(order);
    }

    @Test
    void call_permitTooLate_throwsTheDecision() {
        RateLimiter provider = onManualTime("100/1s");
        provider.tryAcquire("psp-1", 100);

        assertThatThrownBy(() -> provider.call("psp-1", Duration.ofMillis(999), () -> gateway.pay(order)))
                .isInstanceOfSatisfying(
                        RateLimitedException.class,
                        denial -> assertThat(denial.decision().retryAfter()).isEqualTo(Duration.ofSeconds(1)));
    }

    @Test
    void waiting_fourWays() throws InterruptedException {
        RateLimiter provider = onManualTime("100/1s");
        // region
        Decision decision = provider.tryAcquire("psp-1", Duration.ofSeconds(2)); // this thread waits at most 2 s
        Decision allowed = provider.acquire("psp-1", Duration.ofSeconds(2)); // or throws
        CompletableFuture<Decision> later = provider.tryAcquireAsync("psp-1", Duration.ofSeconds(2)); // no thread waits
        Reservation batch = provider.reserve("psp-1", 50, Duration.ofSeconds(2)); // wait for it as you like

        batch.refund(20); // 30 were enough; cancel() releases all of it
        // endregion
        assertThat(decision.allowed()).isTrue();
        assertThat(allowed.allowed()).isTrue();
        assertThat(later.join().allowed()).isTrue();
        assertThat(provider.peek("psp-1").remaining()).isEqualTo(67);
    }

    @Test
    void severalLimits_areAllReported() {
        // region
        RateLimiter api = RateLimiter.builder().limit("10/1s").limit("1000/1d").build();

        List<Status> statuses = api.tryAcquire(userId).statuses();
        // endregion
        assertThat(statuses).extracting(Status::remaining).containsExactly(9L, 999L);
    }

    @Test
    void severalKeys_allOrNothing() {
        // region
        MemoryStore store = MemoryStore.create();
        RateLimiter perUser =
                RateLimiter.builder().name("user").limit("10/1s").store(store).build();
        RateLimiter perTenant = RateLimiter.builder()
                .name("tenant")
                .limit("100/1s")
                .store(store)
                .build();

        Decision decision = RateLimiter.tryAcquireAll(perUser.request(userId, 1), perTenant.request(tenantId, 5));
        // endregion
        assertThat(decision.allowed()).isTrue();
        Decision tooMuch = RateLimiter.tryAcquireAll(perUser.request(userId, 1), perTenant.request(tenantId, 101));
        assertThat(tooMuch.never()).isTrue();
        assertThat(perUser.peek(userId).remaining()).isGreaterThanOrEqualTo(9);
    }

    @Test
    void severalProcesses_redisDown_eachGetsItsShare() {
        // region
        RateLimiter shared = RateLimiter.builder()
                .name("api")
                .limit("100/1m")
                .store(RedisStore.connect("redis://" + redisHost))
                .whenStoreFails(FailurePolicy.local(0.25))
                .build();
        // endregion
        assertThat(shared.tryAcquire(userId, 25).allowed()).isTrue();
        assertThat(shared.tryAcquire(userId).allowed()).isFalse();
        assertThat(shared.tryAcquire(userId).degraded()).isTrue();
    }

    @Test
    void oneStore_forAllLimiters() {
        // region
        RedisStore redis = RedisStore.connect("redis://" + redisHost); // one for the application

        RateLimiter perUser = RateLimiter.builder()
                .name("per-user") // limiters of one name share their keys
                .limit("100/1m")
                .limit("1000/1d")
                .store(redis)
                .whenStoreFails(FailurePolicy.local(0.25)) // or open(), closed()
                .build();
        // endregion
        assertThat(perUser.tryAcquire(userId).degraded()).isTrue();
        redis.close();
    }

    @Test
    void changeLimits_countsWhatWasGranted() {
        RateLimiter api = onManualTime("10/1s", "1000/1d");
        api.tryAcquire(userId, 10);
        // region
        api.changeLimits(Limits.parse("20/1s", "1000/1d"));
        // endregion
        assertThat(api.peek(userId).remaining()).isEqualTo(10);
    }

    @Test
    void limitsByKey_followThePlan() {
        // region
        Limits free = Limits.parse("60/1m");
        Limits premium = Limits.parse("600/1m");
        RateLimiter byPlan = RateLimiter.builder()
                .limitsByKey(user -> isPremium(user) ? premium : free)
                .build();
        // endregion
        assertThat(byPlan.peek(userId).remaining()).isEqualTo(60);
        assertThat(byPlan.peek("premium-1").remaining()).isEqualTo(600);
    }

    @Test
    void operators_lookBlockAndReset() {
        RateLimiter api = onManualTime("10/1s");
        api.tryAcquire(userId, 4);
        // region
        KeySnapshot snapshot = api.inspect(userId); // its log, pending reservations, and when permits fit
        api.block(userId, Duration.ofMinutes(10)); // decision.blocked() is then true
        api.unblock(userId);
        api.reset(userId);
        // endregion
        assertThat(snapshot.limits().get(0).remaining()).isEqualTo(6);
        assertThat(api.peek(userId).remaining()).isEqualTo(10);
    }

    private static RateLimiter onManualTime(String... limits) {
        return RateLimiter.builder()
                .limits(Limits.parse(limits))
                .timeSource(new ManualTimeSource())
                .build();
    }

    private static boolean isPremium(String user) {
        return user.startsWith("premium");
    }

    private static String tooManyRequests(long retryAfterSeconds) {
        return "429, Retry-After: " + retryAfterSeconds;
    }

    private record Order(long number) {}

    private record Receipt(Order order) {}

    /** A payment provider. */
    private interface Gateway {
        Receipt pay(Order order);
    }
}
