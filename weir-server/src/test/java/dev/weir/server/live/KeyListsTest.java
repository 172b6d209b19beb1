package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Limits;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.TopDenied.Denied;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lists of keys over time, which the test moves. */
final class KeyListsTest {
    private static final RuleId API = new RuleId("api", "api", Mode.LIVE, Limits.parse("100/1m"), false, false);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long START = 1_000;

    private final RuleTable table = new RuleTable();
    private final RuleRows api = table.get(API);
    private final KeyLists lists = new KeyLists();

    private void denyTimes(int times, String key, long second) {
        lists.advance(second);
        for (int i = 0; i < times; i++) {
            lists.denied(api.row(0), key, 0, second * SECOND);
        }
    }

    private List<Denied> topAt(long second) {
        lists.advance(second);
        return lists.denied.top(20, second * SECOND);
    }

    @Test
    void denied_areCountedForAMinute() {
        denyTimes(3, "a", START);
        denyTimes(5, "b", START + 30);

        assertThat(topAt(START + 54)).extracting(Denied::perMinute).containsExactly(5L, 3L);
        assertThat(lists.limited.count()).isEqualTo(2);
        assertThat(topAt(START + 60)).extracting(denied -> denied.key().key()).containsExactly("b");
        assertThat(topAt(START + 100)).isEmpty();
        assertThat(lists.limited.count()).isZero();
    }

    @Test
    void denied_since_isTheStartOfTheStreak() {
        denyTimes(1, "a", START);
        denyTimes(1, "a", START + 50);

        assertThat(topAt(START + 54).get(0).sinceNanos()).isEqualTo(54 * SECOND);
        denyTimes(1, "a", START + 111);
        assertThat(topAt(START + 112).get(0).sinceNanos()).isEqualTo(SECOND);
    }

    /** While each attempt is denied, all of the demand is denials. */
    @Test
    void denied_asks_ofAKeyThatIsLockedOut_isItsAttempts() {
        Limits attempts = Limits.parse("5/1m count=attempts");
        RuleRows login = table.get(new RuleId("login", "login", Mode.LIVE, attempts, false, false));
        for (long second = START; second <= START + 115; second += 5) {
            lists.advance(second);
            lists.denied(login.row(0), "a", 0, second * SECOND);
        }

        assertThat(topAt(START + 115).get(0).perMinute()).isEqualTo(12);
        assertThat(LiveView.asks(topAt(START + 115).get(0))).isEqualTo(2.4);
    }

