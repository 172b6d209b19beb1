package dev.weir.stress;

import dev.weir.stress.models.AdmittingModel;
import dev.weir.stress.models.GivingBackModel;
import dev.weir.stress.models.LeavingModel;
import dev.weir.stress.models.TurnsModel;
import dev.weir.stress.races.AllOrNothingRace;
import dev.weir.stress.races.BlockRace;
import dev.weir.stress.races.CancelRace;
import dev.weir.stress.races.ChangedLimitRace;
import dev.weir.stress.races.CrossedKeysRace;
import dev.weir.stress.races.DenialBlockRace;
import dev.weir.stress.races.DenialCancelRace;
import dev.weir.stress.races.DenialExpiryRace;
import dev.weir.stress.races.DenialLimitRace;
import dev.weir.stress.races.DenialRefundRace;
import dev.weir.stress.races.DenialResetRace;
import dev.weir.stress.races.ExpiryRace;
import dev.weir.stress.races.FullStoreRace;
import dev.weir.stress.races.GrowingLedgerRace;
import dev.weir.stress.races.GrowingRingRace;
import dev.weir.stress.races.LastBytesRace;
import dev.weir.stress.races.LastKeyRace;
import dev.weir.stress.races.LastPermitRace;
import dev.weir.stress.races.LateDenialRace;
import dev.weir.stress.races.NewKeyRace;
import dev.weir.stress.races.RefundCancelRace;
import dev.weir.stress.races.RefundRace;
import dev.weir.stress.races.ResetRace;
import dev.weir.stress.races.ResetTogetherRace;
import dev.weir.stress.races.SeveralLimitsRace;
import dev.weir.stress.races.ShrinkingLedgerRace;
import dev.weir.stress.races.ShrinkingRingRace;
import dev.weir.stress.races.StaleReadingRace;
import dev.weir.stress.races.SweptBlockRace;
import dev.weir.stress.races.SweptKeyRace;
import dev.weir.stress.races.TimeBackwardsRace;
import dev.weir.stress.races.TurnsRace;
import dev.weir.stress.races.TwoBlocksRace;
import dev.weir.stress.races.TwoCancelsRace;
import dev.weir.stress.races.TwoLimitsRace;
import dev.weir.stress.races.TwoRefundsRace;
import dev.weir.stress.races.UnblockRace;
import dev.weir.stress.races.WeightsRace;
import dev.weir.stress.races.WrappingRingRace;
import java.util.List;
import java.util.stream.Stream;

/** Classes of Weir with one thing broken, and the races and models that must notice; each of those is listed at least once. */
final class Mutants {
    private static final String LOCK = "dev/weir/store/LockedMemory.java";
    private static final String KEY_STATE = "dev/weir/store/KeyState.java";
    private static final String KEYSPACE = "dev/weir/store/Keyspace.java";
    private static final String RULES = "dev/weir/store/Rules.java";
    private static final String STORE = "dev/weir/store/MemoryStore.java";
    private static final String DENIAL = "dev/weir/store/Denial.java";
    private static final String DECIDING = "dev/weir/store/Deciding.java";
    private static final String JOINT = "dev/weir/store/JointReservation.java";
    private static final String FINE_LOG = "dev/weir/algorithm/FineLog.java";
    private static final String LEDGER = "dev/weir/algorithm/Ledger.java";
    private static final String RUNS = "dev/weir/algorithm/Runs.java";
    private static final String BUDGET = "dev/weir/store/KeyBudget.java";
    private static final String TIME = "dev/weir/internal/MonotonicTime.java";
    private static final String RESERVATION = "dev/weir/Reservation.java";

    private Mutants() {}

    static Stream<Mutant> all() {
        return Stream.of(locks(), time(), budget(), removal(), denials(), logs(), reservations(), refunds())
                .flatMap(part -> part);
    }

    private static Stream<Mutant> locks() {
        return Stream.of(
                mutant(
                        "a lock that is held is acquired",
                        LOCK,
                        "if ((seen & HELD) == 0 && LOCK.compareAndSet(this, seen, mark() | HELD)) {",
                        "if (LOCK.compareAndSet(this, seen, mark() | HELD)) {",
                        LastPermitRace.class,
                        WeightsRace.class,
                        GrowingRingRace.class,
                        GrowingLedgerRace.class,
                        TwoLimitsRace.class,
                        SeveralLimitsRace.class,
                        AdmittingModel.class,
                        GivingBackModel.class,
                        TurnsModel.class),
                mutant(
                        "a lock is acquired in two steps",
                        LOCK,
                        "if ((seen & HELD) == 0 && LOCK.compareAndSet(this, seen, mark() | HELD)) {",
                        "if ((seen & HELD) == 0) {\nspin(SPINS_FOR_ANOTHER);\nlock = mark() | HELD;",
                        LastPermitRace.class),
                mutant(
                        "a stale reading is not corrected",
                        KEY_STATE,
                        "return Math.max(0, last - reading);",
                        "return 0;",
                        ExpiryRace.class,
                        AdmittingModel.class),
                mutant(
                        "a new key's state is created without the lock of its overflow state",
                        STORE,
                        """
                        common.enter();
                        try {
                            KeyState own = space.own(request.key());
                        """,
                        """
                        try {
                            KeyState own = space.own(request.key());
                        """,
                        NewKeyRace.class,
                        FullStoreRace.class),
                mutant("a block takes no lock", STORE, """
                        if (!state.enter()) {
                            forget(request, state);
                            return false;
                        }
                        """, "", TwoBlocksRace.class, SweptBlockRace.class),
                mutant("a block is forgotten", KEY_STATE, "changed.blockedUntil = now + nanos;", "", BlockRace.class),
                mutant("an unblock has no effect", KEY_STATE, "extras.blocked = false;", "", UnblockRace.class));
    }

