package dev.weir.redis;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that Weir writes to the log while this is open. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.weir.redis");

    final BlockingQueue<LogRecord> entries = new LinkedBlockingQueue<>();

    LogLines() {
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        entries.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
