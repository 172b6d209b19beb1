package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RateLimitResponseTest {
    private static final Set<HeaderForm> ALL = EnumSet.allOf(HeaderForm.class);

    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();

    private RateLimiter limiter(String name, String... limits) {
        return RateLimiter.builder()
                .name(name)
                .limits(Limits.parse(limits))
                .store(store)
                .build();
    }

    private static RateLimitResponse response(RateLimiter limiter, long permits) {
        return RateLimitResponse.of(limiter.tryAcquire("key", permits), List.of(limiter.request("key", permits)));
    }

    @Test
    void headers_allowed_reportTheLimit() {
        RateLimitResponse response = response(limiter("api", "100/1m"), 40);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.headers(ALL))
                .isEqualTo(Map.of(
                        "RateLimit-Policy", "\"api\";q=100;w=60",
                        "RateLimit", "\"api\";r=60;t=60",
                        "RateLimit-Limit", "100",
                        "RateLimit-Remaining", "60",
                        "RateLimit-Reset", "60",
                        "X-RateLimit-Limit", "100",
                        "X-RateLimit-Remaining", "60",
                        "X-RateLimit-Reset", "60"));
    }

    /** A queue that is full has room again long before it is empty. */
    @Test
    void headers_deniedByAFullQueue_noTimeIsLaterThanRetryAfter() {
        RateLimiter queue = limiter("api", "leaky-bucket 10/10s", "1000/1h");
        for (int i = 0; i < 11; i++) {
            assertThat(queue.reserve("key", Duration.ofSeconds(20)).decision().allowed())
                    .isEqualTo(i < 10);
        }
        Decision denial = queue.reserve("key", Duration.ofSeconds(20)).decision();

        Map<String, String> headers =
                RateLimitResponse.of(denial, List.of(queue.request("key", 1))).headers(ALL);

        assertThat(headers)
                .containsEntry("Retry-After", "1")
                .containsEntry("RateLimit-Reset", "1")
                .containsEntry("X-RateLimit-Reset", "1");
        assertThat(headers.get("RateLimit")).contains("\"api-0\";r=0;t=1");
    }

    @Test
    void headers_denied_roundTimesUp() {
        RateLimiter limiter = limiter("api", "1/10s");
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        time.advance(Duration.ofMillis(4_500));

        RateLimitResponse response = response(limiter, 1);

        assertThat(response.status()).isEqualTo(429);
        assertThat(response.headers(ALL))
                .containsEntry("Retry-After", "6")
                .containsEntry("RateLimit", "\"api\";r=0;t=6")
                .containsEntry("X-RateLimit-Reset", "6");
        time.advance(Duration.ofSeconds(6));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void headers_severalLimits_nameEachAndAreNotLaterThanRetryAfter() {
        RateLimiter limiter = limiter("api", "1/1s", "1000/1d");
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();

        Map<String, String> headers = response(limiter, 1).headers(EnumSet.of(HeaderForm.RATE_LIMIT));

        assertThat(headers)
                .isEqualTo(Map.of(
                        "Retry-After", "1",
                        "RateLimit-Policy", "\"api-0\";q=1;w=1, \"api-1\";q=1000;w=86400",
                        "RateLimit", "\"api-0\";r=0;t=1, \"api-1\";r=999;t=1"));
    }

    @Test
    void headers_severalRequests_nameEachLimiter() {
        Request user = limiter("user", "5/1s").request("u", 1);
        Request tenant = limiter("tenant", "9/1s").request("t", 1);

        Decision decision = RateLimiter.tryAcquireAll(user, tenant);

        assertThat(RateLimitResponse.of(decision, List.of(user, tenant)).headers(ALL))
                .containsEntry("RateLimit-Policy", "\"user\";q=5;w=1, \"tenant\";q=9;w=1")
                .containsEntry("RateLimit-Limit", "5");
    }

    @Test
    void headers_limitsChangedSince_areThoseOfTheDecision() {
        RateLimiter changed = limiter("user", "1/1s");
        Request user = changed.request("u", 1);
        Request tenant = limiter("tenant", "1/1s").request("t", 1);
        Decision allowed = RateLimiter.tryAcquireAll(user, tenant);
        Decision denied = RateLimiter.tryAcquireAll(user, tenant);

        changed.changeLimits(Limits.parse("4/1s", "50/1m"));

        assertThat(RateLimitResponse.of(allowed, List.of(user, tenant)).headers(ALL))
                .containsEntry("RateLimit-Policy", "\"user\";q=1;w=1, \"tenant\";q=1;w=1");
        assertThat(RateLimitResponse.of(denied, List.of(user, tenant)).problem())
                .contains("\"violated-policies\":[\"user\",\"tenant\"]");
    }

    /** As for a denial of several limiters, which the starter reports by the one that denied. */
    @Test
    void headers_partOfAJointDecision_nameItsLimiter() {
        Request user = limiter("user", "5/1s").request("u", 1);
        Request tenant = limiter("tenant", "9/1s", "99/1m").request("t", 1);
        Decision decision = RateLimiter.tryAcquireAll(user, tenant);

        Decision part = decision.withStatuses(decision.statuses().subList(1, 3));

        assertThat(RateLimitResponse.of(part, List.of(tenant)).headers(ALL))
                .containsEntry("RateLimit-Policy", "\"tenant-0\";q=9;w=1, \"tenant-1\";q=99;w=60");
    }

    @Test
    void headers_olderForms_reportTheLimitThatDeniesTheLongest() {
        RateLimiter limiter = limiter("api", "4/1m", "3/1s");
        assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue();

        assertThat(response(limiter, 3).headers(ALL))
                .containsEntry("X-RateLimit-Limit", "4")
                .containsEntry("X-RateLimit-Remaining", "2")
                .containsEntry("X-RateLimit-Reset", "60");
    }

    @Test
    void headers_windowBelowASecond_isRoundedUp() {
        assertThat(response(limiter("api", "5/100ms"), 1).headers(ALL))
                .containsEntry("RateLimit-Policy", "\"api\";q=5;w=1");
    }

    @Test
    void headers_unlimited_reportNothing() {
        RateLimiter limiter = RateLimiter.builder()
                .name("all")
                .limit(Limit.unlimited())
                .store(store)
                .build();

        assertThat(response(limiter, 1).headers(ALL)).isEmpty();
    }

    @Test
    void headers_unlimitedWithAName_reportNothing() {
        assertThat(response(limiter("all", "unlimited name=free"), 1).headers(ALL))
                .isEmpty();
    }

    @Test
    void headers_longerThanClientsCount_areNotLaterThanRetryAfter() {
        RateLimiter limiter = limiter("api", "1/26000d");
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();

        assertThat(response(limiter, 1).headers(ALL))
                .containsEntry("Retry-After", "2147483647")
                .containsEntry("RateLimit", "\"api\";r=0;t=2147483647")
                .containsEntry("X-RateLimit-Reset", "2147483647");
    }

    @Test
    void headers_leakyBucket_noneRemainUntilTheNextMayStart() {
        RateLimiter limiter = limiter("api", "leaky-bucket 2/10s");

        assertThat(response(limiter, 1).headers(ALL))
                .containsEntry("RateLimit-Policy", "\"api\";q=2;w=10")
                .containsEntry("RateLimit", "\"api\";r=0;t=5")
                .containsEntry("RateLimit-Remaining", "0")
                .containsEntry("X-RateLimit-Remaining", "0")
                .containsEntry("X-RateLimit-Reset", "5");
        assertThat(response(limiter, 1).headers(ALL))
                .containsEntry("Retry-After", "5")
                .containsEntry("RateLimit", "\"api\";r=0;t=5")
                .containsEntry("X-RateLimit-Remaining", "0");
        time.advance(Duration.ofSeconds(5));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void headers_leakyBucketWithoutRequests_oneRemains() {
        RateLimiter limiter = limiter("api", "leaky-bucket 5/10s", "1/1m");
        Decision idle = limiter.peek("key");

        assertThat(RateLimitResponse.of(idle, List.of(limiter.request("key", 1)))
                        .headers(ALL))
                .containsEntry("RateLimit", "\"api-0\";r=1;t=0, \"api-1\";r=1;t=0");
    }

    @Test
    void headers_leakyBucketBesideAnotherLimit_isTheMostRestrictive() {
        assertThat(response(limiter("api", "leaky-bucket 3/10s", "2/1m"), 1).headers(ALL))
                .containsEntry("X-RateLimit-Limit", "3")
                .containsEntry("X-RateLimit-Remaining", "0");
    }

    @Test
    void neverAllowed_hasNoRetryAfter() {
        RateLimitResponse response = response(limiter("api", "5/1s"), 6);

        assertThat(response.headers(ALL))
                .doesNotContainKey("Retry-After")
                .containsEntry("RateLimit", "\"api\";r=5;t=0");
        assertThat(response.problem()).contains("more than the limit ever allows");
    }

    @Test
    void problem_denied_namesViolatedPoliciesOnly() {
        RateLimiter limiter = limiter("api", "1/1s", "1000/1d");
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();

        assertThat(response(limiter, 1).problem())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Too many requests\",\"status\":429,\"detail\":\"Retry in 1 second.\","
                        + "\"violated-policies\":[\"api-0\"]}");
    }

    @Test
    void problem_blocked_namesNoPolicy() {
        RateLimiter limiter = limiter("api", "1/1s", "1000/1d");
        limiter.block("key", Duration.ofSeconds(30));

        assertThat(response(limiter, 1).problem())
                .contains("\"detail\":\"Retry in 30 seconds.\"", "\"violated-policies\":[]");
    }

    @Test
    void problem_allowed_throws() {
        RateLimitResponse response = response(limiter("api", "5/1s"), 1);

        assertThatIllegalStateException().isThrownBy(response::problem);
    }
}
