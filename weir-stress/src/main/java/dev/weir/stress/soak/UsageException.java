package dev.weir.stress.soak;

/** What was asked for cannot be done; the message says why. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message, null, false, false);
    }
}
