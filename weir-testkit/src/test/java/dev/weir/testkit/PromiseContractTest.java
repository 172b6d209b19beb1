package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;

/** The contract finds stores that break a promise, and names it. The store without the faults keeps all promises. */
class PromiseContractTest {
    private static final ThrowingConsumer<PromiseContract> ONE_LIMIT =
            PromiseContract::oneLimit_anyHistory_keepsItsPromises;

    /** A call of a store's method, with a fault. */
    private interface Call {
        Object answer(Store store, Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static void assertFinds(String promise, ThrowingConsumer<PromiseContract> test, Call fault) {
        PromiseContract contract = new PromiseContract() {
            @Override
            protected Store store(TimeSource timeSource) {
                Store store = MemoryStore.builder().timeSource(timeSource).build();
                return (Store) Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (proxy, method, arguments) -> fault.answer(store, method, arguments));
            }
        };
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> test.acceptThrows(contract))
                .withMessageContaining(promise);
    }

    /** Replaces the decisions of {@code decide}, which never waits. */
    private static Call deciding(UnaryOperator<Decision> fault) {
        return (store, method, arguments) -> {
            Object answer = method.invoke(store, arguments);
            return answer instanceof Decision made ? fault.apply(made) : answer;
        };
    }

    private static Call peeking(UnaryOperator<Decision> fault) {
        return (store, method, arguments) -> {
            Object answer = method.invoke(store, arguments);
            return method.getName().equals("peekAsync")
                    ? ((CompletableFuture<?>) answer).thenApply(seen -> fault.apply((Decision) seen))
                    : answer;
        };
    }

    private static Call decidingAndPeeking(UnaryOperator<Decision> fault) {
        return (store, method, arguments) ->
                (method.getName().equals("decide") ? deciding(fault) : peeking(fault)).answer(store, method, arguments);
    }

    private static Decision denied(Decision made, long remaining, long retryAfterNanos) {
        return Decision.denied(made.limit(), remaining, retryAfterNanos, made.resetAfterNanos(), made.timeNanos());
    }

    private static Decision allowed(Decision made, long remaining, long resetAfterNanos) {
        return Decision.allowed(made.limit(), remaining, made.waitNanos(), resetAfterNanos, made.timeNanos());
    }

    /** The request that {@code decide} is called with. */
    private static Request request(Object[] arguments) {
        return Request.of((String) arguments[0], (Limits) arguments[1], (String) arguments[2], (long) arguments[3]);
    }

    private static Object forgetAndDecide(Store store, Method method, Object[] arguments)
            throws ReflectiveOperationException {
        store.resetAsync(request(arguments)).join();
        return method.invoke(store, arguments);
    }

    @Test
    void grants_ofAStoreThatLosesState_breakTheBound() {
        assertFinds(
                "the bound of a limit",
                ONE_LIMIT,
                (store, method, arguments) -> method.getName().equals("decide") && (long) arguments[3] == 2
                        ? forgetAndDecide(store, method, arguments)
                        : method.invoke(store, arguments));
        AtomicInteger decisions = new AtomicInteger();
        assertFinds(
                "of 20 permits granted",
                PromiseContract::oneKey_requestedByManyThreads_isGrantedItsLimit,
                (store, method, arguments) -> method.getName().equals("decide") && decisions.incrementAndGet() % 5 == 0
                        ? forgetAndDecide(store, method, arguments)
                        : method.invoke(store, arguments));
    }

    /** The fault concerns only several limits of one limiter. */
    @Test
    void statuses_ofTheFirstLimitAlone_areFound() {
        assertFinds(
                "statuses of all limits",
                PromiseContract::severalLimits_anyHistory_keepTheirPromises,
                deciding(made -> made.withStatuses(made.statuses().subList(0, 1))));
        assertFinds(
                "statuses of all limits",
                ONE_LIMIT,
                deciding(made -> Decision.denied(Limit.parse("1/1h"), 0, 1, 1, made.timeNanos())));
    }

