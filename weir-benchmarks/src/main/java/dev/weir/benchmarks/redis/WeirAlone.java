package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.RedisContestant.WEIR;

import dev.weir.Limit;
import dev.weir.benchmarks.redis.Measuring.ManyInFlight;
import dev.weir.redis.RedisStore;
import java.io.IOException;
import java.util.List;

/** What is measured of Weir alone, because the others do not have it. */
final class WeirAlone {
    /** The number of measurements. */
    static final int TURNS = 3;

    private static final Limit SMALL = Limit.parse("1000/1s");
    private static final Limit OUT_OF_REACH = Limit.parse("10000000/1s");
    private static final long ROUND_TRIP_MILLIS = 5;

    private final String uri;
    private final ServerCounters server;
    private final RedisEffort effort;
    private final RedisFigures figures;

    WeirAlone(String uri, ServerCounters server, RedisEffort effort, RedisFigures figures) {
        this.uri = uri;
        this.server = server;
        this.effort = effort;
        this.figures = figures;
    }

    /** Joint requests on two keys, and requests on one of them, in turn. */
    Rounds jointRequests() throws InterruptedException {
        List<String> keys = RemoteClient.keys("user", effort.keys);
        try (RemoteClient single = RemoteClient.weir(RedisStore.builder(uri));
                RemoteClient joint = RemoteClient.weirJoint(RedisStore.builder(uri))) {
            for (int round = -1; round < effort.rounds; round++) {
                double one = perSecond(single.limiter(SMALL, keys), effort.keys, Measuring.IN_FLIGHT);
                double both = perSecond(joint.limiter(SMALL, keys), effort.keys, Measuring.IN_FLIGHT);
                if (round >= 0) {
                    figures.jointPerSecond.add(WEIR, both);
                    figures.jointRatio.add(WEIR, both / one);
                }
            }
        }
        return figures.jointRatio;
    }

    /** One hot key, behind a network with a round trip of 5 ms. */
    Rounds slowNetwork() throws InterruptedException {
        try (SlowNetwork network = new SlowNetwork(uri, ROUND_TRIP_MILLIS);
                RemoteClient far = RemoteClient.weir(RedisStore.builder(network.uri()))) {
            for (int round = -1; round < effort.rounds; round++) {
                double perSecond =
                        perSecond(far.limiter(OUT_OF_REACH, RemoteClient.keys("user", 1)), 1, Measuring.IN_FLIGHT_FAR);
                if (round >= 0) {
                    figures.farPerSecond.add(WEIR, perSecond);
                }
            }
        }
        return figures.farPerSecond;
    }

    private double perSecond(RemoteLimiter<?> limiter, int keys, int inFlight) throws InterruptedException {
        server.flush();
        return ManyInFlight.measure(limiter, keys, inFlight, server, effort).perSecond();
    }

    /** Four processes whose callers wait for one limit. */
    Rounds waitingProcesses() throws IOException, InterruptedException {
        server.flush();
        WaitingProcesses measured = WaitingProcesses.measure(uri, effort.waitingSeconds);
        figures.waitingPercent.add(WEIR, measured.percent());
        figures.waitingOver.add(WEIR, measured.windowsOver());
        return figures.waitingPercent;
    }
}
