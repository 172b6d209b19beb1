package dev.weir.examples.payments;

import java.util.List;
import java.util.StringJoiner;

/** One line on stderr that is written again and again; nothing if that is not a terminal. */
final class Progress {
    private static final String CLEAR = "\r\u001b[K";

    private final boolean terminal = Boolean.getBoolean("payments.terminal");
    private final int seconds;
    private int passed;

    Progress(int seconds) {
        this.seconds = seconds;
    }

    void show(List<Provider.Counts> providers) {
        StringJoiner line = new StringJoiner("   ", ++passed + " of " + (seconds + 1) + " s   ", "");
        for (Provider.Counts counts : providers) {
            line.add(counts.name() + " " + counts.calls() + " calls, " + counts.rejected() + " answered 429");
        }
        show(line.toString());
    }

    void show(String line) {
        print(CLEAR + line);
    }

    void clear() {
        print(CLEAR);
    }

    private void print(String text) {
        if (terminal) {
            System.err.print(text);
            System.err.flush();
        }
    }
}