    @Test
    void limitShown_isTheFirst() {
        assertFinds(
                "the most restrictive limit is shown",
                PromiseContract::severalLimits_anyHistory_keepTheirPromises,
                deciding(made -> made.allowed()
                        ? Decision.allowed(
                                        made.statuses().get(0).limit(),
                                        made.remaining(),
                                        0,
                                        made.resetAfterNanos(),
                                        made.timeNanos())
                                .withStatuses(made.statuses())
                        : made));
    }

    @Test
    void retryAfter_ofSeveralLimits_isNotTheLatest() {
        assertFinds(
                "the latest retry-after of all limits",
                PromiseContract::severalLimits_anyHistory_keepTheirPromises,
                deciding(made -> made.allowed()
                        ? made
                        : denied(made, made.remaining(), 1).withStatuses(made.statuses())));
    }

    @Test
    void limits_changed_stateOfTheKeyIsLost() {
        Map<List<Object>, Object> latest = new HashMap<>(); // by store and limiter
        assertFinds(
                "the bound of a limit",
                PromiseContract::changedLimits_anyHistory_keepTheirPromises,
                (store, method, arguments) -> {
                    Object before = method.getName().equals("decide")
                            ? latest.put(List.of(store, arguments[0]), arguments[1])
                            : null;
                    return before != null && !before.equals(arguments[1])
                            ? forgetAndDecide(store, method, arguments)
                            : method.invoke(store, arguments);
                });
    }

    @Test
    void requests_decidedTogether_forgetTheSecond() {
        assertFinds("the bound of a limit", ONE_LIMIT, (store, method, arguments) -> {
            Object answer = method.invoke(store, arguments);
            if (method.getName().equals("reserve") && ((List<?>) arguments[0]).size() > 1) {
                store.resetAsync((Request) ((List<?>) arguments[0]).get(1)).join();
            }
            return answer;
        });
    }

    @Test
    void attempts_thatAreDenied_areNotCounted() {
        assertFinds("count=attempts", ONE_LIMIT, (store, method, arguments) -> {
            if (!method.getName().equals("decide")) {
                return method.invoke(store, arguments);
            }
            Decision seen = store.peekAsync(request(arguments)).join();
            return seen.allowed() ? method.invoke(store, arguments) : seen;
        });
    }

    @Test
    void blocks_areIgnored() {
        assertFinds(
                "no grant while blocked",
                ONE_LIMIT,
                (store, method, arguments) -> method.getName().equals("blockAsync")
                        ? CompletableFuture.completedFuture(null)
                        : method.invoke(store, arguments));
    }

    @Test
    void blocks_cannotBeLifted() {
        assertFinds(
                "no unnecessary denial",
                ONE_LIMIT,
                (store, method, arguments) -> method.getName().equals("unblockAsync")
                        ? CompletableFuture.completedFuture(null)
                        : method.invoke(store, arguments));
    }

    @Test
    void refunds_areLost() {
        assertFinds("no unnecessary denial", ONE_LIMIT, (store, method, arguments) -> {
            Object answer = method.invoke(store, arguments);
            return answer instanceof StoreReservation made ? StoreReservation.of(made.decision(), List.of()) : answer;
        });
    }

    @Test
    void reservations_waitForLongerThanMaxWait() {
        assertFinds("a wait of at most", ONE_LIMIT, (store, method, arguments) -> {
            boolean waits = method.getName().equals("reserve") && (long) arguments[1] > 0;
            return method.invoke(store, waits ? new Object[] {arguments[0], 2 * (long) arguments[1]} : arguments);
        });
    }

    @Test
    void reservations_doNotWait() {
        assertFinds("first come, first served", ONE_LIMIT, (store, method, arguments) -> {
            Object answer = method.invoke(store, arguments);
            boolean waits = answer instanceof StoreReservation made
                    && made.decision().limit() instanceof Limit.Unlimited
                    && ((List<?>) arguments[0]).size() == 1
                    && made.decision().allowed();
            return waits
                    ? StoreReservation.of(
                            Decision.allowed(
                                    ((StoreReservation) answer).decision().limit(), 1, (long) arguments[1], 0, 0),
                            List.of())
                    : answer;
        });
    }

    @Test
    void decisions_areThoseOfAFailurePolicy() {
        assertFinds("decided by the store", ONE_LIMIT, deciding(Decision::asDegraded));
    }

