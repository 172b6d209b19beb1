package dev.weir.benchmarks.memory;

import java.util.Random;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** Many keys. */
@State(Scope.Benchmark)
public class Keys {
    private static final long SEED = 1;

    /** How many. */
    @Param("1000000")
    public int keys;

    /** A new string for a key. */
    static String name(int number) {
        return "user-" + number;
    }

    /**
     * The requests of one thread: each key once in a random order of its own, again and again, by strings that equal the stored ones
     * but are other objects. With one order for all, a thread that follows another finds what that one has read, and catches up with
     * it, so that both request the same keys at the same time.
     */
    @State(Scope.Thread)
    public static class Cursor {
        private String[] requested;
        private int next;

        /** Creates the strings of the requests. */
        @Setup
        public void shuffle(Keys keys, ThreadParams threads) {
            int[] order = new int[keys.keys];
            Random random = new Random(SEED + threads.getThreadIndex());
            for (int i = 0; i < order.length; i++) {
                int other = random.nextInt(i + 1);
                order[i] = order[other];
                order[other] = i;
            }
            requested = new String[order.length];
            for (int i = 0; i < order.length; i++) {
                requested[i] = name(order[i]);
            }
        }

        String next() {
            String key = requested[next];
            next = next + 1 == requested.length ? 0 : next + 1;
            return key;
        }
    }
}
