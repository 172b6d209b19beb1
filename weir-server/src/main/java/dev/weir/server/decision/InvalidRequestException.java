package dev.weir.server.decision;

/** A request that the client must change; the message says how. It has no stack trace, since clients cause it. */
public final class InvalidRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidRequestException(String message) {
        super(message, null, false, false);
    }
}
