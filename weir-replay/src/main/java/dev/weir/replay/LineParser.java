package dev.weir.replay;

import org.jspecify.annotations.Nullable;

/** Reads the request from a line of a log. */
interface LineParser {
    String NO_TIME = "no time that can be read";
    String TIME_OUT_OF_RANGE = "time outside the years 1970 to 2261";
    String BAD_PERMITS = "permits is not a whole number of at least 1";

    /**
     * Fills {@code request} from the bytes {@code from} to {@code to}; null if it did, else why not, in a few words.
     *
     * @throws LogException if reading on makes no sense; nothing else is thrown, whatever the line holds
     */
    @Nullable
    String parse(byte[] line, int from, int to, Request request) throws LogException;

    /**
     * Whether the bytes end within quotes, so that the next line belongs to them.
     *
     * @param open whether they begin within quotes
     */
    default boolean isOpen(byte[] line, int from, int to, boolean open) {
        return false;
    }
}
