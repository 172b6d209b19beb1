package dev.weir.replay.offender;

import dev.weir.cli.Weir;

/** Breaks three rules: no module uses the programs, replay does not, and only the main class ends the process. */
public final class SeesTheCli {
    private SeesTheCli() {}

    /** Runs the program and ends the process. */
    public static void run() {
        Weir.main(new String[0]);
        System.exit(1);
    }
}
