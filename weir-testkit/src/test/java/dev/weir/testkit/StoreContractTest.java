package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Locale;
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
}
