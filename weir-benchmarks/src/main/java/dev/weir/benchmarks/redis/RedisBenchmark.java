package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.Measuring.IN_FLIGHT;
import static dev.weir.benchmarks.redis.RedisContestant.SET;
import static dev.weir.benchmarks.redis.RedisContestant.WEIR;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.benchmarks.redis.Measuring.DeniedAgain;
import dev.weir.benchmarks.redis.Measuring.ManyInFlight;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.FailedMeasureException.Part;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Rounds;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.redis.RedisStore;
import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Measures on a server of its own. */
public final class RedisBenchmark {
    private static final Limit SMALL = Limit.parse("1000/1s");
    private static final Limit OUT_OF_REACH = Limit.parse("10000000/1s");
    private static final Limit ONE = Limit.parse("1/1d");
    private static final Limit LARGE = Limit.parse("1000000/1m");
    private static final Limit LARGE_FINE = Limit.parse("1000000/1m resolution=1us");
    private static final List<String> HOT_KEY = List.of("user-0");
    private static final int FEW = 10;
    private static final int IN_FLIGHT_FAR = 4_096;

    private final Effort effort;
    private final int rounds; // with many requests in flight
    private final List<String> syncKeys;
    private final List<String> manyKeys;
    private final RedisServer redis;
    private final ServerCounters server;
    private final Map<RedisContestant, RemoteClient> clients = new EnumMap<>(RedisContestant.class);
    private final RedisReport figures = new RedisReport();
    private final List<Turn> turns = new ArrayList<>();

    private record Turn(String what, Part part) {}

    private RedisBenchmark(Effort effort, RedisServer redis) {
        this.effort = effort;
        this.rounds = effort.of(1, 7, 15);
        this.syncKeys = RemoteClient.keys("user", effort.of(50, 1_000, 1_000));
        this.manyKeys = RemoteClient.keys("user", effort.of(100, 10_000, 10_000));
        this.redis = redis;
        this.server = new ServerCounters(redis);
    }

    /**
     * Measures everything, and reports it under a header.
     *
     * @throws FailedMeasureException if something cannot be measured, or is not what its name says
     */
    public static Report run(Effort effort, Progress progress, String header) {
        try (RedisServer redis = RedisServer.start()) {
            RedisBenchmark benchmark = new RedisBenchmark(effort, redis);
            try {
                benchmark.plan();
                progress.begin(benchmark.turns.size(), "turns");
                for (Turn turn : benchmark.turns) {
                    progress.next(turn.what);
                    FailedMeasureException.attempt(turn.what, turn.part);
                }
                return benchmark.figures.report(header + "; Redis " + redis.info("server", "redis_version"));
            } finally {
                benchmark.clients.values().forEach(RemoteClient::close);
            }
        }
    }

    private void plan() {
        for (RedisContestant contestant : RedisContestant.values()) {
            next("connecting " + contestant.title, () -> clients.put(contestant, contestant.connect(redis.uri())));
        }
        for (RedisContestant limiter : RedisContestant.limiters()) {
            next("whether it limits: " + limiter.title, () -> new AdmissionCheck(limiter, client(limiter)).run());
        }
        next("one at a time, admitted", () -> oneAtATime(clients, SMALL, true, figures.admittedMicros));
        next("one at a time, denied", this::denied);
        next("other limits than one log", this::otherLimits);
        inFlight("one hot key", OUT_OF_REACH, HOT_KEY, (contestant, measured) -> {
            figures.hotKeyPerSecond.add(contestant, measured.perSecond());
        });
        inFlight("distinct keys", SMALL, manyKeys, (contestant, measured) -> {
            figures.keysPerSecond.add(contestant, measured.perSecond());
            figures.keysCpuMicros.add(contestant, measured.cpuMicros());
        });
        next("joint requests", this::jointRequests);
        next("slow network", this::slowNetwork);
        next("waiting processes", this::waitingProcesses);
        next("denied again and again", this::deniedAgain);
        for (RedisContestant limiter : RedisContestant.limiters()) {
            next("memory: " + limiter.title, () -> memory(limiter, LARGE_FINE, figures.entryBytes));
        }
        next("memory, default resolution", () -> memory(WEIR, LARGE, figures.coarseEntryBytes));
    }

    private void next(String what, Part part) {
        turns.add(new Turn(what, part));
    }

    private RemoteClient client(RedisContestant contestant) {
        return Objects.requireNonNull(clients.get(contestant));
    }

    /** Denials by the server: of Weir without denial memory, which is seen by the scripts that it makes the server run. */
    private void denied() {
        try (RemoteClient weir =
                RemoteClient.weir(RedisStore.builder(redis.uri()).denialMemory(Duration.ZERO))) {
            Map<RedisContestant, RemoteClient> all = new EnumMap<>(clients);
            all.put(WEIR, weir);
            oneAtATime(all, ONE, false, figures.deniedMicros);
            long scripts = server.scripts();
            Measuring.medianMicros(weir.limiter(ONE, syncKeys), FEW, false, FEW);
            scripts = server.scripts() - scripts;
            if (scripts < FEW) {
                throw new FailedMeasureException(FEW + " denials took only " + scripts + " scripts");
            }
        }
    }