    @Test
    void peek_allowsWhatIsDenied() {
        assertFinds("decided as peeked before", ONE_LIMIT, peeking(seen -> allowed(seen, 1, seen.resetAfterNanos())));
    }

    @Test
    void retryAfter_isTooEarly() {
        UnaryOperator<Decision> early = made -> made.allowed() || made.never() || made.retryAfterNanos() < 2
                ? made
                : denied(made, made.remaining(), made.retryAfterNanos() - 1);

        assertFinds("allowed at retry-after", ONE_LIMIT, deciding(early));
        assertFinds("a wait for retry-after", ONE_LIMIT, peeking(early));
    }

    @Test
    void retryAfter_isTooLate() {
        UnaryOperator<Decision> late = made ->
                made.allowed() || made.never() ? made : denied(made, made.remaining(), made.retryAfterNanos() + 1);

        assertFinds("denied a tick before retry-after", ONE_LIMIT, deciding(late));
        assertFinds("no wait for less than retry-after", ONE_LIMIT, peeking(late));
    }

    @Test
    void resetAfter_isTooEarly() {
        assertFinds(
                "all permits after reset-after",
                ONE_LIMIT,
                deciding(made -> made.allowed() ? allowed(made, made.remaining(), 1) : made));
    }

    @Test
    void resetAfter_ofAReservation_isBeforeItsStart() {
        assertFinds("no reset before the start", ONE_LIMIT, (store, method, arguments) -> {
            Object answer = method.invoke(store, arguments);
            boolean waits = answer instanceof StoreReservation made
                    && made.decision().waitNanos() > 0
                    && made.decision().statuses().size() == 1;
            return waits
                    ? StoreReservation.of(
                            allowed(((StoreReservation) answer).decision(), 0, 0), List.of((StoreReservation) answer))
                    : answer;
        });
    }

    @Test
    void resetAfter_isTooLate() {
        assertFinds(
                "permits outstanding before reset-after",
                ONE_LIMIT,
                deciding(made -> made.allowed() ? allowed(made, made.remaining(), made.resetAfterNanos() + 1) : made));
    }

    @Test
    void remaining_ofADecisionIsTooLow() {
        assertFinds(
                "remaining of a peek afterwards",
                ONE_LIMIT,
                deciding(made -> made.allowed() && made.remaining() > 0
                        ? allowed(made, made.remaining() - 1, made.resetAfterNanos())
                        : made));
    }

    @Test
    void remaining_isMoreThanTheLimit() {
        assertFinds(
                "no more remain than a limit has",
                ONE_LIMIT,
                deciding(made -> made.allowed() ? allowed(made, 1L << 50, made.resetAfterNanos()) : made));
    }

    @Test
    void remaining_ofDecisionsAndPeeksIsWrong() {
        assertFinds("remaining is available", ONE_LIMIT, decidingAndPeeking(made -> {
            if (!(made.limit() instanceof Limit.SlidingLog) || made.never() || made.blocked()) {
                return made;
            }
            long remaining = Math.min(made.limit().permits(), made.remaining() + 1);
            return made.allowed()
                    ? allowed(made, remaining, made.resetAfterNanos())
                    : denied(made, remaining, made.retryAfterNanos());
        }));
        assertFinds(
                "more than remaining is denied",
                ONE_LIMIT,
                decidingAndPeeking(made -> made.allowed() && made.remaining() > 0
                        ? allowed(made, made.remaining() - 1, made.resetAfterNanos())
                        : made));
    }

    @Test
    void message_ofAFailure_listsTheCallsWithTheirAnswers() {
        assertFinds(
                ": limiter1 block for ",
                ONE_LIMIT,
                (store, method, arguments) -> method.getName().equals("blockAsync")
                        ? CompletableFuture.completedFuture(null)
                        : method.invoke(store, arguments));
        assertFinds(
                "BLOCK failed with java.lang.IllegalStateException: no blocks\ncalls, in ticks since",
                ONE_LIMIT,
                (store, method, arguments) -> {
                    if (method.getName().equals("blockAsync")) {
                        throw new IllegalStateException("no blocks");
                    }
                    return method.invoke(store, arguments);
                });
    }
}
