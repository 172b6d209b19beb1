package dev.weir.benchmarks.redis;

import java.util.List;
import java.util.stream.IntStream;

/** Names of keys. */
final class KeyNames {
    private KeyNames() {}

    /** So many, of about a user's length. */
    static List<String> of(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what + "-" + i).toList();
    }
}
