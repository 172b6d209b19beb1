package dev.weir.replay;

import java.util.Arrays;

/** A sequence of bits that grows at its end. Memory: one bit each, and up to as much again to grow into. */
final class BitLog {
    private long[] words = new long[16];
    private long size;

    void add(boolean bit) {
        int word = (int) (size >>> 6);
        if (word == words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        if (bit) {
            words[word] |= 1L << size;
        }
        size++;
    }

    /** Returns a bit by its position, from 0. */
    boolean get(long position) {
        if (position < 0 || position >= size) {
            throw new IndexOutOfBoundsException("position must be less than " + size + ", was " + position);
        }
        return (words[(int) (position >>> 6)] & 1L << position) != 0;
    }
}
