package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys on three nodes. */
final class ClusterTest {
    private static final long DAY = Duration.ofDays(1).toNanos();
    private static RedisCluster cluster;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(RedisServer.binaries().get(0));
        store = connected(Duration.ofSeconds(1), Await.TIMEOUT);
    }

    @AfterAll
    static void stop() {
        store.close();
        cluster.close();
    }

    /** Connects to all nodes; those that a busy machine let miss the time for that are connected to by probes. */
    private static RedisStore connected(Duration denialMemory, Duration timeout) {
        RedisStore made = RedisStore.builder(cluster.uri())
                .timeout(timeout)
                .denialMemory(denialMemory)
                .connect();
        cluster.nodes().forEach(node -> Await.until("a connection", () -> answers(made, keyOn(node, "probe"))));
        return made;
    }

    private static boolean answers(RedisStore store, String key) {
        return Blocking.answers(store, request("1/1m", key));
    }

    private static Request request(String limits, String key) {
        return Request.of("hammer", Limits.parse(limits), key, 1);
    }

    private static int slot(String key) {
        return cluster.slot("weir:{hammer:" + key + "}");
    }

    private static RedisServer nodeOf(String key) {
        return cluster.owner(slot(key));
    }

    /** Returns a key on the given node. */
    private static String keyOn(RedisServer node, String start) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> start + i)
                .filter(key -> nodeOf(key) == node)
                .findFirst()
                .orElseThrow();
    }

    /** Of 500 permits, part of the log is in a hash, which moves separately from the string. */
    @ParameterizedTest
    @ValueSource(strings = {"20/200ms resolution=1us", "500/500ms resolution=1us"})
    void slotMoved_noWindowIsOverfull_andServesAgain(String limit) {
        String key = "moved" + limit.length();
        RedisServer from = nodeOf(key);
        RedisServer to = cluster.other(from);
        long permits = Limit.parse(limit).permits();
        try (RedisStore moving = connected(Duration.ZERO, Duration.ofMillis(200));
                Hammer hammer = new Hammer(moving, limit, 4, key)) {
            hammer.awaitPermits(permits + 10);

            RedisCluster.Move move = cluster.move(slot(key), to);
            awaitCalls(hammer);
            move.oneKey();
            awaitCalls(hammer);
            move.oneKey();
            awaitCalls(hammer);
            move.finish();

            Await.until("recovery", () -> answers(store, key));
            hammer.awaitPermits(2 * permits + 10);
            Await.until(
                    "a state on the new node",
                    () -> to.command("EXISTS", "weir:{hammer:" + key + "}")
                            .equals(1L)); // until two seconds after the latest request
            hammer.stop();
            hammer.trace().assertHolds(Limit.parse(limit));
        }
    }

    /** Most keys have no hash: Redis redirects their requests. Includes keys that share a script, and a node that lost its scripts. */
    @Test
    void slotMoves_keysWithoutAHash_areDecidedDuringTheMove() {
        List<Request> requests = requestsInSlotOf("many-moving");
        RedisServer to = cluster.other(nodeOf("many-moving"));
        try (RedisStore lenient = connected(Duration.ZERO, Await.TIMEOUT.multipliedBy(2))) {
            reserveAll(lenient, requests.subList(0, 30), 2);
            RedisCluster.Move move = cluster.move(slot("many-moving"), to);
            reserveAll(lenient, requests.subList(0, 30), 1);
            for (int i = 0; i < 15; i++) {
                move.oneKey();
            }
            to.command("SCRIPT", "FLUSH");
            reserveAll(lenient, requests.subList(0, 30), 0);
            reserveAll(lenient, requests.subList(30, 40), 2); // new keys
            Blocking.block(lenient, requests.get(0), DAY);
            assertThat(Blocking.inspect(lenient, requests.get(0), 1).blockedUntil())
                    .isPresent();
            move.finish();

            reserveAll(lenient, requests.subList(30, 40), 1);
            assertThat(Blocking.peek(lenient, requests.get(29)).remaining()).isZero();
        }
    }

    private static List<Request> requestsInSlotOf(String key) {
        return IntStream.range(0, 40)
                .mapToObj(i -> request("3/1h", key + "}" + i)) // the slot depends on the text before the first }
                .toList();
    }

    /** Reserves all at once, so that they share scripts. */
    private static void reserveAll(RedisStore store, List<Request> requests, long remaining) {
        List<CompletableFuture<StoreReservation>> all = requests.stream()
                .map(each -> store.reserveAsync(List.of(each), 0))
                .toList();
        assertThat(all)
                .map(each -> each.join().decision())
                .allMatch(each -> each.allowed() && each.remaining() == remaining);
    }

    /** Pending reservations are in the hash, which may be at the destination. */
    @Test
    void slotMoves_requestThatNeedsTheHash_waits_andIsCountedOnce() {
        Request request = request("1/1h", "waits");
        try (RedisStore lenient = connected(Duration.ZERO, Await.TIMEOUT.multipliedBy(2))) {
            assertThat(hoursToWait(lenient.reserveAsync(List.of(request), DAY))).isZero();
            assertThat(hoursToWait(lenient.reserveAsync(List.of(request), DAY))).isEqualTo(1);
            RedisServer to = cluster.other(nodeOf("waits"));
            RedisCluster.Move move = cluster.move(slot("waits"), to);
            move.oneKey();

            CompletableFuture<StoreReservation> third = lenient.reserveAsync(List.of(request), DAY);
            CompletableFuture<Decision> peeked = lenient.peekAsync(request);
            Blocking.peek(lenient, request("3/1h", keyOn(to, "elsewhere"))); // is answered during the move
            assertThat(third).isNotDone();
            assertThat(peeked).isNotDone();
            move.finish();

            assertThat(hoursToWait(third)).isEqualTo(2);
            assertThat(peeked).succeedsWithin(Await.TIMEOUT);
            assertThat(hoursToWait(lenient.reserveAsync(List.of(request), DAY))).isEqualTo(3);
        }
    }

    private static long hoursToWait(CompletableFuture<StoreReservation> future) {
        return Math.round(future.join().decision().waitNanos() / 3.6e12);
    }

    /** Requests that wait for the move are repeated. */
    @Test
    void slotMoves_requestsForOtherKeysOfItsNode_doNotWait() {
        Request moving = request("1/1h", "delays");
        RedisServer from = nodeOf("delays");
        Request other = request("100/1h", keyOn(from, "beside"));
        Request sameSlot = requestsInSlotOf("delays").get(0);
        try (RedisStore lenient = connected(Duration.ZERO, Await.TIMEOUT.multipliedBy(2))) {
            lenient.reserve(List.of(moving), 0);
            RedisCluster.Move move = cluster.move(slot("delays"), cluster.other(from));
            List<CompletableFuture<StoreReservation>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(lenient.reserveAsync(List.of(moving), DAY));
                assertThat(lenient.reserveAsync(List.of(other), 0)).succeedsWithin(Await.TIMEOUT);
                assertThat(lenient.reserveAsync(List.of(sameSlot), 0)).succeedsWithin(Await.TIMEOUT);
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            move.finish();

            assertThat(waiting)
                    .map(ClusterTest::hoursToWait)
                    .doesNotHaveDuplicates()
                    .allMatch(each -> each > 0 && each <= 20);
            assertThat(Blocking.peek(lenient, other).remaining()).isEqualTo(80);
        }
    }

    @Test
    void slotMoves_forLongerThanTheTimeout_requestFailsWithTheReason() {
        store.reserve(List.of(request("1/1h", "fails")), 0);
        RedisCluster.Move move = cluster.move(slot("fails"), cluster.other(nodeOf("fails")));

        try (RedisStore impatient = connected(Duration.ZERO, Duration.ofSeconds(5))) {
            assertThatThrownBy(() -> impatient.reserve(List.of(request("1/1h", "fails")), DAY))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("Redis refused: TRYAGAIN");
        }

        move.finish();
        Await.until("the moved slot", () -> answers(store, "fails"));
    }

    private static void awaitCalls(Hammer hammer) {
        long before = hammer.answers() + hammer.failures();
        Await.until("calls", () -> hammer.answers() + hammer.failures() > before + 20);
    }

    @Test
    void keysOfDifferentSlots_allOrNone() {
        String many = keyOn(cluster.nodes().get(0), "many");
        String few = keyOn(cluster.nodes().get(1), "few");

        for (int i = 0; i < 3; i++) {
            assertThat(bothAllowed(many, few)).isTrue();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(bothAllowed(many, few)).isFalse();
            assertThat(bothAllowed(few, many)).isFalse();
        }

        assertThat(Blocking.peek(store, limited(many)).remaining()).isEqualTo(7);
        assertThat(Blocking.peek(store, limited(few)).remaining()).isZero();
    }

    private static boolean bothAllowed(String one, String two) {
        StoreReservation reservation = store.reserve(List.of(limited(one), limited(two)), 0);
        return reservation.decision().allowed();
    }

    private static Request limited(String key) {
        return request(key.startsWith("many") ? "10/1h" : "3/1h", key);
    }

    /** Statuses are in the order of the requests, not of their slots, as in memory. */
    @Test
    void keysOfDifferentSlots_statuses_areInTheOrderOfTheRequests() {
        List<Request> all = new ArrayList<>();
        for (RedisServer node : List.of(
                cluster.nodes().get(2), cluster.nodes().get(0), cluster.nodes().get(1))) {
            String limit = (10 + all.size()) + "/1m";
            String key = keyOn(node, "ordered");
            Limits limits = all.size() == 1 ? Limits.parse(limit, "20/1m") : Limits.parse(limit);
            all.add(Request.of("hammer", limits, key, 1 + all.size()));
        }
        try (MemoryStore memory = MemoryStore.builder().build()) {
            assertSameStatuses(memory, all, true);
            assertSameStatuses(memory, all, true);
            for (Store each : List.of(memory, store)) {
                Blocking.block(each, all.get(2), Duration.ofMinutes(5).toNanos());
            }
            assertSameStatuses(memory, all, false);
            Decision denied = store.reserve(all, 0).decision();
            assertThat(denied.blocked()).isTrue();
            assertThat(denied.limit()).isEqualTo(Limit.parse("12/1m"));
            assertThat(denied.remaining()).isZero();
        }
    }

    /** Compares all fields except times, which are those of the servers' clocks. */
    private static void assertSameStatuses(Store memory, List<Request> all, boolean allowed) {
        Decision there = store.reserve(all, 0).decision();
        Decision here = memory.reserve(all, 0).decision();
        assertThat(there.allowed()).isEqualTo(here.allowed()).isEqualTo(allowed);
        assertThat(there.statuses().stream().map(ClusterTest::withoutTimes))
                .containsExactlyElementsOf(
                        here.statuses().stream().map(ClusterTest::withoutTimes).toList());
        assertThat(there.statuses().stream().map(each -> each.retryAfterNanos() > 0))
                .containsExactlyElementsOf(here.statuses().stream()
                        .map(each -> each.retryAfterNanos() > 0)
                        .toList());
    }

    private static Status withoutTimes(Status status) {
        return new Status(status.request(), status.limit(), status.remaining(), 0, 0);
    }

    @Test
    void keysOfDifferentSlots_refunded_onAllNodes() {
        String one = keyOn(cluster.nodes().get(0), "many-one");
        String two = keyOn(cluster.nodes().get(2), "many-two");

        StoreReservation reservation = store.reserve(List.of(limited(one), limited(two)), 0);
        assertThat(Blocking.peek(store, limited(one)).remaining()).isEqualTo(9);
        assertThat(Blocking.peek(store, limited(two)).remaining()).isEqualTo(9);
        reservation.refund(1);

        for (String key : List.of(one, two)) {
            Await.until("the refund", () -> Blocking.peek(store, limited(key)).remaining() == 10);
        }
    }

    @Test
    void keysOfDifferentSlots_inBothOrders_mostRestrictiveLimitHolds() throws InterruptedException {
        String one = keyOn(cluster.nodes().get(0), "many-cross");
        String two = keyOn(cluster.nodes().get(1), "few-cross");
        AtomicInteger admitted = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    for (int n = 0; n < 50; n++) {
                        boolean allowed = i % 2 == 0 ? bothAllowed(one, two) : bothAllowed(two, one);
                        admitted.addAndGet(allowed ? 1 : 0);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(admitted.get()).isBetween(1, 3);
        Await.until(
                "refunds of the denied requests",
                () -> Blocking.peek(store, limited(one)).remaining() == 10 - admitted.get());
        assertThat(Blocking.peek(store, limited(two)).remaining()).isEqualTo(3 - admitted.get());
    }

    /** Includes attempts that a limit on another node denies. */
    @Test
    void keysOfDifferentSlots_deniedAttempts_areRecorded() {
        Request few = request("1/1h", keyOn(cluster.nodes().get(0), "few-attempts"));
        List<Request> counted = IntStream.of(0, 1, 2)
                .mapToObj(node ->
                        request("3/1h count=attempts", keyOn(cluster.nodes().get(node), "attempts")))
                .toList();
        List<Request> all = new ArrayList<>(counted);
        all.add(few);
        for (int i = 0; i < 3; i++) {
            assertThat(store.reserve(all, 0).decision().allowed()).isEqualTo(i == 0);
        }

        assertThat(counted)
                .allSatisfy(each ->
                        assertThat(Blocking.peek(store, each).remaining()).isZero());
        assertThat(store.reserve(all, 0).decision().allowed()).isFalse();
        assertThat(Blocking.peek(store, few).remaining()).isZero();
    }

    /** Answers to the parts of a joint request have more fields than answers to requests for one key. */
    @Test
    void keysOfDifferentSlots_andRequestsForOneKey_areAllDecided() {
        Request one = request("1000/1h", keyOn(cluster.nodes().get(0), "beside-one"));
        Request two = request("1000/1h", keyOn(cluster.nodes().get(1), "beside-two"));
        List<CompletableFuture<StoreReservation>> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(store.reserveAsync(List.of(one), 0));
            all.add(store.reserveAsync(List.of(one, two), 0));
        }

        assertThat(all).allMatch(each -> each.join().decision().allowed());
        assertThat(Blocking.peek(store, one).remaining()).isEqualTo(400);
        assertThat(Blocking.peek(store, two).remaining()).isEqualTo(700);
    }

    /** If full coverage is not required, only requests for keys of the node that is down fail. */
    @Test
    void nodeDown_othersServe() {
        cluster.nodes().forEach(node -> node.command("CONFIG", "SET", "cluster-require-full-coverage", "no"));
        RedisServer down = cluster.nodes().get(2);
        String lost = keyOn(down, "lost");
        String served = keyOn(cluster.nodes().get(0), "served");
        String limit = "100/1s";
        try (RedisStore impatient = connected(Duration.ZERO, Duration.ofSeconds(5))) {
            for (String key : List.of(lost, served)) {
                Await.until("a connection", () -> Blocking.answers(impatient, request(limit, key)));
            }
            down.pause();
            try (Hammer hammer = new Hammer(impatient, limit, 2, lost);
                    Hammer other = new Hammer(impatient, limit, 2, served)) {
                hammer.awaitFailures(21);
                other.awaitPermits(100);
                other.assertNoFailures();
                assertThat(hammer.answers()).isZero();
            } finally {
                down.resume();
            }
        }
        Await.until("recovery", () -> answers(store, lost));
    }
}
