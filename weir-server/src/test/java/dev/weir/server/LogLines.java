package dev.weir.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is logged until this is closed: for each event the level, the message and what was thrown, if anything. */
final class LogLines extends Handler implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Formatter format = new SimpleFormatter();

    LogLines() {
        Logger.getLogger("").addHandler(this);
    }

    List<String> lines() {
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
        Logger.getLogger("").removeHandler(this);
    }
}
