package dev.weir.stress.soak;

/** A key, its regime, and the checker's logs of it. */
final class Key {
    final String name;
    final Regime regime;
    final KeyLog[] logs; // one a limit

    /** Whether anybody ever asked for it; a race between those who do is benign, all write the same. */
    boolean seen;

    Key(String name, Regime regime, int stripe) {
        this.name = name;
        this.regime = regime;
        this.logs = new KeyLog[regime.limits()];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = new KeyLog(name, stripe, regime.widest(i));
        }
    }
}
