package dev.weir.benchmarks.report;

import java.io.PrintStream;
import java.util.Locale;

/** Prints the number of turns and, on a terminal, what is being measured and how long the rest will take. */
public final class Progress {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final double NANOS_PER_MINUTE = 60e9;

    private final PrintStream err;
    private final boolean terminal;
    private int turns;
    private int turn;
    private long began;

    /** Creates a progress that rewrites one line on a terminal. */
    public Progress(PrintStream err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /** Prints the number of turns. */
    public void begin(int turns, String kind) {
        this.turns = turns;
        began = System.nanoTime();
        err.println("bench: measuring in " + turns + " " + kind);
    }

    /** Starts the next turn. */
    public void next(String what) {
        double minutes = (System.nanoTime() - began) / NANOS_PER_MINUTE;
        String left = turn == 0
                ? ""
                : String.format(Locale.ROOT, ", %.0f minutes left", Math.ceil(minutes * (turns - turn) / turn));
        turn++;
        show(turn + " of " + turns + left + ": " + what);
    }

    /** Shows a line in place of the last one. */
    public void show(String line) {
        if (terminal) {
            err.print(CLEAR_LINE + (line.isEmpty() ? "" : "bench: " + line));
            err.flush();
        }
    }
}
