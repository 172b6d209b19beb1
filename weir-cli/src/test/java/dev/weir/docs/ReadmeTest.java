package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.redis.RedisStore;
import dev.weir.store.FailurePolicy;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Every Java snippet of the pages is a region of this class, and every region stands on a page; so what readers copy
 * compiles and does what is said of it.
 */
final class ReadmeTest {
    private static final Path SOURCE = Pages.ROOT.resolve("weir-cli/src/test/java/dev/weir/docs/ReadmeTest.java");

    private final String userId = "user-1";
    private final String tenantId = "tenant-1";
    private final String redisHost = "127.0.0.1:1"; // nobody is there
    private final Order order = new Order(1);
    private final Gateway gateway = Receipt::new;

    @Test
    void snippets_areTheRegionsOfThisTest() {
        List<String> snippets =
                Pages.blocks("java").stream().map(Pages.Block::text).toList();

        assertThat(snippets).containsExactlyInAnyOrderElementsOf(regions());
    }

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
    void example_firstRequest_passes() {
        // region
        RateLimiter perUser = RateLimiter.of(Limit.slidingLog(100, Duration.ofMinutes(1)));

        Decision decision = perUser.tryAcquire(userId);
        if (!decision.allowed()) {
            throw tooManyRequests(decision.retryAfter());
        }
        // endregion
        assertThat(decision.remaining()).isEqualTo(99);
        assertThat(perUser.tryAcquire(userId, 99).allowed()).isTrue();
        assertThat(perUser.tryAcquire(userId).retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(60_001));
    }

    @Test
    void call_turnInTime_runsTheTask() throws Exception {
        // region
        RateLimiter provider = RateLimiter.of(Limit.slidingLog(100, Duration.ofSeconds(1)));

        Receipt receipt = provider.call("psp-1", Duration.ofSeconds(2), () -> gateway.pay(order));
        // endregion
        assertThat(receipt.order).isEqualTo(order);
    }

    @Test
    void call_turnTooLate_throwsTheDecision() {
        RateLimiter provider = onManualClock("100/1s");
        provider.tryAcquire("psp-1", 100);

        assertThatThrownBy(() -> provider.call("psp-1", Duration.ofMillis(999), () -> gateway.pay(order)))
                .isInstanceOfSatisfying(
                        RateLimitedException.class,
                        denial -> assertThat(denial.decision().retryAfter()).isEqualTo(Duration.ofSeconds(1)));
    }

    @Test
    void waiting_threeWays() throws InterruptedException {
        RateLimiter provider = onManualClock("100/1s");
        // region
        Decision turn = provider.acquire("psp-1", Duration.ofSeconds(2)); // this thread waits
        CompletableFuture<Decision> later = provider.acquireAsync("psp-1", Duration.ofSeconds(2)); // no thread waits
        Reservation batch = provider.reserve("psp-1", 50, Duration.ofSeconds(2)); // you wait, as you like

        batch.refund(20); // 30 were enough; cancel() gives back all of it
        // endregion
        assertThat(turn.allowed()).isTrue();
        assertThat(later.join().allowed()).isTrue();
        assertThat(provider.peek("psp-1").remaining()).isEqualTo(68);
    }

    @Test
    void severalLimits_theFirstToRunOut_binds() {
        // region
        RateLimiter api = RateLimiter.builder().limit("10/1s").limit("1000/1d").build();
        // endregion
        Decision decision = api.tryAcquire(userId);
        assertThat(decision.limit()).isEqualTo(Limit.parse("10/1s"));
        assertThat(decision.remaining()).isEqualTo(9);
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
    void severalProcesses_redisAway_eachGetsItsShare() {
        // region
        RateLimiter shared = RateLimiter.builder()
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
    void changeLimits_whatWasUsed_counts() {
        RateLimiter api = onManualClock("10/1s", "1000/1d");
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
    void manualClock_goesWhenTold() {
        // region
        ManualClock clock = new ManualClock();
        RateLimiter limiter = RateLimiter.builder().limit("2/1s").clock(clock).build();

        limiter.tryAcquire("k", 2);
        assertThat(limiter.tryAcquire("k").retryAfter()).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
        // endregion
    }

    private static List<String> regions() {
        List<String> regions = new ArrayList<>();
        List<String> open = null;
        for (String line : Pages.lines(SOURCE)) {
            if (line.strip().equals("// region")) {
                open = new ArrayList<>();
            } else if (line.strip().equals("// endregion") && open != null) {
                regions.add(String.join("\n", open).stripIndent() + "\n");
                open = null;
            } else if (open != null) {
                open.add(line);
            }
        }
        return regions;
    }

    private static RateLimiter onManualClock(String... limits) {
        return RateLimiter.builder()
                .limits(Limits.parse(limits))
                .clock(new ManualClock())
                .build();
    }

    private static boolean isPremium(String user) {
        return user.startsWith("premium");
    }

    private static IllegalStateException tooManyRequests(Duration retryAfter) {
        return new IllegalStateException("429, retry after " + retryAfter);
    }

    private record Order(long number) {}

    private record Receipt(Order order) {}

    /** A payment provider. */
    private interface Gateway {
        Receipt pay(Order order);
    }
}
