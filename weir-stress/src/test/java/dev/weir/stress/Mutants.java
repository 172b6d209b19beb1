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
import dev.weir.stress.races.TurnsRace;
import dev.weir.stress.races.TwoBlocksRace;
import dev.weir.stress.races.TwoCancelsRace;
import dev.weir.stress.races.TwoLimitsRace;
import dev.weir.stress.races.TwoRefundsRace;
import dev.weir.stress.races.WeightsRace;
import dev.weir.stress.races.WrappingRingRace;
import java.util.List;
import java.util.stream.Stream;

/** What is broken on purpose, and who must notice: each race and each model is there at least once. */
final class Mutants {
    private static final String LOCK = "dev/weir/store/LockedMemory.java";
    private static final String KEY_STATE = "dev/weir/store/KeyState.java";
    private static final String KEYSPACE = "dev/weir/store/Keyspace.java";
    private static final String RULES = "dev/weir/store/Rules.java";
    private static final String STORE = "dev/weir/store/MemoryStore.java";
    private static final String DENIAL = "dev/weir/store/Denial.java";
    private static final String DECIDING = "dev/weir/store/Deciding.java";
    private static final String JOINT = "dev/weir/store/JointBooking.java";
    private static final String FINE_LOG = "dev/weir/algorithm/FineLog.java";
    private static final String LEDGER = "dev/weir/algorithm/Ledger.java";
    private static final String RUNS = "dev/weir/algorithm/Runs.java";
    private static final String RESERVATION = "dev/weir/Reservation.java";

    private Mutants() {}

    static Stream<Mutant> all() {
        return Stream.of(locks(), leaving(), denials(), logs(), bookings(), givingBack())
                .flatMap(part -> part);
    }

    private static Stream<Mutant> locks() {
        return Stream.of(
                mutant(
                        "a lock that is held is taken",
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
                        "a lock is taken in two steps",
                        LOCK,
                        "if ((seen & HELD) == 0 && LOCK.compareAndSet(this, seen, mark() | HELD)) {",
                        "if ((seen & HELD) == 0) {\nspin(SPINS_FOR_ANOTHER);\nlock = mark() | HELD;",
                        LastPermitRace.class),
                mutant(
                        "a late reading is taken as it is",
                        KEY_STATE,
                        "return Math.max(0, last - reading);",
                        "return 0;",
                        ExpiryRace.class,
                        AdmittingModel.class),
                mutant(
                        "a new key's state is made without the common state's lock",
                        STORE,
                        """
                        common.enter();
                        try {
                            KeyState own = space.own(claim.key());
                        """,
                        """
                        try {
                            KeyState own = space.own(claim.key());
                        """,
                        NewKeyRace.class,
                        FullStoreRace.class),
                mutant("a block takes no lock", STORE, """
                        if (!state.enter()) {
                            forget(claim.limiter(), claim.key(), state);
                            continue;
                        }
                        """, "", TwoBlocksRace.class, SweptBlockRace.class),
                mutant("a block is forgotten", KEY_STATE, "changed.blockedUntil = now + nanos;", "", BlockRace.class));
    }

    private static Stream<Mutant> leaving() {
        return Stream.of(
                mutant(
                        "a state that has gone answers",
                        LOCK,
                        "if (seen == GONE) {\nreturn false;",
                        "if (seen == GONE) {\nreturn true;",
                        SweptKeyRace.class,
                        SweptBlockRace.class,
                        ResetTogetherRace.class),
                mutant(
                        "a state leaves although something is remembered",
                        KEY_STATE,
                        "if (awaited || !isIdle(nowAt(reading))) {",
                        "if (awaited) {",
                        LeavingModel.class),
                mutant(
                        "a state that leaves does not go for good",
                        KEY_STATE,
                        "last = nowAt(reading);\ngoForGood();",
                        "last = nowAt(reading);",
                        SweptKeyRace.class),
                mutant(
                        "a state that is reset does not go for good",
                        STORE,
                        "space.replace(claim.key(), state, next);\nstate.goForGood();",
                        "space.replace(claim.key(), state, next);",
                        ResetTogetherRace.class),
                mutant(
                        "a reset takes no lock",
                        STORE,
                        "if (state != null && state.enter()) {",
                        "if (state != null) {",
                        ResetTogetherRace.class),
                mutant(
                        "a state that is reset stays where it is",
                        STORE,
                        "space.replace(claim.key(), state, next);\nstate.goForGood();",
                        "",
                        ResetRace.class),
                mutant(
                        "when a key has left is forgotten",
                        KEYSPACE,
                        "left.accumulateAndGet(gone.seen(), Keyspace::later);",
                        "",
                        StaleReadingRace.class),
                mutant(
                        "a state that leaves has not seen the time",
                        KEY_STATE,
                        "last = nowAt(reading);\ngoForGood();",
                        "goForGood();",
                        StaleReadingRace.class));
    }