    /** The server's time for decisions under other limits, relative to that for one sliding log. */
    private void otherLimits() {
        server.flush();
        try (RedisStore store = RedisStore.builder(redis.uri())
                .timeout(RemoteClient.TIMEOUT)
                .denialMemory(Duration.ZERO)
                .connect()) {
            for (int round = 0; round <= rounds; round++) {
                double one = scriptMicros(store, round, "1000000/1h");
                figures.oneLogMicros.add(WEIR, one);
                figures.windowRatio.add(WEIR, scriptMicros(store, round, "fixed-window 1000000/1h") / one);
                figures.twoLogsRatio.add(WEIR, scriptMicros(store, round, "1000000/1h", "2000000/1d") / one);
                figures.attemptsRatio.add(WEIR, scriptMicros(store, round, "10/1h count=attempts") / one);
            }
        }
    }

    /** Decides one at a time on a key of its own, and returns the server's time for each, in scripts that it knew. */
    private double scriptMicros(RedisStore store, int round, String... limits) {
        Limits parsed = Limits.parse(limits);
        String key = parsed + "-" + round;
        int calls = effort.of(50, 5_000, 10_000);
        long before = 0;
        for (int i = -calls / 10; i < calls; i++) {
            before = i == 0 ? redis.micros("evalsha") : before;
            Decision unused = store.decide("bench", parsed, key, 1);
        }
        return (double) (redis.micros("evalsha") - before) / calls;
    }

    /** After one on each key, all requests are to be admitted, or all denied, except by {@code SET}, which limits nothing. */
    private void oneAtATime(
            Map<RedisContestant, RemoteClient> measured,
            Limit limit,
            boolean admitted,
            Rounds<RedisContestant> micros) {
        server.flush();
        Map<RedisContestant, RemoteLimiter> limiters = new EnumMap<>(RedisContestant.class);
        measured.forEach((contestant, client) -> limiters.put(contestant, client.limiter(limit, syncKeys)));
        limiters.values().forEach(limiter -> IntStream.range(0, syncKeys.size()).forEach(limiter::acquire));
        List<RedisContestant> contestants = List.copyOf(limiters.keySet());
        int calls = effort.of(50, 1_000, 2_000); // in a round, which is short
        Rounds.run(micros.warm, 3 * rounds, contestants, contestant -> {
            RemoteLimiter limiter = Objects.requireNonNull(limiters.get(contestant));
            boolean expected = admitted || contestant == SET;
            FailedMeasureException.attempt(
                    contestant.title,
                    () -> micros.add(contestant, Measuring.medianMicros(limiter, syncKeys.size(), expected, calls)));
        });
    }

    /** Plans a round that warms up, and those that are measured. */
    private void inFlight(String what, Limit limit, List<String> keys, BiConsumer<RedisContestant, ManyInFlight> add) {
        Rounds.run(1, rounds, RedisContestant.limiters(), contestant -> {
            String turn = what + ", " + IN_FLIGHT + " in flight: " + contestant.title;
            next(turn, () -> add.accept(contestant, inFlight(client(contestant), limit, keys, IN_FLIGHT)));
        });
    }

    /** Measures on an empty server; Redisson keeps the rates of its limiters there. */
    private ManyInFlight inFlight(RemoteClient client, Limit limit, List<String> keys, int inFlight)
            throws InterruptedException {
        server.flush();
        return ManyInFlight.measure(client.limiter(limit, keys), keys.size(), inFlight, server, effort);
    }

    /** Joint requests on two keys, alternating with requests on one of them. */
    private void jointRequests() throws InterruptedException {
        try (RemoteClient single = RemoteClient.weir(RedisStore.builder(redis.uri()));
                RemoteClient joint = RemoteClient.weirJoint(RedisStore.builder(redis.uri()))) {
            for (int round = 0; round <= rounds; round++) {
                double one = inFlight(single, SMALL, manyKeys, IN_FLIGHT).perSecond();
                double both = inFlight(joint, SMALL, manyKeys, IN_FLIGHT).perSecond();
                figures.jointPerSecond.add(WEIR, both);
                figures.jointRatio.add(WEIR, both / one);
            }
        }
    }

    /** One hot key, behind a slow network. */
    private void slowNetwork() throws IOException, InterruptedException {
        try (SlowNetwork network = new SlowNetwork(redis.uri());
                RemoteClient far = RemoteClient.weir(RedisStore.builder(network.uri()))) {
            for (int round = 0; round <= rounds; round++) {
                ManyInFlight measured = inFlight(far, OUT_OF_REACH, HOT_KEY, IN_FLIGHT_FAR);
                figures.farPerSecond.add(WEIR, measured.perSecond());
            }
        }
    }

    /** Four processes whose callers wait for one limit. */
    private void waitingProcesses() throws IOException, InterruptedException {
        server.flush();
        figures.waitingPercent.add(WEIR, WaitingProcesses.percentUsed(redis.uri(), effort));
    }

    private void deniedAgain() {
        for (int round = 0; round <= rounds; round++) {
            server.flush();
            DeniedAgain measured = DeniedAgain.measure(client(WEIR), "again-" + round, server, effort);
            figures.deniedMillions.add(WEIR, measured.millions());
            figures.scriptsPerPermit.add(WEIR, measured.scriptsPerPermit());
        }
    }

    private void memory(RedisContestant contestant, Limit limit, Rounds<RedisContestant> bytes) {
        server.flush();
        int entries = effort.of(1_000, 100_000, 100_000);
        bytes.add(contestant, Measuring.entryBytes(client(contestant), limit, HOT_KEY, entries, server));
    }
}