    private static Stream<Mutant> time() {
        return Stream.of(
                mutant(
                        "a reading from before another one counts",
                        TIME,
                        "return seen;",
                        "return reading;",
                        TimeBackwardsRace.class),
                mutant(
                        "an earlier reading overwrites a later one",
                        TIME,
                        "if (latest.compareAndSet(seen, reading)) {\nreturn reading;",
                        "{\nlatest.set(reading);\nif (true) {return reading;}",
                        TimeBackwardsRace.class));
    }

    private static Stream<Mutant> budget() {
        return Stream.of(
                mutant(
                        "a key that found no room stays counted",
                        BUDGET,
                        "remove(key);\nreturn false;",
                        "return false;",
                        LastKeyRace.class),
                mutant("two keys take the last room", BUDGET, """
                        if (keys.incrementAndGet() > maxKeys) {
                            remove(key);
                            return false;
                        }
                        """, """
                        if (keys.get() >= maxKeys) {
                            bytes.addAndGet(-size);
                            return false;
                        }
                        keys.incrementAndGet();
                        """, LastKeyRace.class),
                mutant(
                        "the text of a key that found no room stays counted",
                        BUDGET,
                        "bytes.addAndGet(-size);",
                        "",
                        LastBytesRace.class),
                mutant(
                        "two keys take the last bytes",
                        BUDGET,
                        "if (bytes.addAndGet(size) > maxBytes) {\nbytes.addAndGet(-size);",
                        "long before = bytes.get();\nbytes.addAndGet(size);\nif (before + size > maxBytes) {\nbytes.addAndGet(-size);",
                        LastBytesRace.class));
    }

    private static Stream<Mutant> removal() {
        return Stream.of(
                mutant(
                        "a retired state answers",
                        LOCK,
                        "if (seen == GONE) {\nreturn false;",
                        "if (seen == GONE) {\nreturn true;",
                        SweptKeyRace.class,
                        SweptBlockRace.class,
                        ResetTogetherRace.class),
                mutant(
                        "a state is removed although it is not idle",
                        KEY_STATE,
                        "if (awaited || !isIdle(nowAt(reading))) {",
                        "if (awaited) {",
                        LeavingModel.class),
                mutant(
                        "a state that is removed is not retired",
                        KEY_STATE,
                        "last = nowAt(reading);\ngoForGood();",
                        "last = nowAt(reading);",
                        SweptKeyRace.class),
                mutant(
                        "a state that is reset is not retired",
                        STORE,
                        "space.replace(request.key(), state, next);\nstate.goForGood();",
                        "space.replace(request.key(), state, next);",
                        ResetTogetherRace.class),
                mutant(
                        "a reset takes no lock",
                        STORE,
                        "if (state != null && state.enter()) {",
                        "if (state != null) {",
                        ResetTogetherRace.class),
                mutant(
                        "a state that is reset is not replaced",
                        STORE,
                        "space.replace(request.key(), state, next);\nstate.goForGood();",
                        "",
                        ResetRace.class),
                mutant(
                        "the time at which a key was removed is not kept",
                        KEYSPACE,
                        "left.accumulateAndGet(gone.seen(), Keyspace::later);",
                        "",
                        StaleReadingRace.class),
                mutant(
                        "a state is removed without the time at which it was",
                        KEY_STATE,
                        "last = nowAt(reading);\ngoForGood();",
                        "goForGood();",
                        StaleReadingRace.class));
    }

