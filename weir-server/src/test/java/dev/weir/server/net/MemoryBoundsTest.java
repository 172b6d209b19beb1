package dev.weir.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MemoryBoundsTest {
    @ParameterizedTest
    @CsvSource({"1, 4096, 1", "32, 4096, 32", "32, 64, 4", "32, 8, 1"})
    void eventLoops_areFewer_ifTheHeapIsSmall(int processors, long heapMegabytes, int loops) {
        assertThat(MemoryBounds.eventLoops(processors, heapMegabytes << 20)).isEqualTo(loops);
    }

    @ParameterizedTest
    @CsvSource({"128, 2048", "307, 4912", "640, 10000", "100000, 10000"})
    void connections_areFewer_ifTheHeapIsSmall(long heapMegabytes, int connections) {
        assertThat(MemoryBounds.connections(heapMegabytes << 20)).isEqualTo(connections);
    }
}
