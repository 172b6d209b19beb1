package dev.weir.benchmarks.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** Many keys. */
@State(Scope.Benchmark)
public class Keys {
    private static final long SEED = 1;

    /** The number of keys. */
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
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, keys.keys).boxed().toList());
            Collections.shuffle(order, new Random(SEED + threads.getThreadIndex()));
            requested = order.stream().map(Keys::name).toArray(String[]::new);
        }

        String next() {
            String key = requested[next];
            next = next + 1 == requested.length ? 0 : next + 1;
            return key;
        }
    }
}
