package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import dev.weir.benchmarks.redis.Measuring.DeniedAgain;
import dev.weir.benchmarks.redis.Measuring.ManyInFlight;
import dev.weir.benchmarks.redis.Measuring.OneAtATime;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.redis.RedisStore;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.logging.LogManager;

/**
 * Measures on a server of its own. Contestants take turns, several times round, each time in another order, so that a
 * machine that gets slower or faster does it to all of them alike.
 */
public final class RedisBenchmark {
    private static final Limit SMALL = Limit.parse("1000/1s");
    private static final Limit OUT_OF_REACH = Limit.parse("10000000/1s");
    private static final Limit ONE = Limit.parse("1/1d");
    private static final Limit LARGE = Limit.parse("1000000/1m");
    private static final Limit LARGE_FINE = Limit.parse("1000000/1m resolution=1us");
    private static final List<String> SYNC_KEYS = RemoteClient.keys("user", 1_000);
    private static final int FEW = 10;
    /** The rounds whose figures are discarded, while the JVM compiles. */
    private static final int WARM_SYNC_ROUNDS = 3;

    private static final int SCENARIOS_IN_FLIGHT = 2;

    private final RedisEffort effort;
    private final Progress progress;
    private final Map<RedisContestant, RemoteClient> clients = new EnumMap<>(RedisContestant.class);

    /** Prepares a measurement. */
    public RedisBenchmark(RedisEffort effort, Progress progress) {
        this.effort = effort;
        this.progress = progress;
    }

    private int turns() {
        int limiters = RedisContestant.limiters().size();
        return limiters // checked
                + 2 // one at a time
                + SCENARIOS_IN_FLIGHT * limiters * (1 + effort.rounds)
                + WeirAlone.TURNS
                + 1 // denied again and again
                + limiters
                + 1; // memory
    }

    /**
     * Measures everything, and reports it under a header.
     *
     * @throws FailedMeasureException if something cannot be measured, or is not what its name says
     */
    public Report run(String header) {
        progress.begin(turns(), "turns");
        LogManager.getLogManager().reset(); // a failure is reported once, by this program
        try (RedisServer server = RedisServer.start();
                ServerCounters counters = new ServerCounters(server.uri())) {
            try {
                for (RedisContestant contestant : RedisContestant.values()) {
                    turn(
                            "connecting " + contestant.title(),
                            () -> clients.put(contestant, contestant.connect(server.uri())));
                }
                RedisFigures figures = measure(server.uri(), counters);
                progress.show("");
                return RedisReport.of(figures, header + "; Redis " + counters.version());
            } finally {
                clients.values().forEach(RemoteClient::close);
            }
        }
    }

    private RedisFigures measure(String uri, ServerCounters server) {
        for (RedisContestant contestant : RedisContestant.limiters()) {
            next("whether it limits: " + contestant.title(), () -> {
                new AdmissionCheck(contestant, client(contestant)).run();
                return contestant;
            });
        }
        RedisFigures figures = new RedisFigures();
        next("one at a time, admitted", () -> admitted(server, figures.admittedMicros));
        next("one at a time, denied", () -> denied(uri, server, figures.deniedMicros));
        inFlight(
                "one hot key",
                server,
                OUT_OF_REACH,
                1,
                figures.hotKeyPerSecond,
                new Rounds("server CPU of one hot key"));
        inFlight("distinct keys", server, SMALL, effort.keys, figures.keysPerSecond, figures.keysCpuMicros);
        WeirAlone alone = new WeirAlone(uri, server, effort, figures);
        next("joint requests", alone::jointRequests);
        next("slow network", alone::slowNetwork);
        next("waiting processes", alone::waitingProcesses);
        next("denied again and again", () -> deniedAgain(server, figures));
        for (RedisContestant contestant : RedisContestant.limiters()) {
            next("memory: " + contestant.title(), () -> memory(contestant, server, LARGE_FINE, figures.entryBytes));
        }
        next("memory, default resolution", () -> memory(RedisContestant.WEIR, server, LARGE, figures.coarseEntryBytes));
        return figures;
    }

    private RemoteClient client(RedisContestant contestant) {
        return Objects.requireNonNull(clients.get(contestant));
    }

