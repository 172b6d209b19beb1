package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreReservation;
import dev.weir.testkit.TraceProperty;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No window of a sliding log has more than its permits, whatever happens to the key: reservations, refunds, blocks, changed limits,
 * an evicted hash, a clock that is set back. Windows are counted here, in the time of the callers.
 */
final class LogPromiseTest {
    private static final int TRACES = (int) Math.min(10_000, Long.getLong("weir.traces", 10_000) / 400);
    private static final int STEPS = 900;

    private static StoreAtTime at;
    private static RedisCommands<byte[], byte[]> commands;
    private static int keys;

    private enum Op {
        REQUEST,
        REFUND,
        BLOCK,
        CHANGE,
        EVICT,
        BACK
    }

    /** One call, some time after the one before. */
    private record Step(long pass, Op op, int permits, long maxWait, int which) {
        static Step any(SplittableRandom random) {
            Op op = switch (random.nextInt(100)) {
                case 0, 1, 2, 3, 4, 5, 6, 7 -> Op.REFUND;
                case 8 -> Op.BLOCK;
                case 9, 10 -> Op.CHANGE;
                case 11 -> Op.EVICT;
                case 12 -> Op.BACK;
                default -> Op.REQUEST;
            };
            return new Step(
                    random.nextInt(5) + (random.nextInt(150) == 0 ? random.nextInt(1_000) : 0),
                    op,
                    1 + (random.nextInt(40) == 0 ? random.nextInt(200) : random.nextInt(3)),
                    random.nextBoolean() ? random.nextInt(3_000) : 0,
                    random.nextInt(1 << 16));
        }
    }

    private static final class Grant {
        final long at;
        final StoreReservation reservation;
        long permits;

        Grant(long at, StoreReservation reservation, long permits) {
            this.at = at;
            this.reservation = reservation;
            this.permits = permits;
        }
    }

    @BeforeAll
    static void start() {
        at = StoreAtTime.start();
        commands = at.commands(ByteArrayCodec.INSTANCE);
    }

    @AfterAll
    static void stop() {
        at.close();
    }

    /** Limits that change, or one and a clock that is set back: a log counts on what its own clock says. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 1", "true, 100", "false, 100"})
    void anyHistory_noWindowHasMore(boolean changes, int size) {
        TraceProperty.check(size, TRACES, STEPS, Step::any, trace -> new Run(trace, changes, size).check());
    }

    private static final class Run {
        private final List<Step> trace;
        private final boolean changes;
        private final List<Limit> limits = new ArrayList<>();
        private final List<Grant> grants = new ArrayList<>();
        private final String key = "key" + keys++;
        private Limit limit;
        private long now = StoreAtTime.START; // in microseconds, like all times here
        private long setBack;
        private long widest; // window since nothing counted: what has expired in it counts no more

        Run(List<Step> trace, boolean changes, int size) {
            this.trace = trace;
            this.changes = changes;
            SplittableRandom random = new SplittableRandom(trace.get(0).which());
            for (int i = 0; i < 3; i++) {
                limits.add(Limit.slidingLog(
                                1 + random.nextInt(8L * size > 100 ? 600 : 8), micros(20 + random.nextLong(20L * size)))
                        .resolution(micros(1 + random.nextInt(3))));
            }
            limit = limits.get(0);
        }

        private static Duration micros(long micros) {
            return Duration.ofNanos(1_000 * micros);
        }

        private Request request(long permits) {
            return Request.of("m", Limits.of(limit), key, permits);
        }

        void check() {
            for (Step step : trace) {
                now += step.pass();
                at.set(now - setBack);
                switch (step.op()) {
                    case REQUEST -> reserve(Math.min(step.permits(), limit.permits()), step.maxWait());
                    case REFUND -> refund(step);
                    case BLOCK -> Blocking.block(at.store, request(1), 1_000L * (step.which() % 200));
                    case CHANGE -> limit = changes ? limits.get(step.which() % limits.size()) : limit;
                    case EVICT -> commands.del(("weir:{m:" + key + "}b").getBytes(StandardCharsets.US_ASCII));
                    case BACK -> setBack += changes ? 0 : window() + 4_000 + step.which() % 5_000;
                }
            }
        }

        private long window() {
            return limit.windowNanos() / 1_000;
        }

        private void refund(Step step) {
            if (!grants.isEmpty()) {
                Grant grant = grants.get(step.which() % grants.size());
                long permits = Math.min(grant.permits, step.permits());
                if (permits > 0) {
                    grant.reservation.refund(permits);
                    grant.permits -= permits;
                }
            }
        }

        private void reserve(long permits, long maxWait) {
            grants.removeIf(each -> each.at + widest <= now);
            widest = grants.stream().allMatch(each -> each.permits == 0) ? window() : Math.max(widest, window());
            StoreReservation reservation = at.store.reserve(List.of(request(permits)), 1_000 * maxWait);
            assertThat(reservation.decision().remaining()).isBetween(0L, limit.permits());
            if (reservation.decision().allowed()) {
                long at = now + reservation.decision().waitNanos() / 1_000;
                grants.add(new Grant(at, reservation, permits));
                for (Grant last : List.copyOf(grants)) {
                    if (last.at >= at && last.at < at + window()) {
                        assertThat(grantedIn(last.at - window(), last.at))
                                .as("%d at %d, in the window until %d under %s", permits, at, last.at, limit)
                                .isLessThanOrEqualTo(limit.permits());
                    }
                }
            }
        }

        private long grantedIn(long after, long until) {
            return grants.stream()
                    .filter(each -> each.at > after && each.at <= until)
                    .mapToLong(each -> each.permits)
                    .sum();
        }
    }
}