    private static Stream<Mutant> denials() {
        return Stream.of(
                mutant(
                        "a denial stands although somebody has entered",
                        KEY_STATE,
                        "if (denial != null) {\ndenial = null;",
                        "if (denial != null) {",
                        DenialCancelRace.class,
                        DenialRefundRace.class,
                        DenialBlockRace.class),
                mutant(
                        "a denial is hung up after the lock was left",
                        DECIDING,
                        "state.stand(new Denial(limits, denied.limit(), now, retryAt, reading + denied.resetAfterNanos()));",
                        """
                        Denial late = new Denial(limits, denied.limit(), now, retryAt, reading + denied.resetAfterNanos());
                        java.util.concurrent.CompletableFuture.runAsync(() -> state.stand(late));
                        """,
                        LateDenialRace.class),
                mutant(
                        "a denial stands under another limit",
                        DENIAL,
                        "return asked.equals(limits) && reading - retryAt < 0 && !clock.steppedSince(madeAt);",
                        "return reading - retryAt < 0 && !clock.steppedSince(madeAt);",
                        DenialLimitRace.class),
                mutant(
                        "a denial stands at the instant that it named",
                        DENIAL,
                        "return asked.equals(limits) && reading - retryAt < 0 && !clock.steppedSince(madeAt);",
                        "return asked.equals(limits) && reading - retryAt <= 0 && !clock.steppedSince(madeAt);",
                        DenialExpiryRace.class),
                mutant(
                        "a denial goes with the key to its new state",
                        STORE,
                        "next.release();",
                        """
                        next.release();
                        Denial standing = state.standing();
                        next.stand(standing != null ? standing : new Denial(
                                claim.limits(), claim.limits().list().get(0), reading, reading + 10, reading + 10));
                        """,
                        DenialResetRace.class));
    }

    private static Stream<Mutant> logs() {
        return Stream.of(
                mutant(
                        "a ring grows or shrinks by one permit too few",
                        FINE_LOG,
                        "for (int i = 0; i < older[SIZE]; i++) {\nnext[RING + i] = older[slot(older, i)];",
                        "for (int i = 0; i < older[SIZE] - 1; i++) {\nnext[RING + i] = older[slot(older, i)];",
                        GrowingRingRace.class,
                        ShrinkingRingRace.class),
                mutant(
                        "a ring does not begin again at its front",
                        FINE_LOG,
                        "return RING + (at < room ? at : at - room);",
                        "return RING + Math.min(at, room - 1);",
                        WrappingRingRace.class),
                mutant(
                        "a ring of runs grows or shrinks by one run too few",
                        RUNS,
                        "for (int i = 0; i < size; i++) {\nnext[2 * i] = stamp(i);",
                        "for (int i = 0; i < size - 1; i++) {\nnext[2 * i] = stamp(i);",
                        GrowingLedgerRace.class,
                        ShrinkingLedgerRace.class),
                mutant(
                        "a ledger counts on what it has given back",
                        LEDGER,
                        "total -= permits;",
                        "",
                        CancelRace.class,
                        RefundRace.class),
                mutant(
                        "a changed limit starts afresh",
                        KEY_STATE,
                        "if (one.name().equals(name) && algorithm.adopt(one.memory(), one.algorithm(), now)) {",
                        "if (one.name().isEmpty() && algorithm.adopt(one.memory(), one.algorithm(), now)) {",
                        ChangedLimitRace.class,
                        TwoLimitsRace.class));
    }

    private static Stream<Mutant> bookings() {
        return Stream.of(
                mutant("several keys are not locked", JOINT, """
                        if (!part.state.enter()) {
                            store.forget(part.first(), part.state);
                            return false;
                        }
                        """, "", TurnsRace.class, CrossedKeysRace.class),
                mutant("several keys are locked as they come", JOINT, "parts.sort(ORDER);", "", CrossedKeysRace.class),
                mutant(
                        "of several keys one decides",
                        JOINT,
                        "long wait = earliest(now);",
                        "long wait = parts.get(0).state.earliest(now, 0, 1);",
                        AllOrNothingRace.class),
                mutant(
                        "of several limits one books",
                        RULES,
                        "for (int i = 0; i < all.length; i++) {\nall[i].book(key.memory(i), now, wait, permits);",
                        "for (int i = 0; i < 1; i++) {\nall[i].book(key.memory(i), now, wait, permits);",
                        SeveralLimitsRace.class));
    }

    private static Stream<Mutant> givingBack() {
        return Stream.of(
                mutant("a give-back takes no lock", JOINT, """
                        if (state.enter()) { // if it has left, nothing of the booking is remembered
                            try {
                                giveBacks.get(i).permits(permits);
                            } finally {
                                state.exit();
                            }
                        }
                        """, "giveBacks.get(i).permits(permits);", CancelRace.class),
                mutant(
                        "a give-back is told before it is done",
                        RESERVATION,
                        "booking.giveBackRest(before);",
                        "CompletableFuture.runAsync(() -> booking.giveBackRest(before));",
                        DenialCancelRace.class),
                mutant(
                        "two may cancel",
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
