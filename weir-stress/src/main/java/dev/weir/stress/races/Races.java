package dev.weir.stress.races;

import static dev.weir.stress.races.Race.race;
import static dev.weir.stress.races.Stage.KEY;
import static dev.weir.stress.races.Stage.limit;

import dev.weir.Limits;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All races. Each lists the results that may be seen: that of the first thread, that of the second, and what a look after both
 * shows, which is the number of permits that remain unless stated otherwise.
 */
public final class Races {
    private static final long UNUSED = 1_000_000_000; // after which an idle key is removed although there is room

    private Races() {}

    /** All races. */
    public static List<Race> all() {
        return Stream.of(admissions(), rings(), refunds(), changes(), removals(), blocks(), reservations(), denials())
                .flatMap(List::stream)
                .toList();
    }

    static Race named(String name) {
        return all().stream()
                .filter(race -> race.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no race " + name));
    }

    /** Two requests for permits of which there are enough for one. */
    private static List<Race> admissions() {
        return List.of(
                race("NewKey", 1, 10)
                        .threads(Stage::acquire, Stage::acquire)
                        .expect("true, false, 0", "false, true, 0"),
                race("LastPermit", 2, 10)
                        .start(Stage::acquire)
                        .threads(Stage::acquire, Stage::acquire)
                        .expect("true, false, 0", "false, true, 0"),
                race("Weights", 4, 10)
                        .start(Stage::acquire)
                        .threads(s -> s.acquire(2), s -> s.acquire(2))
                        .expect("true, false, 1", "false, true, 1"),
                // The first limit has room for one request; the other request takes nothing of the second limit.
                new Race("SeveralLimits", () -> new Stage(Room.ENOUGH, false, Limits.parse("3/10ns", "4/100ns")))
                        .threads(s -> s.acquire(2), s -> s.acquire(2))
                        .after(s -> s.remainingAt(10))
                        .expect("true, false, 2", "false, true, 2"),
                // The window ends, and one thread may have read the time before. A permit is recorded after the end.
                race("Expiry", 2, 10)
                        .start(s -> s.acquire(2))
                        .threads(s -> s.timeIs(10) && s.acquire(), Stage::acquire)
                        .expect("true, true, 0", "true, false, 1"),
                // The time of the store is the maximum of all readings: it does not decrease.
                new Race("TimeBackwards", () -> new Stage(Room.ENOUGH, true, limit(1, 86_400_000_000_000L)))
                        .start(s -> s.timeOfDecision("a", 0))
                        .threads(s -> s.timeOfDecision("b", 20), s -> s.timeOfDecision("c", 10))
                        .after(s -> s.timeOfDecision("d", 0))
                        .expect("20, 20, 20", "20, 10, 20"));
    }

    /** The log of a key grows, wraps around or shrinks while two are admitted. It keeps all permits, in order. */
    private static List<Race> rings() {
        return List.of(
                ring("GrowingRing", 1_000, 10, 11, 12, 1_008).expect("true, true, 5159"),
                ring("WrappingRing", 20, 10, 25, 26, 30).expect("true, true, 5761"),
                ring("ShrinkingRing", 50, 40, 80, 80, 88).expect("true, true, 5159"),
                ring("GrowingRingWithRefunds", 1_000, 3, 5, 6, 1_002)
                        .start(s -> s.hold(1) && s.fill(3) && s.timeIs(5))
                        .expect("true, true, 5760"),
                ring("ShrinkingRingWithRefunds", 20, 15, 34, 34, 35)
                        .start(s -> s.hold(1) && s.fill(15) && s.timeIs(34))
                        .expect("true, true, 6061"));
    }

    /** One permit at each of the first instants; then one and two permits at later ones; a look then and at the last instant. */
    private static Race ring(String name, long window, int instants, long first, long second, long last) {
        return race(name, 64, window)
                .start(s -> s.fill(instants) && s.timeIs(first))
                .threads(Stage::acquire, s -> s.timeIs(second) && s.acquire(2))
                .after(s -> 100 * s.remaining() + s.remainingAt(last));
    }

    /** A reservation is refunded or cancelled, beside other permits of the same instant. */
    private static List<Race> refunds() {
        return List.of(
                race("Cancel", 4, 10)
                        .start(s -> s.hold(2) && s.acquire(1))
                        .threads(Stage::cancel, Stage::acquire)
                        .expect("true, true, 2"),
                race("Refund", 4, 10)
                        .start(s -> s.hold(2) && s.acquire(1))
                        .threads(s -> s.refund(1), Stage::acquire)
                        .expect("true, true, 1"),
                race("TwoCancels", 4, 10)
                        .start(s -> s.hold(2) && s.acquire(2))
                        .threads(Stage::cancel, Stage::cancel)
                        .expect("true, false, 2", "false, true, 2"),
                // The cancel at the end refunds what is left, which is nothing.
                race("TwoRefunds", 4, 10)
                        .start(s -> s.hold(2) && s.acquire(2))
                        .threads(s -> s.refund(1), s -> s.refund(1))
                        .after(s -> s.cancel() + " " + s.remaining())
                        .expect("true, true, true 2"),
                race("RefundCancel", 6, 10)
                        .start(s -> s.hold(3) && s.acquire(3))
                        .threads(s -> s.refund(1), Stage::cancel)
                        .expect("true, true, 3", "false, true, 3"));
    }

    /** The limit is changed, or two limits are used under one name. What is recorded under either counts under both. */
    private static List<Race> changes() {
        return List.of(
                race("ChangedLimit", 1, 10)
                        .start(Stage::acquire)
                        .threads(s -> s.changeLimits(limit(3, 20)) && s.acquire(), Stage::acquire)
                        .expect("true, true, 0", "true, false, 1"),
                race("TwoLimits", 6, 10)
                        .start(Stage::acquire)
                        .threads(
                                s -> s.acquire(2),
                                s -> s.limiter(limit(8, 20)).tryAcquire(KEY, 2).allowed())
                        .after(s -> s.limiter(limit(8, 20)).peek(KEY).remaining())
                        .expect("true, true, 3"));
    }

    /** A key is removed or reset, or the store is full. */
    private static List<Race> removals() {
        return List.of(
                // A new key lets the store remove an idle one while it is requested: the permit counts.
                race("RemovedKey", 1, 10)
                        .start(s -> s.acquire() && s.timeIs(UNUSED))
                        .threads(s -> s.acquire("b", 1), Stage::acquire)
                        .expect("true, true, 0"),
                race("RemovedKeyIsBlocked", 1, 10)
                        .start(s -> s.acquire() && s.timeIs(UNUSED))
                        .threads(s -> s.acquire("b", 1), s -> s.block(10) && s.acquire())
                        .after(Stage::acquire)
                        .expect("true, false, false"),
                // Removed after its window while requested with a reading from before: it was full at that instant.
                race("StaleReading", 1, 10)
                        .start(Stage::acquire)
                        .threads(s -> s.timeIs(UNUSED) && s.acquire("b", 1), Stage::acquireSlowly)
                        .expect("true, at 1000000000, 0", "true, denied, 1"),
                // The store is full of an idle key. The new key gets its room, and one state.
                new Race("FullStore", () -> new Stage(Room.keys(1), false, limit(1, 10)))
                        .start(s -> s.acquire("idle", 1) && s.timeIs(10))
                        .threads(Stage::acquire, Stage::acquire)
                        .expect("true, false, 0", "false, true, 0"),
                lastRoom("LastKey", Room.keys(1)),
                lastRoom("LastBytes", new Room(1_000, 1)),
                race("Reset", 1, 10)
                        .start(Stage::acquire)
                        .threads(Stage::reset, Stage::acquire)
                        .expect("true, true, 0", "true, false, 1"),
                // If the joint request came after the permit of the other key, then also after the reset.
                race("ResetOfOneOfTwoKeys", 2, 10)
                        .start(Stage::acquire)
                        .threads(
                                s -> s.reset() && s.acquire("b", 1) ? s.remaining("b") : -1,
                                s -> s.acquireAll(KEY, "b"))
                        .expect("1, true, 1", "0, true, 1", "0, true, 2"));
    }

    /** There is room for one of two new keys. The other leaves no trace in the count: a third gets the room of the idle one. */
    private static Race lastRoom(String name, Room room) {
        return new Race(name, () -> new Stage(room, false, limit(1, 10)))
                .threads(s -> s.acquire("a", 1), s -> s.acquire("b", 1))
                .after(s -> s.timeIs(10) && s.acquire("c", 1))
                .expect("true, false, true", "false, true, true");
    }

    /** Once a thread has set the flag, the key is blocked or unblocked. A block takes no permit. */
    private static List<Race> blocks() {
        return List.of(
                race("Block", 3, 100)
                        .start(Stage::acquire)
                        .flaggingThread(s -> s.block(10), Stage::acquire)
                        .after(s -> s.remainingAt(10))
                        .expect("true, false true, 1", "true, false false, 2", "true, true false, 2"),
                race("Unblock", 3, 100)
                        .start(s -> s.acquire() && s.block(50) && !s.acquire())
                        .flaggingThread(Stage::unblock, Stage::acquire)
                        .expect("true, false true, 1", "true, true true, 1", "true, false false, 2"),
                race("TwoBlocks", 1, 100)
                        .start(s -> s.block(1))
                        .threads(s -> s.block(5), s -> s.block(10))
                        .after(Stage::retryAfter)
                        .expect("true, true, 10"));
    }

    /** Pending reservations, and requests for several keys. */
    private static List<Race> reservations() {
        return List.of(
                race("Reservations", 1, 10)
                        .start(Stage::acquire)
                        .threads(s -> s.reserve() + " " + s.reserve(), s -> s.reserve() + " " + s.reserve())
                        .after(Stage::reserve)
                        .expect(
                                "10 20, 30 40, 50",
                                "10 30, 20 40, 50",
                                "10 40, 20 30, 50",
                                "20 30, 10 40, 50",
                                "20 40, 10 30, 50",
                                "30 40, 10 20, 50"),
                // No deadlock.
                race("CrossedKeys", 1, 10)
                        .threads(s -> s.acquireAll(KEY, "b"), s -> s.acquireAll("b", KEY))
                        .after(s -> s.remaining() + s.remaining("b"))
                        .expect("true, false, 0", "false, true, 0"),
                race("AllOrNothing", 1, 10)
                        .start(s -> s.acquire("full", 1))
                        .threads(s -> s.acquireAll(KEY, "full"), Stage::acquire)
                        .expect("false, true, 0"));
    }

    /** A denial is cached. Once a thread has set the flag, its reason no longer holds and requests are admitted. */
    private static List<Race> denials() {
        return List.of(
                denial("DenialCancel", 1, s -> s.hold(1) && s.acquire(1), Stage::cancel),
                denial("DenialRefund", 2, s -> s.hold(2) && s.acquire(1), s -> s.refund(1)),
                denial("DenialReset", 1, Races::useUp, Stage::reset),
                denial("DenialLimit", 1, Races::useUp, s -> s.changeLimits(limit(2, 10))),
                denial("DenialExpiry", 1, Races::useUp, s -> s.timeIs(10)),
                // The block ends later than the cached denial.
                race("DenialBlock", 1, 10)
                        .start(Races::useUp)
                        .flaggingThread(s -> s.block(20), Stage::retryAfter)
                        .after(s -> s.timeIs(15) && s.acquire())
                        .expect("true, false 10, false", "true, false 20, false", "true, true 20, false"),
                // A denial is about to be cached while its reason goes away.
                race("LateDenial", 1, 10)
                        .start(s -> s.hold(1))
                        .threads(Stage::cancel, Stage::acquire)
                        .after(Stage::acquire)
                        .expect("true, true, false", "true, false, true"));
    }

    private static Race denial(
            String name, long permits, Function<Stage, Object> start, Function<Stage, Object> operation) {
        return race(name, permits, 10)
                .start(start)
                .flaggingThread(operation, Stage::acquire)
                .expect("true, false true, 0", "true, true true, 0", "true, false false, 1");
    }

    private static boolean useUp(Stage stage) {
        return stage.acquire() && !stage.acquire();
    }
}
