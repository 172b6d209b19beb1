package dev.weir.testing;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects what is logged until it is closed: of each event the level, the message and what was thrown, if anything. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Formatter format = new SimpleFormatter();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Collects from now on what is logged by a logger and those below it; the empty name is that of all. */
    public LogLines(String logger) {
        this.logger = Logger.getLogger(logger);
        this.logger.addHandler(this);
    }

    /** Returns the lines that have not been removed, oldest first. */
    public BlockingQueue<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord event) {
        String thrown = event.getThrown() == null ? "" : " " + event.getThrown();
        lines.add(event.getLevel() + " " + format.formatMessage(event) + thrown);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
