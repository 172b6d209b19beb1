package dev.weir.benchmarks.report;

import java.io.PrintStream;

/** Says at the start how long it will take and, on a terminal, what is being measured and how long it will still take. */
public final class Progress {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int SECONDS_PER_MINUTE = 60;

    private final PrintStream err;
    private final boolean terminal;

    private int turns;
    private int turn;
    private long secondsPlanned;
    private long began;

    /** Creates a progress that rewrites one line on a terminal, and is silent otherwise. */
    public Progress(PrintStream err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /** Prints the number of turns and how long they take. */
    public void begin(int turns, String kind, long seconds) {
        this.turns = turns;
        secondsPlanned = seconds;
        began = System.nanoTime();
        err.println("bench: measuring in " + turns + " " + kind + ", this takes about " + minutes(seconds));
    }

    /** The next turn begins. */
    public void next(String what) {
        long seconds = (System.nanoTime() - began) / NANOS_PER_SECOND;
        long left = turn == 0 ? secondsPlanned : seconds * (turns - turn) / turn;
        turn++;
        show(turn + " of " + turns + ", " + minutes(left) + " left: " + what);
    }

    /** Shows a line in place of the last one. */
    public void show(String line) {
        if (terminal) {
            err.print(CLEAR_LINE + "bench: " + line);
            err.flush();
        }
    }

    /** Takes the line away. */
    public void clear() {
        if (terminal) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }

    private static String minutes(long seconds) {
        long minutes = Math.max(1, (seconds + SECONDS_PER_MINUTE / 2) / SECONDS_PER_MINUTE);
        return minutes == 1 ? "a minute" : minutes + " minutes";
    }
}
