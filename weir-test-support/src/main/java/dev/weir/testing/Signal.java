package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A signal that pauses a process or lets it go on. */
public enum Signal {
    STOP,
    CONT;

    /** Sends it. */
    public void sendTo(Process process) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name(), Long.toString(process.pid())).start();
            if (kill.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("kill -" + name() + " failed");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
