package dev.weir.benchmarks.memory;

import java.util.Random;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** Many keys, and the random order of requests: by strings that equal the stored ones but are other objects. */
@State(Scope.Benchmark)
public class Keys {
    private static final long SEED = 1;

    /** How many. */
    @Param("1000000")
    public int keys;

    private String[] requested;

    /** Creates the strings of the requests. */
    @Setup
    public void shuffle() {
        int[] order = new int[keys];
        Random random = new Random(SEED);
        for (int i = 0; i < keys; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        requested = new String[keys];
        for (int i = 0; i < keys; i++) {
            requested[i] = name(order[i]);
        }
    }

    /** A new string for a key. */
    static String name(int number) {
        return "user-" + number;
    }

    /** One thread's place in the order; threads start evenly apart. */
    @State(Scope.Thread)
    public static class Cursor {
        private int next;

        /** Finds this thread's start. */
        @Setup
        public void start(Keys keys, ThreadParams threads) {
            next = (int) ((long) keys.keys * threads.getThreadIndex() / threads.getThreadCount());
        }

        String next(Keys keys) {
            String key = keys.requested[next];
            next = next + 1 == keys.requested.length ? 0 : next + 1;
            return key;
        }
    }
}
