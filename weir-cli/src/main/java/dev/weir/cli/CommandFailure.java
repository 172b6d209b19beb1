package dev.weir.cli;

/** A command that cannot be carried out for a reason that its user can do something about; the message says what. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message, null, false, false);
    }
}
