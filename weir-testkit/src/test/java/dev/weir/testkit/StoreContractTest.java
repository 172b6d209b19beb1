package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The contract finds stores with faults. Each test of the contract passes on the store without the fault. */
final class StoreContractTest {

    /** A call of a store's method, with a fault. */
    private interface Call {
        Object answer(Store store, Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static StoreContract contract(Call call) {
        StoreContract contract = new StoreContract() {
            @Override
            protected Store store(TimeSource timeSource) {
                Store store = MemoryStore.builder().timeSource(timeSource).build();
                return (Store) Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (proxy, method, arguments) -> call.answer(store, method, arguments));
            }
        };
        contract.open();
        return contract;
    }

    private static void assertFinds(Call fault, Consumer<StoreContract> test) {
        test.accept(contract((store, method, arguments) -> method.invoke(store, arguments)));
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> test.accept(contract(fault)));
    }

    /** Replaces every request before the store sees it. */
    private static Call replacing(UnaryOperator<Request> fault) {
        return (store, method, arguments) -> {
            Object[] replaced = arguments == null ? new Object[0] : arguments.clone();
            if (method.getName().equals("decide")) {
                Request request = fault.apply(Request.of(
                        (String) arguments[0], (Limits) arguments[1], (String) arguments[2], (long) arguments[3]));
                replaced = new Object[] {request.limiter(), request.limits(), request.key(), request.permits()};
            } else if (replaced.length > 0 && replaced[0] instanceof Request request) {
                replaced[0] = fault.apply(request);
            } else if (replaced.length > 0 && replaced[0] instanceof List<?> requests) {
                replaced[0] = requests.stream()
                        .map(request -> fault.apply((Request) request))
                        .toList();
            }
            return method.invoke(store, replaced);
        };
    }

    @Test
    void keys_ofTheSameLetters_areConfused() {
        assertFinds(
                replacing(request -> Request.of(
                        request.limiter(),
                        request.limits(),
                        request.key().toLowerCase(Locale.ROOT),
                        request.permits())),
                StoreContract::keysOfAnyText_areDistinct);
    }

    @Test
    void namesOfLimiters_joinedWithKeys_areConfused() {
        assertFinds(
                replacing(request -> Request.of(
                        "joined", request.limits(), request.limiter() + "-" + request.key(), request.permits())),
                StoreContract::tryAcquire_otherKeysAndOtherLimiters_countApart);
    }

    @Test
    void limits_theLastOfSixteen_isIgnored() {
        assertFinds(
                replacing(request -> {
                    var limits = request.limits().list();
                    return Request.of(
                            request.limiter(),
                            Limits.of(limits.subList(0, Math.min(15, limits.size()))),
                            request.key(),
                            request.permits());
                }),
                StoreContract::sixteenLimits_allHold);
    }

    @Test
    void requests_decidedTogether_doNotWait() {
        assertFinds(
                (store, method, arguments) -> {
                    boolean joint = method.getName().equals("reserve") && ((List<?>) arguments[0]).size() > 1;
                    return method.invoke(store, joint ? new Object[] {arguments[0], 0L} : arguments);
                },
                StoreContract::reserveAll_ifOneWaits_grantsAllAtTheSameInstant);
    }

    @Test
    void reset_ofABlockedKey_keepsTheBlock() {
        assertFinds(
                (store, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    if (method.getName().equals("resetAsync")) {
                        store.blockAsync((Request) arguments[0], 1_000_000_000L).join();
                    }
                    return answer;
                },
                StoreContract::reset_clearsLogsAndBlock_andOldReservationsRefundNothing);
    }

    @Test
    void timeSource_ofTheSystem_isReturned() {
        assertFinds(
                (store, method, arguments) ->
                        method.getName().equals("timeSource") ? TimeSource.system() : method.invoke(store, arguments),
                StoreContract::timeSource_isThatOfTheTest);
    }

