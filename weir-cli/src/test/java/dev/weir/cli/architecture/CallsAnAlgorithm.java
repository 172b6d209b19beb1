package dev.weir.cli.architecture;

import dev.weir.algorithm.offender.ReadsTheClock;

/** Breaks two rules: calls an algorithm past its store, and prints. */
final class CallsAnAlgorithm {
    private CallsAnAlgorithm() {}

    static void decide() {
        System.out.println(ReadsTheClock.now());
    }
}