    private static Stream<Mutant> denials() {
        return Stream.of(
                mutant(
                        "a cached denial is not cleared by the lock",
                        KEY_STATE,
                        "if (denial != null) {\ndenial = null;",
                        "if (denial != null) {",
                        DenialCancelRace.class,
                        DenialRefundRace.class,
                        DenialBlockRace.class),
                mutant(
                        "a denial is cached after the lock was released",
                        DECIDING,
                        "state.cache(new Denial(limits, denied.limit(), retryAt, reading + denied.resetAfterNanos()));",
                        """
                        Denial late = new Denial(limits, denied.limit(), retryAt, reading + denied.resetAfterNanos());
                        java.util.concurrent.CompletableFuture.runAsync(() -> state.cache(late));
                        """,
                        LateDenialRace.class),
                mutant(
                        "a cached denial applies to other limits",
                        DENIAL,
                        "return requested.equals(limits) && reading - retryAt < 0;",
                        "return reading - retryAt < 0;",
                        DenialLimitRace.class),
                mutant(
                        "a cached denial applies at its retry-after",
                        DENIAL,
                        "return requested.equals(limits) && reading - retryAt < 0;",
                        "return requested.equals(limits) && reading - retryAt <= 0;",
                        DenialExpiryRace.class),
                mutant("a reset key has a cached denial", STORE, "next.release();", """
                        next.release();
                        next.cache(new Denial(
                                request.limits(), request.limits().list().get(0), reading + 10, reading + 10));
                        """, DenialResetRace.class));
    }

    private static Stream<Mutant> logs() {
        return Stream.of(
                mutant(
                        "a ring loses a permit when it is resized",
                        FINE_LOG,
                        "for (int i = 0; i < older[SIZE]; i++) {\nnext[RING + i] = older[slot(older, i)];",
                        "for (int i = 0; i < older[SIZE] - 1; i++) {\nnext[RING + i] = older[slot(older, i)];",
                        GrowingRingRace.class,
                        ShrinkingRingRace.class),
                mutant(
                        "a ring does not wrap around",
                        FINE_LOG,
                        "return RING + (at < room ? at : at - room);",
                        "return RING + Math.min(at, room - 1);",
                        WrappingRingRace.class),
                mutant(
                        "a ring of runs loses one when it is resized",
                        RUNS,
                        "for (int i = 0; i < size; i++) {\nnext[2 * i] = stamp(i);",
                        "for (int i = 0; i < size - 1; i++) {\nnext[2 * i] = stamp(i);",
                        GrowingLedgerRace.class,
                        ShrinkingLedgerRace.class),
                mutant(
                        "a ledger counts refunded permits",
                        LEDGER,
                        "total -= permits;",
                        "",
                        CancelRace.class,
                        RefundRace.class),
                mutant(
                        "a changed limit starts empty",
                        KEY_STATE,
                        "if (one.name().equals(name) && algorithm.adopt(one.memory(), one.algorithm(), now)) {",
                        "if (one.name().isEmpty() && algorithm.adopt(one.memory(), one.algorithm(), now)) {",
                        ChangedLimitRace.class,
                        TwoLimitsRace.class));
    }

    private static Stream<Mutant> reservations() {
        return Stream.of(
                mutant("several keys are not locked", JOINT, """
                        if (!part.state.enter()) {
                            store.forget(part.first(), part.state);
                            return false;
                        }
                        """, "", TurnsRace.class, CrossedKeysRace.class),
                mutant(
                        "several keys are locked in the order of the requests",
                        JOINT,
                        "parts.sort(ORDER);",
                        "",
                        CrossedKeysRace.class),
                mutant(
                        "only one of several keys decides",
                        JOINT,
                        "long wait = earliest(now);",
                        "long wait = parts.get(0).state.earliest(now, 0, 1);",
                        AllOrNothingRace.class),
                mutant(
                        "only one of several limits records a grant",
                        RULES,
                        "for (int i = 0; i < all.length; i++) {\nall[i].book(key.memory(i), now, wait, permits);",
                        "for (int i = 0; i < 1; i++) {\nall[i].book(key.memory(i), now, wait, permits);",
                        SeveralLimitsRace.class));
    }

    private static Stream<Mutant> refunds() {
        return Stream.of(
                mutant("a refund takes no lock", JOINT, """
                        if (state.enter()) { // a retired state remembers nothing
                            try {
                                giveBacks.get(i).permits(permits);
                            } finally {
                                state.unlock();
                            }
                        }
                        """, "giveBacks.get(i).permits(permits);", CancelRace.class),
                mutant(
                        "a cancel returns before it is done",
                        RESERVATION,
                        "reservation.cancel(before);",
                        "CompletableFuture.runAsync(() -> reservation.cancel(before));",
                        DenialCancelRace.class),
                mutant(
                        "two cancels refund twice",
                        RESERVATION,
                        "long before = decision().allowed() ? refunded.getAndSet(CANCELLED) : CANCELLED;",
                        """
                        long before = decision().allowed() ? refunded.get() : CANCELLED;
                        refunded.set(CANCELLED);
                        """,
                        TwoCancelsRace.class),
                mutant(
                        "a refund may be lost",
                        RESERVATION,
                        "} while (!refunded.compareAndSet(before, before + permits));",
                        "} while (false);\nrefunded.set(before + permits);",
                        RefundCancelRace.class,
                        TwoRefundsRace.class));
    }

    private static Mutant mutant(
            String name, String source, String original, String replacement, Class<?>... caughtBy) {
        return new Mutant(name, source, original, replacement, List.of(caughtBy));
    }
}
