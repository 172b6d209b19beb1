package dev.weir.replay.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Cuts a stream of bytes into lines without copying them: the current line is a slice of {@link #bytes}. A line longer
 * than {@link #MAX_LINE} is never held whole: only its beginning is kept, and {@link #tooLong} is true.
 */
final class LineReader {
    static final int MAX_LINE = 1 << 16; // 64 KiB

    private static final int CAPACITY = 1 << 17; // 128 KiB

    private final InputStream in;
    private final byte[] buffer = new byte[CAPACITY];
    private int filled;
    private int next; // where the line after the current one starts
    private boolean ended;
    private long moved; // the bytes that have left the buffer
    private long extensibleFrom; // where lines begin that may be extended, counted like moved

    private int start;
    private int firstEnd; // where next() saw the line end; extend() moves only end
    private int end;
    private boolean tooLong;
    private long number;
    private int lines;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Goes to the next line; false at the end of the stream. */
    boolean next() throws IOException {
        number += lines;
        lines = 1;
        start = next;
        int newline = newlineFrom(start);
        while (newline < 0 && !ended) { // too long: what was read beyond its beginning is dropped
            moveToFront();
            filled = MAX_LINE + 1;
            fill();
            newline = newlineFrom(MAX_LINE + 1);
        }
        if (newline < 0 && filled == start) {
            lines = 0;
            return false;
        }
        goTo(newline);
        tooLong = end - start > MAX_LINE;
        end = Math.min(end, start + MAX_LINE);
        firstEnd = end;
        return true;
    }

    /**
     * Adds the next line to the current one, the newline between them included; false if none fits. Then lines that begin in the
     * next 32 KiB are not extended either: a quote that one of them leaves open is not closed in the lines that were seen.
     */
    boolean extend() throws IOException {
        if (moved + start < extensibleFrom) {
            return false;
        }
        int newline = newlineFrom(next);
        boolean none = newline < 0 && (!ended || filled == next);
        if (none || (newline < 0 ? filled : newline) - start > MAX_LINE) {
            extensibleFrom = moved + start + MAX_LINE / 2;
            return false;
        }
        goTo(newline);
        lines++;
        return true;
    }

    /** Takes back every {@link #extend}. */
    void retract() {
        goTo(firstEnd);
        lines = 1;
    }

    /** Returns the array that contains the current line; valid until the next call that moves. */
    byte[] bytes() {
        return buffer;
    }

    int start() {
        return start;
    }

    /** Returns where the line ends, without its line end: neither the newline nor a carriage return before it. */
    int end() {
        return end > start && buffer[end - 1] == '\r' ? end - 1 : end;
    }

    /** Returns the line as text. */
    String text() {
        return new String(buffer, start, end() - start, StandardCharsets.UTF_8);
    }

    /** Returns whether the line has nothing but spaces, tabs and carriage returns. */
    boolean isBlank() {
        return Bytes.isBlank(buffer, start, end());
    }

    /** Returns whether the line is longer than {@link #MAX_LINE}; then this is only its beginning. */
    boolean tooLong() {
        return tooLong;
    }

    /** Returns the number of the current line, from 1; of its first, if it was extended. */
    long number() {
        return number + 1;
    }

    private void goTo(int newline) {
        end = newline < 0 ? filled : newline;
        next = Math.min(end + 1, filled);
    }

    /**
     * Returns the first newline at or after {@code from}, reading on as needed, which may move the line within the buffer. -1 if
     * the stream ends first or the line has become too long.
     */
    private int newlineFrom(int from) throws IOException {
        int at = from;
        while (true) {
            at = Bytes.indexOf(buffer, '\n', at, filled);
            if (at < filled) {
                return at;
            }
            if (ended || filled - start > MAX_LINE) {
                return -1;
            }
            int before = start;
            fill();
            at -= before - start;
        }
    }

    /** Reads at least one byte more or finds the end. */
    private void fill() throws IOException {
        if (filled == CAPACITY) {
            moveToFront();
        }
        int read = in.read(buffer, filled, CAPACITY - filled);
        if (read < 0) {
            ended = true;
        } else {
            filled += read;
        }
    }

    /** Moves the current line to the front of the buffer. */
    private void moveToFront() {
        System.arraycopy(buffer, start, buffer, 0, filled - start);
        moved += start;
        filled -= start;
        next -= start;
        firstEnd -= start;
        end -= start;
        start = 0;
    }
}
