package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Accounting.Method;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A seventh algorithm is one class and one registration. */
class SeventhAlgorithmTest {
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final ManualTimeSource clock = new ManualTimeSource();

    /** Evenly paced requests, of which two may come together. */
    private static final class Paced extends Limit {
        Paced(LimitSpec spec) {
            super(spec.burst("together", 2, Method.SPACING));
        }
    }

    @BeforeAll
    static void register() {
        Limit.KINDS.put("paced", Paced::new);
    }

    @AfterAll
    static void unregister() {
        Limit.KINDS.remove("paced");
    }

    @Test
    void text_isReadCheckedAndWritten() {
        assertThat(Limit.parse("paced 10/1s together=2"))
                .isInstanceOf(Paced.class)
                .isEqualTo(Limit.parse("paced 10/1000ms"))
                .hasToString("paced 10/1s");
        assertThat(Limit.parse("paced 10/1s together=3").named("a")).hasToString("paced 10/1s together=3 name=a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("paced 10/1s together=0"))
                .withMessage("limit 'paced 10/1s together=0', column 22: together must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("gcra 10/1s together=1"))
                .withMessageContaining("option 'together' belongs to paced, not to gcra");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("pacd 10/1s"))
                .withMessageContaining("(did you mean 'paced'?)");
    }

    @Test
    void memory_keepsItsBound() {
        Limit limit = Limit.parse("paced 10/1s");
        RateLimiter limiter =
                RateLimiter.builder().limit(limit).timeSource(clock).build();
        List<TraceEvent> trace = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long now = clock.nanos();
            boolean allowed = limiter.tryAcquire("key").allowed();
            trace.add(new TraceEvent(now, "key", 1, allowed ? Kind.ALLOWED : Kind.DENIED));
            clock.advance(INTERVAL.dividedBy(3));
        }

        assertThat(TraceChecker.check(limit, trace).violation()).isNull();
        assertThat(trace.stream().filter(event -> event.kind() == Kind.ALLOWED))
                .as("two at once, then one for each interval of 100 steps")
                .hasSize(2 + 33 - 1);
        assertThat(limiter.tryAcquire("key", 3).never()).isTrue();
    }

    @Test
    void localFailurePolicy_scalesPermitsAndBurst() {
        Store down = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (store, method, arguments) -> {
                    return switch (method.getName()) {
                        case "timeSource" -> clock;
                        case "check" -> null;
                        default -> throw new StoreException("down");
                    };
                });
        RateLimiter limiter = RateLimiter.builder()
                .name("api")
                .limit("paced 10/1s")
                .store(down)
                .whenStoreFails(FailurePolicy.local(0.5))
                .build();

        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        Decision denied = limiter.tryAcquire("key");

        assertThat(denied.degraded()).isTrue();
        assertThat(denied.limit()).isEqualTo(Limit.parse("paced 10/1s"));
        assertThat(denied.retryAfter()).isEqualTo(INTERVAL.multipliedBy(2));
    }
}
