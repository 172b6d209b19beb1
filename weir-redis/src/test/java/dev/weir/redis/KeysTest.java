package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of keys on the server, which are the same in all versions. */
final class KeysTest {
    private static final Request ALICE = Request.of("login", Limits.parse("10/1h"), "alice", 1);
    private static final Request BOB = Request.of("login", Limits.parse("10/1h"), "bob", 1);

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }

    private static List<String> names(Keys keys, Request... requests) {
        return Arrays.stream(keys.of(List.of(requests))).map(KeysTest::text).toList();
    }

    @Test
    void of_eachRequestHasAStateAndAHash() {
        assertThat(names(new Keys("weir", null), ALICE, BOB))
                .containsExactly("weir:{login:alice}", "weir:{login:alice}b", "weir:{login:bob}", "weir:{login:bob}b");
    }

    @Test
    void of_secret_keyIsHashed() {
        String hashed = "weir:{login:Q2DGe8gQJRFARFeNfE6ODw}";
        assertThat(names(new Keys("weir", "secret"), ALICE)).containsExactly(hashed, hashed + "b");
    }

    /** The expected values are replies to {@code CLUSTER KEYSLOT}. */
    @Test
    void slot_equalsThatOfTheServer() {
        Keys keys = new Keys("weir", null);
        assertThat(Keys.slot(keys.of(List.of(ALICE)))).isEqualTo(14_094);
        assertThat(Keys.slot(Keys.withoutHash(keys.of(List.of(ALICE))))).isEqualTo(14_094);
    }

    @Test
    void withoutHash_namesTheStateTwice() {
        byte[][] pair = Keys.withoutHash(new Keys("weir", null).of(List.of(ALICE)));
        assertThat(Arrays.stream(pair).map(KeysTest::text)).containsExactly("weir:{login:alice}", "weir:{login:alice}");
    }

    @Test
    void absent_isNotTheNameOfAKey() {
        assertThat(text(new Keys("weir", null).absent())).isEqualTo("weir:absent");
    }
}
