package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import org.jspecify.annotations.Nullable;

/** Reads the request from a line of a log. */
interface LineParser {
    /**
     * Fills {@code request} from the bytes {@code from} to {@code to}.
     *
     * @return null if the request is complete, otherwise why the line is none
     * @throws LogException if reading on makes no sense; nothing else is thrown, whatever the line contains
     */
    @Nullable
    Refusal parse(byte[] line, int from, int to, Request request) throws LogException;

    /**
     * Returns whether the bytes end within quotes, so that the next line is a part of the same record.
     *
     * @param open whether they begin within quotes
     */
    default boolean isOpen(byte[] line, int from, int to, boolean open) {
        return false;
    }
}