    @Test
    void requests_decidedTogetherAsynchronously_decideTheFirst() {
        assertFinds(
                (store, method, arguments) -> method.getName().equals("reserveAsync")
                        ? store.reserveAsync(
                                ((List<?>) arguments[0])
                                        .stream()
                                                .limit(1)
                                                .map(Request.class::cast)
                                                .toList(),
                                (long) arguments[1])
                        : method.invoke(store, arguments),
                StoreContract::asynchronousMethods_equalBlockingOnes);
    }

    @Test
    void buckets_ofTheClassicEstimate_countUntilTheirEnd() {
        assertFinds(
                replacing(request -> Request.of(
                        request.limiter(),
                        Limits.of(request.limits().list().stream()
                                .map(limit -> limit instanceof Limit.SlidingWindow window
                                        ? window.estimate(Limit.SlidingWindow.Estimate.CONSERVATIVE)
                                        : limit)
                                .toList()),
                        request.key(),
                        request.permits())),
                StoreContract::permits_ofEachMethod_countAsLongAsItsAccountingStates);
    }

    @Test
    void clock_setBack_opensAnEarlierFixedWindow() {
        AtomicLong latest = new AtomicLong();
        assertFinds(
                (store, method, arguments) -> {
                    if (method.getName().equals("decide")) {
                        Limits limits = (Limits) arguments[1];
                        long now = store.timeSource().nanos();
                        if (now < latest.getAndSet(now) && limits.list().get(0) instanceof Limit.FixedWindow) {
                            store.resetAsync(Request.of((String) arguments[0], limits, (String) arguments[2], 1))
                                    .join();
                        }
                    }
                    return method.invoke(store, arguments);
                },
                StoreContract::clockSetBack_grantsNothingEarly);
    }

    @Test
    void attempts_ofRequestsThatMayWait_wait() {
        assertFinds(
                (store, method, arguments) -> {
                    boolean waits = method.getName().equals("reserve") && (long) arguments[1] > 0;
                    Object answer = method.invoke(store, arguments);
                    return waits
                            ? StoreReservation.of(
                                    Decision.allowed(Limit.unlimited(), 0, (long) arguments[1], 0, 0), List.of())
                            : answer;
                },
                StoreContract::attempts_neitherWaitNorAreRefunded);
    }

    @Test
    void snapshot_ofSeveralLimits_hasTheFirst() {
        assertFinds(
                (store, method, arguments) -> method.getName().equals("inspectAsync")
                        ? ((CompletableFuture<?>) method.invoke(store, arguments))
                                .thenApply(snapshot -> (KeySnapshot) snapshot)
                                .thenApply(snapshot -> new KeySnapshot(
                                        snapshot.time(),
                                        snapshot.blockedUntil(),
                                        snapshot.limits().subList(0, 1)))
                        : method.invoke(store, arguments),
                StoreContract::inspect_severalLimitsOfABlockedKey_reportsEach);
    }

    @Test
    void peek_underOtherLimits_changesTheState() {
        assertFinds(
                (store, method, arguments) -> {
                    if (method.getName().equals("peekAsync")) {
                        store.reserve(List.of((Request) arguments[0]), 0).cancel(0);
                    }
                    return method.invoke(store, arguments);
                },
                StoreContract::peekAndInspect_underOtherLimits_writeNothing);
    }

    @Test
    void permitsTimesWindow_thatOverflow_areAlwaysAllowed() {
        assertFinds(
                (store, method, arguments) -> {
                    if (method.getName().equals("decide")) {
                        Limit limit = ((Limits) arguments[1]).list().get(0);
                        if (Math.multiplyHigh(limit.permits(), limit.windowNanos()) > 0) {
                            return Decision.allowed(
                                    limit, 1, 0, 0, store.timeSource().nanos());
                        }
                    }
                    return method.invoke(store, arguments);
                },
                StoreContract::largeLimits_areCountedWithoutOverflow);
    }
}
