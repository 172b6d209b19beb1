package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.KeyNames.Name;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names that operators see for keys, and whether a name reveals its key. */
final class KeyNamesTest {
    private static final RuleId API = rule("api", "5/1h");

    private static RuleId rule(String limiter, String... limits) {
        return new RuleId(limiter, limiter, Mode.LIVE, Limits.parse(limits), false, true);
    }

    @Test
    void hash_withTheSameSecret_isTheSameOnAllServers() {
        String name = new KeyNames(true, "secret").shown("192.0.2.7");

        assertThat(name).matches("#[0-9a-f]{16}");
        assertThat(new KeyNames(true, "secret").shown("192.0.2.7")).isEqualTo(name);
        assertThat(new KeyNames(true, "other").shown("192.0.2.7")).isNotEqualTo(name);
    }

    @Test
    void hash_withoutASecret_cannotBeGuessed() {
        assertThat(new KeyNames(true, null).shown("192.0.2.7"))
                .isNotEqualTo(new KeyNames(true, null).shown("192.0.2.7"));
    }

    @Test
    void hash_inLists_isThatOfTheKeyItself() {
        KeyNames names = new KeyNames(true, "secret");

        assertThat(names.of(API, "a").key()).isEqualTo(names.shown("a"));
        assertThat(names.of(rule("envoy", "5/1h"), "edge,user=a").key()).isEqualTo(names.shown("edge,user=a"));
        assertThat(names.resolveEntries(names.shown("edge,user=a"))).isEqualTo("user=a");
    }

    @Test
    void query_findsTheKeyAgain() {
        KeyNames names = new KeyNames(false, null);

        assertThat(names.of(API, "a")).isEqualTo(new Name("a", "policy=api"));
        assertThat(names.of(rule("default", "5/1h", "token-bucket 9/1d"), "a"))
                .isEqualTo(new Name("a", "limit=sliding-log%205%2F1h&limit=token-bucket%209%2F1d"));
        assertThat(names.of(rule("", "5/1h"), "a")).as("of all other rules").isEqualTo(new Name("a", null));
        assertThat(names.of(rule("envoy", "5/1h"), "edge &,user=a")).isEqualTo(new Name("user=a", "domain=edge%20%26"));
    }

    @Test
    void listed_longKey_isFoundByItsName_upToABound() {
        KeyNames names = new KeyNames(false, null);
        String longest = "k".repeat(80);
        assertThat(names.of(API, longest).key()).isEqualTo(longest);
        String first = names.of(API, longest + 0).key();
        assertThat(names.resolve(first)).isEqualTo(longest + 0);

        for (int i = 1; i <= 1_000; i++) {
            names.of(API, longest + i);
        }

        assertThat(names.resolve(first)).as("it was forgotten").isNull();
    }

    /** A name of another server, or of this one before a restart, must not be taken for a key that nobody has. */
    @Test
    void unknownName_isNoKey() {
        KeyNames hashing = new KeyNames(true, null);
        assertThat(hashing.resolve("#0123456789abcdef")).isNull();
        assertThat(hashing.resolveEntries("#0123456789abcdef")).isNull();
        assertThat(hashing.resolve("#0123")).isEqualTo("#0123");
        assertThat(hashing.resolveEntries("user=a")).isEqualTo("user=a");

        KeyNames names = new KeyNames(false, null);
        assertThat(names.resolve("k…#0123456789abcdef")).isNull();
        assertThat(names.resolve("#0123456789abcdef")).isEqualTo("#0123456789abcdef");
    }

    @Test
    void listed_longKey_isNotCutWithinACharacter() {
        KeyNames names = new KeyNames(false, null);
        String faces = "\ud83d\ude00".repeat(20);

        assertThat(names.of(API, "k".repeat(59) + faces).key()).startsWith("k".repeat(59) + "…#");
        assertThat(names.of(API, "k".repeat(58) + faces).key()).startsWith("k".repeat(58) + "\ud83d\ude00…#");
    }

    /** Clients remove such segments from a path; what is not Unicode text cannot be sent. */
    @Test
    void listed_keyThatNoPathCanHave_isFoundByItsName() {
        KeyNames names = new KeyNames(false, null);

        for (String key : List.of(".", "..", "a\ud800")) {
            String name = names.of(API, key).key();
            assertThat(name).startsWith(key.replace('\ud800', '?') + "…#").matches(".*…#[0-9a-f]{16}");
            assertThat(names.resolve(name)).isEqualTo(key);
        }
        assertThat(names.of(API, "...").key()).isEqualTo("...");
    }

    /** Such a key would be taken for the one whose name it is. */
    @Test
    void listed_keyThatIsTheNameOfAnother_hasAnotherName() {
        KeyNames names = new KeyNames(false, null);
        for (String key : List.of("..", "k".repeat(81))) {
            String name = names.of(API, key).key();

            String copy = names.of(API, name).key();

            assertThat(copy).startsWith(name + "…#");
            assertThat(names.resolve(copy)).isEqualTo(name);
            assertThat(names.resolve(name)).isEqualTo(key);
        }
    }

    @Test
    void listed_keysThatDifferInUnpairedSurrogates_haveDifferentNames() {
        for (boolean hashed : List.of(false, true)) {
            KeyNames names = new KeyNames(hashed, "secret");
            List<String> keys = List.of("a\ud800", "a\udc00", "k".repeat(90) + '\ud800', "k".repeat(90) + '?', "a?");

            List<String> listed =
                    keys.stream().map(key -> names.of(API, key).key()).toList();

            assertThat(listed).doesNotHaveDuplicates();
            assertThat(listed.stream().map(names::resolve)).isEqualTo(keys);
        }
    }

    /** A client that chooses its key can choose what the store has for a descriptor. */
    @Test
    void listed_keyThatIsTheTextOfADescriptor_isFoundAsThatOfItsRule() {
        String user = "user=" + "a".repeat(90);
        for (boolean hashed : List.of(false, true)) {
            for (String key : List.of("edge," + user, user)) {
                KeyNames names = new KeyNames(hashed, "secret");
                String descriptor =
                        names.of(rule("envoy", "5/1h"), "edge," + user).key();

                String name = names.of(API, key).key();

                assertThat(names.resolve(name)).isEqualTo(key);
                assertThat(names.resolveEntries(descriptor)).isEqualTo(user);
            }
        }
    }
}