    @Test
    void denied_nextPermit_isThatOfTheLatestPeek() {
        denyTimes(1, "a", START);
        LimitedKey key = new LimitedKey(api.row(0), "a");
        assertThat(topAt(START).get(0).nextPermitNanos()).isNull();
        assertThat(lists.stale(START * SECOND)).containsExactly(key);

        lists.peeked(key, 0, 10 * SECOND, START * SECOND);
        assertThat(topAt(START + 4).get(0).nextPermitNanos()).isEqualTo(6 * SECOND);
        assertThat(topAt(START + 20).get(0).nextPermitNanos()).isZero();
        lists.peeked(key, 0, Long.MAX_VALUE, (START + 20) * SECOND);
        assertThat(topAt(START + 21).get(0).nextPermitNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void denied_times_areThoseOfTheWindow() {
        denyTimes(3, "a", START);
        denyTimes(2, "a", START + 30);

        long[] times = lists.denied.times(new LimitedKey(api.row(0), "a"), (START + 30) * SECOND);
        assertThat(times).hasSize(150).endsWith(2);
        assertThat(times[149 - 75]).isEqualTo(3); // 30 s before, in bins of 0.4 s
        assertThat(Arrays.stream(times).sum()).isEqualTo(5);
        assertThat(Arrays.stream(lists.denied.times(new LimitedKey(api.row(0), "a"), (START + 60) * SECOND))
                        .sum())
                .as("when the first bin is used again")
                .isEqualTo(2);
        assertThat(Arrays.stream(lists.denied.times(new LimitedKey(api.row(0), "a"), (START + 61) * SECOND))
                        .sum())
                .isEqualTo(2);
        assertThat(lists.denied.times(new LimitedKey(api.row(0), "b"), START * SECOND))
                .isEmpty();
    }

    @Test
    void denied_inWindow_isOfTheLastMinuteIfThatIsLonger() {
        RuleRows day = table.get(new RuleId("day", "day", Mode.LIVE, Limits.parse("100/1d"), false, false));
        RuleRows second = table.get(new RuleId("second", "second", Mode.LIVE, Limits.parse("5/1s"), false, false));
        for (int minutes = 0; minutes <= 10; minutes++) {
            long now = START + 60L * minutes;
            lists.advance(now);
            lists.denied(day.row(0), "a", 0, now * SECOND);
            lists.denied(second.row(0), "a", 0, now * SECOND);
        }

        assertThat(topAt(START + 600))
                .extracting(Denied::perMinute, Denied::inWindow)
                .containsExactlyInAnyOrder(tuple(1L, 11L), tuple(1L, 1L));
    }

    @Test
    void denied_1500KeysInEachSlot_countsAreExact() {
        for (long second = START; second < START + 60; second += 5) {
            for (int i = 0; i < 1_500; i++) {
                denyTimes(1, "once " + second + " " + i, second);
            }
            denyTimes(second < START + 30 ? 1 : 0, "often", second);
        }

        Denied often = topAt(START + 55).get(0);

        assertThat(often.key().key()).isEqualTo("often");
        assertThat(often.perMinute()).isEqualTo(6);
        assertThat(often.error()).isZero();
    }

    @Test
    void denied_manyKeys_theMostDeniedAreFound_withTheirError() {
        lists.advance(START);
        for (int i = 0; i < 200_000; i++) {
            denyTimes(1, "once " + i, START + i / 5_000);
            if (i % 50 == 0) {
                denyTimes(1, "often", START + i / 5_000);
            }
        }

        List<Denied> top = topAt(START + 39);

        assertThat(top).hasSize(1);
        Denied often = top.get(0);
        assertThat(often.key().key()).isEqualTo("often");
        assertThat(often.error()).isBetween(1L, 204_000L / 500);
        assertThat(often.perMinute()).isBetween(4_000L, 4_000 + often.error());
        assertThat((double) lists.limited.count()).isBetween(180_000.0, 220_000.0);
    }

    @Test
    void keysWithEqualHashCodes_doNotCollide() {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < 4_096; i++) {
            key.setLength(0);
            for (int bit = 0; bit < 12; bit++) {
                key.append((i >> bit & 1) == 0 ? "Aa" : "BB"); // these have the same hash code
            }
            denyTimes(1, key.toString(), START);
        }

        assertThat((double) lists.limited.count()).isBetween(3_600.0, 4_600.0);
    }

    @Test
    void fullest_keysThatAreDenied_takeNoOthersPlace() {
        lists.fullest.put(new LimitedKey(api.row(0), "nearly"), 5, START * SECOND, false);
        for (int i = 0; i < 1_000; i++) {
            denyTimes(1, "denied " + i, START);
        }

        assertThat(lists.fullest.top(1_000, START * SECOND)).hasSize(256).last().satisfies(full -> {
            assertThat(full.key().key()).isEqualTo("nearly");
            assertThat(full.used()).isEqualTo(95);
        });
        lists.fullest.put(new LimitedKey(api.row(0), "nearly"), 20, START * SECOND, false);
        assertThat(lists.fullest.top(1_000, START * SECOND)).hasSize(255);
    }

    /** A key that is not noticed for a window has used nothing in it. */
    @Test
    void fullest_notNoticedForAWindow_isNotListed() {
        lists.fullest.put(new LimitedKey(api.row(0), "nearly"), 5, START * SECOND, false);

        assertThat(lists.fullest.top(20, (START + 60) * SECOND)).hasSize(1);
        assertThat(lists.fullest.top(20, (START + 61) * SECOND)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "token-bucket 10/1s burst=100, 10", // until its tokens are there again
        "10/500ms, 2" // until it could be looked at again
    })
    void fullest_notNoticedForLongerThanAWindow_isListed(String limit, long seconds) {
        RuleRows rule = table.get(new RuleId("own", "own", Mode.LIVE, Limits.parse(limit), false, false));
        lists.fullest.put(new LimitedKey(rule.row(0), "a"), 0, START * SECOND, false);

        assertThat(lists.fullest.top(20, (START + seconds) * SECOND)).hasSize(1);
        assertThat(lists.fullest.top(20, (START + seconds) * SECOND + 1)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10/1h, 1, true", "10/1h, 2, false", "3/1h, 0, true", "3/1h, 1, false", "1/1h, 0, false"})
    void fullest_moreThanFourFifthsAreUsed_isListed(String limit, long remaining, boolean listed) {
        RuleRows rule = table.get(new RuleId("own", "own", Mode.LIVE, Limits.parse(limit), false, false));

        lists.fullest.put(new LimitedKey(rule.row(0), "a"), remaining, START * SECOND, false);

        assertThat(lists.fullest.top(20, START * SECOND)).hasSize(listed ? 1 : 0);
    }

    @Test
    void fullest_firstTheFullest_thenByName() {
        lists.fullest.put(new LimitedKey(api.row(0), "a"), 5, START * SECOND, false);
        lists.fullest.put(new LimitedKey(api.row(0), "c"), 0, START * SECOND, false);
        lists.fullest.put(new LimitedKey(api.row(0), "b"), 0, START * SECOND, false);

        assertThat(lists.fullest.top(2, START * SECOND))
                .extracting(full -> full.key().key())
                .containsExactly("b", "c");
    }

    /** A frame peeks at no more than 40 of them, so all 256 are peeked at within 7 s. */
    @Test
    void stale_keysNotNoticedForASecond_thoseWaitingLongestFirst() {
        for (int i = 0; i < 50; i++) {
            lists.fullest.put(new LimitedKey(api.row(0), "key " + i), 5, START * SECOND, false);
        }
        assertThat(lists.stale((START + 1) * SECOND)).isEmpty();

        long now = (START + 2) * SECOND;
        Set<LimitedKey> first = lists.stale(now);
        assertThat(first).hasSize(40).allMatch(key -> Integer.parseInt(key.key().substring(4)) < 40);
        first.forEach(key -> lists.peeked(key, 5, 0, now));

        assertThat(lists.stale(now)).hasSize(10).noneMatch(first::contains);
        assertThat(lists.stale((START + 62) * SECOND))
                .as("without those whose window has passed")
                .isEqualTo(first);
    }

    @Test
    void stale_peekedKeyThatHasRoomAgain_isNotListed() {
        LimitedKey key = new LimitedKey(api.row(0), "a");
        lists.fullest.put(key, 5, START * SECOND, false);

        lists.peeked(key, 100, 0, (START + 2) * SECOND);

        assertThat(lists.fullest.top(20, (START + 2) * SECOND)).isEmpty();
    }

    @Test
    void denied_manyKeys_timesAreKnownOfTheLatest() {
        for (int i = 0; i <= 4_096; i++) {
            denyTimes(1, "key " + i, START);
        }

        assertThat(lists.denied.times(new LimitedKey(api.row(0), "key 0"), START * SECOND))
                .isEmpty();
        assertThat(lists.denied.times(new LimitedKey(api.row(0), "key 1"), START * SECOND))
                .endsWith(1);
    }

    @Test
    void denied_timesForgotten_countInALongWindowIsNotKnown() {
        RuleRows day = table.get(new RuleId("day", "day", Mode.LIVE, Limits.parse("100/1d"), false, false));
        lists.advance(START);
        lists.denied(day.row(0), "old", 0, START * SECOND);
        denyTimes(1, "old", START);
        for (int i = 0; i < 4_096; i++) {
            denyTimes(1, "key " + i, START + 5L * (i / 1_000));
        }

        assertThat(lists.denied.top(10_000, (START + 20) * SECOND))
                .filteredOn(denied -> denied.key().key().equals("old"))
                .extracting(denied -> denied.key().row(), Denied::perMinute, Denied::inWindow, Denied::sinceNanos)
                .containsExactlyInAnyOrder(tuple(day.row(0), 1L, null, 0L), tuple(api.row(0), 1L, 1L, 0L));
    }

    private void configure(String limit) {
        table.configure(List.of(Rule.ofPolicy("policy", Limits.parse(limit), null)));
    }

    private void deny(String key, String limit) {
        RuleRows policy = table.find(new RuleId("policy", "policy", Mode.LIVE, Limits.parse(limit), false, true));
        lists.denied(policy.row(0), key, 0, START * SECOND);
    }

    @Test
    void limitsChangedAndBack_onlyThoseInForceAreListed() {
        lists.advance(START);
        configure("3/1m");
        deny("a", "3/1m");
        deny("b", "3/1m");
        configure("5/1m");
        deny("a", "5/1m");
        configure("3/1m");
        deny("a", "3/1m");

        assertThat(topAt(START)).singleElement().satisfies(denied -> {
            assertThat(denied.key().key()).isEqualTo("a");
            assertThat(denied.perMinute()).isEqualTo(1);
        });
        assertThat(lists.fullest.top(20, START * SECOND))
                .singleElement()
                .satisfies(full -> assertThat(full.of()).isEqualTo(3));
        assertThat(lists.stale((START + 10) * SECOND)).hasSize(1);
    }

    @Test
    void blocked_endsAndIsNotShortened() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        lists.blocked.add(API, "a", now.plusSeconds(60));
        lists.blocked.add(API, "a", now.plusSeconds(10));
        lists.blocked.add(API, "b", now.plusSeconds(10));

        assertThat(lists.blocked.top(20, now.plusSeconds(9)))
                .extracting(Blocked.Block::key)
                .containsExactly("a", "b");
        assertThat(lists.blocked.top(20, now.plusSeconds(10)))
                .extracting(Blocked.Block::key)
                .containsExactly("a");
        lists.blocked.remove(API, "a");
        assertThat(lists.blocked.top(20, now)).isEmpty();
    }

    @Test
    void blocked_tooMany_thoseThatEndFirstAreForgotten() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        for (int i = 0; i < 1_100; i++) {
            lists.blocked.add(API, "key " + i, now.plusSeconds(100 + i));
        }
        assertThat(lists.blocked.top(2_000, now))
                .hasSize(1_000)
                .last()
                .extracting(Blocked.Block::key)
                .isEqualTo("key 100");
    }
}
