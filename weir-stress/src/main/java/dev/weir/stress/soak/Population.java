package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The keys. Some are hot and stay; a few of the others are replaced by new ones at each renewal. A few are shared: requests for other
 * keys are decided together with them. Changed only while no thread draws.
 */
final class Population {
    private static final int HOT_PER_REGIME = 8;
    private static final int SHARED = 4;
    private static final double HOT_PART = 0.5; // of the requests

    private final List<Regime> regimes;
    private final int stripes;
    private final List<Key> hot = new ArrayList<>();
    private final List<Key> shared = new ArrayList<>();
    private final Key[] others;
    private int next; // to be replaced
    private long named;
    private long requested; // of those that were replaced

    /** A key, its regime, and the checker's logs of it. */
    static final class Key {
        final String name;
        final Regime regime;
        final KeyLog[] logs; // one for each limit

        /** Whether it was ever requested; benign race: all threads write the same value. */
        boolean requested;

        Key(String name, Regime regime, int stripe) {
            this.name = name;
            this.regime = regime;
            this.logs = new KeyLog[regime.variants().get(0).list().size()];
            for (int i = 0; i < logs.length; i++) {
                logs[i] = new KeyLog(name, stripe, regime.widest(i));
            }
        }
    }

    Population(List<Regime> regimes, int keys, int stripes) {
        this.regimes = regimes.subList(0, regimes.size() - 1);
        this.stripes = stripes;
        Regime ofShared = regimes.get(regimes.size() - 1);
        for (int i = 0; i < SHARED; i++) {
            shared.add(new Key("shared-" + i, ofShared, i % stripes));
        }
        for (int i = 0; i < HOT_PER_REGIME * this.regimes.size(); i++) {
            hot.add(newKey("hot-"));
        }
        others = new Key[keys];
        for (int i = 0; i < keys; i++) {
            others[i] = newKey("user-");
        }
    }

    private Key newKey(String prefix) {
        long number = named++;
        return new Key(prefix + number, regimes.get((int) (number % regimes.size())), (int) (number % stripes));
    }

    /** Draws a key: in half of the cases a hot one, some of them much hotter than others. */
    Key draw(RandomGenerator random) {
        Key key;
        if (random.nextDouble() < HOT_PART) {
            double skewed = random.nextDouble();
            key = hot.get((int) (hot.size() * skewed * skewed * skewed));
        } else {
            key = others[random.nextInt(others.length)];
        }
        key.requested = true;
        return key;
    }

    Key drawShared(RandomGenerator random) {
        return shared.get(random.nextInt(shared.size()));
    }

    /** Replaces the given number of keys, the oldest first. */
    void renew(int keys) {
        for (int i = 0; i < keys; i++) {
            requested += others[next].requested ? 1 : 0;
            others[next] = newKey("user-");
            next = (next + 1) % others.length;
        }
    }

    /** Drops old admissions: of a part of one stripe's keys, and of those that stay. */
    void forget(int stripe, long part, int parts, long now) {
        for (int i = (int) (part % parts); i < others.length; i += parts) {
            forget(others[i], stripe, now);
        }
        Stream.concat(hot.stream(), shared.stream()).forEach(key -> forget(key, stripe, now));
    }

    private static void forget(Key key, int stripe, long now) {
        if (key.logs[0].stripe == stripe) {
            for (KeyLog log : key.logs) {
                log.forget(now);
            }
        }
    }

    /** Returns the number of keys that were ever requested. */
    long requested() {
        return requested + Stream.of(others).filter(key -> key.requested).count() + hot.size() + shared.size();
    }
}
