package dev.weir.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTableTest {
    private final KeyTable keys = new KeyTable();

    @Test
    void id_manyKeys_agreesWithAMap() throws LogException {
        Map<String, Integer> expected = new HashMap<>();
        List<String> inOrder = new ArrayList<>();
        Random random = new Random(3);
        for (int i = 0; i < 200_000; i++) {
            String key = Integer.toString(random.nextInt(50_000), 2 + random.nextInt(35));
            if (expected.putIfAbsent(key, expected.size()) == null) {
                inOrder.add(key);
            }

            assertThat(id(key)).isEqualTo(expected.get(key));
        }

        assertThat(keys.size()).isEqualTo(inOrder.size());
        for (int id = 0; id < inOrder.size(); id++) {
            assertThat(keys.text(id)).isEqualTo(inOrder.get(id));
        }
    }

    @Test
    void id_keysThatDifferInOneByte_areTwo() throws LogException {
        for (int length = 1; length < 40; length++) {
            String key = "k".repeat(length);
            int id = id(key);
            for (int at = 0; at < length; at++) {
                assertThat(id(key.substring(0, at) + "l" + key.substring(at + 1)))
                        .isNotEqualTo(id);
            }
            assertThat(id(key)).isEqualTo(id);
        }
    }

    /** The differences in each pair of words cancel out in a product of 64 bits, for half of all seeds each. */
    @Test
    void hash_keysChosenToCollide_doNot() {
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < 4096; i++) {
            StringBuilder key = new StringBuilder();
            for (int pair = 0; pair < 12; pair++) {
                key.append((i >> pair & 1) == 0 ? "aaaaaaa!aaaaaaa!" : "aaaaaaaaaaaacaaa");
            }
            byte[] bytes = key.toString().getBytes(StandardCharsets.US_ASCII);
            hashes.add(keys.hash(bytes, 0, bytes.length));
        }

        assertThat(hashes).hasSizeGreaterThan(4080);
    }

    @Test
    void text_unknownId_isRefused() {
        assertThatThrownBy(() -> keys.text(0)).hasMessage("key id must be at least 0 and less than 0, was 0");
    }

    private int id(String key) throws LogException {
        byte[] bytes = ("<" + key + ">").getBytes(StandardCharsets.UTF_8);
        return keys.id(bytes, 1, bytes.length - 1);
    }
}
