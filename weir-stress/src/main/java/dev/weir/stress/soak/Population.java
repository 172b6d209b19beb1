package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The keys there are. Some are hot and stay; of the others a few leave at each renewal, and new ones come. A few are shared:
 * requests of other keys are decided together with them. Changed only while no thread draws.
 */
final class Population {
    private static final int HOT_A_REGIME = 8;
    private static final int SHARED = 4;
    private static final double HOT_PART = 0.5; // of the requests

    private final List<Regime> regimes;
    private final int stripes;
    private final List<Key> hot = new ArrayList<>();
    private final List<Key> shared = new ArrayList<>();
    private final Key[] others;
    private int next; // to leave
    private long named;
    private long seen; // of those that left

    Population(List<Regime> regimes, int keys, int stripes) {
        this.regimes = regimes.subList(0, regimes.size() - 1);
        this.stripes = stripes;
        Regime ofShared = regimes.get(regimes.size() - 1);
        for (int i = 0; i < SHARED; i++) {
            shared.add(new Key("shared-" + i, ofShared, i % stripes));
        }
        for (int i = 0; i < HOT_A_REGIME * this.regimes.size(); i++) {
            hot.add(made("hot-"));
        }
        others = new Key[keys];
        for (int i = 0; i < keys; i++) {
            others[i] = made("user-");
        }
    }

    private Key made(String prefix) {
        long number = named++;
        return new Key(prefix + number, regimes.get((int) (number % regimes.size())), (int) (number % stripes));
    }

    /** A key that somebody asks for: as often as not a hot one, some of them much hotter than others. */
    Key draw(RandomGenerator random) {
        Key key;
        if (random.nextDouble() < HOT_PART) {
            double skewed = random.nextDouble();
            key = hot.get((int) (hot.size() * skewed * skewed * skewed));
        } else {
            key = others[random.nextInt(others.length)];
        }
        key.seen = true;
        return key;
    }

    /** A key that many share. */
    Key drawShared(RandomGenerator random) {
        return shared.get(random.nextInt(shared.size()));
    }

    /** Lets the keys leave that are here longest, for new ones. */
    void renew(int keys) {
        for (int i = 0; i < keys; i++) {
            seen += others[next].seen ? 1 : 0;
            others[next] = made("user-");
            next = (next + 1) % others.length;
        }
    }

    /** Lets go of old admissions: of a part of one stripe's keys, and of those that stay. */
    void forget(int stripe, long part, int parts, long now) {
        for (int i = (int) (part % parts); i < others.length; i += parts) {
            forget(others[i], stripe, now);
        }
        hot.forEach(key -> forget(key, stripe, now));
        shared.forEach(key -> forget(key, stripe, now));
    }

    private static void forget(Key key, int stripe, long now) {
        if (key.logs[0].stripe == stripe) {
            for (KeyLog log : key.logs) {
                log.forget(now);
            }
        }
    }

    /** How many keys were ever asked for. */
    long seen() {
        long now = 0;
        for (Key key : others) {
            now += key.seen ? 1 : 0;
        }
        return seen + now + hot.size() + shared.size();
    }
}
