package dev.weir.stress;

/** What was asked for cannot be done; the message says why. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With a message for whoever typed it. */
    public UsageException(String message) {
        super(message, null, false, false);
    }
}