    /** Denials by the server: of Weir without denial memory, which is seen by the scripts that it makes the server run. */
    private Rounds denied(String uri, ServerCounters server, Rounds figures) {
        server.flush();
        try (RemoteClient weir = RemoteClient.weir(RedisStore.builder(uri).denialMemory(Duration.ZERO))) {
            Map<RedisContestant, RemoteClient> all = new EnumMap<>(clients);
            all.put(RedisContestant.WEIR, weir);
            Map<RedisContestant, OneAtATime> calls = new EnumMap<>(RedisContestant.class);
            all.forEach((contestant, client) -> {
                RemoteLimiter<?> limiter = client.limiter(ONE, SYNC_KEYS);
                for (int key = 0; key < SYNC_KEYS.size(); key++) {
                    limiter.acquire(key);
                }
                calls.put(contestant, new OneAtATime(limiter, SYNC_KEYS.size(), contestant == RedisContestant.SET));
            });
            oneAtATime(calls, figures);
            long scripts = server.scripts();
            Objects.requireNonNull(calls.get(RedisContestant.WEIR)).medianMicros(FEW);
            scripts = server.scripts() - scripts;
            if (scripts < FEW) {
                throw new FailedMeasureException(FEW + " denials took only " + scripts + " scripts", null);
            }
        }
        return figures;
    }

    private Rounds admitted(ServerCounters server, Rounds figures) {
        server.flush();
        Map<RedisContestant, OneAtATime> calls = new EnumMap<>(RedisContestant.class);
        clients.forEach((contestant, client) ->
                calls.put(contestant, new OneAtATime(client.limiter(SMALL, SYNC_KEYS), SYNC_KEYS.size(), true)));
        oneAtATime(calls, figures);
        return figures;
    }

    private void oneAtATime(Map<RedisContestant, OneAtATime> calls, Rounds figures) {
        for (int round = -WARM_SYNC_ROUNDS; round < effort.syncRounds; round++) {
            for (RedisContestant contestant : order(List.copyOf(calls.keySet()), round)) {
                OneAtATime its = Objects.requireNonNull(calls.get(contestant));
                double micros = turn(contestant.title(), () -> its.medianMicros(effort.calls));
                if (round >= 0) {
                    figures.add(contestant, micros);
                }
            }
        }
    }

    private void inFlight(
            String what, ServerCounters server, Limit limit, int keyCount, Rounds perSecond, Rounds cpuMicros) {
        List<String> keys = RemoteClient.keys("user", keyCount);
        for (int round = -1; round < effort.rounds; round++) {
            for (RedisContestant contestant : order(RedisContestant.limiters(), round)) {
                ManyInFlight measured =
                        next(what + ", " + Measuring.IN_FLIGHT + " in flight: " + contestant.title(), () -> {
                            server.flush();
                            RemoteLimiter<?> limiter = client(contestant).limiter(limit, keys);
                            return ManyInFlight.measure(limiter, keyCount, Measuring.IN_FLIGHT, server, effort);
                        });
                if (round >= 0) {
                    perSecond.add(contestant, measured.perSecond());
                    cpuMicros.add(contestant, measured.cpuMicros());
                }
            }
        }
    }

    private Rounds deniedAgain(ServerCounters server, RedisFigures figures) {
        for (int round = -1; round < effort.rounds; round++) {
            server.flush();
            DeniedAgain measured = DeniedAgain.measure(client(RedisContestant.WEIR), "again-" + round, server, effort);
            if (round >= 0) {
                figures.deniedMillions.add(RedisContestant.WEIR, measured.millions());
                figures.scriptsPerPermit.add(RedisContestant.WEIR, measured.scriptsPerPermit());
            }
        }
        return figures.deniedMillions;
    }

    /** Fills a log one request at a time, so that each is an entry of its own, and divides the memory that the server reports. */
    private Rounds memory(RedisContestant contestant, ServerCounters server, Limit limit, Rounds figures) {
        server.flush();
        RemoteLimiter<?> limiter = client(contestant).limiter(limit, List.of("user-0"));
        new OneAtATime(limiter, 1, true).medianMicros(effort.entries);
        figures.add(contestant, (double) server.keyBytes() / effort.entries);
        return figures;
    }

    private static List<RedisContestant> order(List<RedisContestant> contestants, int round) {
        List<RedisContestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, round);
        return order;
    }

    private <T> T next(String what, Callable<T> turn) {
        progress.next(what);
        return turn(what, turn);
    }

    /** Runs a turn. Its failures are reported with its name. */
    private static <T> T turn(String what, Callable<T> turn) {
        try {
            return turn.call();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new FailedMeasureException(what + ": interrupted", interrupted);
        } catch (Exception failure) {
            String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            throw new FailedMeasureException(
                    what + ": " + message.lines().findFirst().orElse(""), failure);
        }
    }
}
