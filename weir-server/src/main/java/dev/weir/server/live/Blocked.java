package dev.weir.server.live;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys that operators blocked through this server, until their blocks end: the 1,000 whose blocks end last. Not thread-safe. */
final class Blocked {
    private static final int MOST = 1_000;

    private final Map<Key, Block> blocks = new HashMap<>();

    /** Whose block it is: limits do not matter. */
    private record Key(String limiter, String key) {}

    /** The block of a key until an instant, and the rule through which it was blocked. */
    record Block(RuleId rule, String key, Instant until) {}

    /** Adds a block; it does not shorten an earlier one. */
    void add(RuleId rule, String key, Instant until) {
        blocks.merge(
                new Key(rule.limiter(), key),
                new Block(rule, key, until),
                (before, now) -> before.until.isAfter(now.until) ? before : now);
        if (blocks.size() > MOST) {
            blocks.values().stream()
                    .min(Comparator.comparing(Block::until))
                    .ifPresent(first -> remove(first.rule, first.key));
        }
    }

    void remove(RuleId rule, String key) {
        blocks.remove(new Key(rule.limiter(), key));
    }

    /** Returns the blocks that have not ended, the last to end first. */
    List<Block> top(int most, Instant now) {
        blocks.values().removeIf(block -> !block.until.isAfter(now));
        List<Block> all = new ArrayList<>(blocks.values());
        all.sort(Comparator.comparing(Block::until).reversed());
        return all.subList(0, Math.min(most, all.size()));
    }
}
