package dev.weir;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects what is logged under {@code dev.weir} until it is closed. */
public final class Logged implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("dev.weir");

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            String cause =
                    entry.getThrown() == null ? "" : ": " + entry.getThrown().getMessage();
            messages.add(entry.getMessage() + cause);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Collects from now on. */
    public Logged() {
        LOGGER.addHandler(handler);
    }

    /** Returns each message, with that of the exception. */
    public List<String> messages() {
        return messages;
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
