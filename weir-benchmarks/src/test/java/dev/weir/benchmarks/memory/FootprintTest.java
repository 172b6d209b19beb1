package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** Sizes are those of a 64-bit JVM with compressed pointers, as it is below 32 GB. */
final class FootprintTest {

    @SuppressWarnings("UnusedVariable") // the walk reads them
    private static final class Node {
        private long number;
        private Object left;
        private Object right;
    }

    @Test
    void of_array_isHeaderAndElements() {
        assertThat(Footprint.of(new long[3])).isEqualTo(16 + 3 * 8);
        assertThat(Footprint.of(new Object[4])).isEqualTo(16 + 4 * 4);
    }

    @Test
    void of_object_isHeaderAndFieldsAndWhatTheyLeadTo() {
        Node node = new Node();
        assertThat(Footprint.of(node)).isEqualTo(12 + 4 + 8 + 4 + 4); // 32, as it happens aligned

        node.left = new long[3];
        assertThat(Footprint.of(node)).isEqualTo(32 + 40);
    }

    @Test
    void of_objectMetTwice_countsOnce() {
        Node node = new Node();
        node.left = new long[3];
        node.right = node.left;
        assertThat(Footprint.of(node)).isEqualTo(32 + 40);

        node.right = node;
        assertThat(Footprint.of(node)).isEqualTo(32 + 40);
    }

    @Test
    void of_equalObjects_countsBoth() {
        assertThat(Footprint.of(new Object[] {new int[1], new int[1]})).isEqualTo(24 + 2 * 24);
    }

    @Test
    void of_sharedWithTheJvm_isPassedBy() {
        Object[] shared = {"a string", String.class, Thread.currentThread(), FootprintTest.class.getClassLoader()};

        assertThat(Footprint.of(shared)).isEqualTo(16 + 4 * 4);
    }

    @Test
    void of_record_isCounted() {
        record Pair(Object left, Object right) {}

        assertThat(Footprint.of(new Pair(new long[1], null))).isEqualTo(24 + 24);
    }

    @Test
    void of_collection_isWhatJolSays() {
        ConcurrentHashMap<Long, int[]> map = new ConcurrentHashMap<>();
        for (long i = 1_000; i < 2_000; i++) {
            map.put(i, new int[2]);
        }

        assertThat(Footprint.of(map)).isEqualTo(GraphLayout.parseInstance(map).totalSize());
    }
}
