package dev.weir.testing;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects log events until it is closed: of each the level, the message and the throwable, if any. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Formatter format = new SimpleFormatter();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Starts to collect the events of a logger and its children; the empty name selects all loggers. */
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
