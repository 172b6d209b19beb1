package dev.weir.replay.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A table that numbers the keys of a log 0, 1, 2 ... in the order of their first appearance. Keys are looked up by their bytes,
 * so that a string is created once per key and not once per line. Open addressing; seed and factor of the hash are random, since
 * clients choose their keys.
 */
final class KeyTable {
    private static final int MAX_KEYS = 1 << 29;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final long factor = ThreadLocalRandom.current().nextLong() | 1;
    private int[] slots = new int[1024]; // id + 1; 0 is free
    private int[] hashes = new int[512];
    private byte[][] encoded = new byte[512][];
    private String[] texts = new String[512];
    private int size;

    int size() {
        return size;
    }

    String text(int id) {
        if (id < 0 || id >= size) {
            throw new IndexOutOfBoundsException("key id must be at least 0 and less than " + size + ", was " + id);
        }
        return texts[id];
    }

    /** Returns the number of a key, which is added if it is new. */
    int id(byte[] bytes, int from, int to) throws LogException {
        int hash = hash(bytes, from, to);
        int slot = slot(hash, bytes, from, to);
        return slots[slot] == 0 ? add(hash, slot, bytes, from, to) : slots[slot] - 1;
    }

    /** Returns the number of a key, or -1 if it was not added. */
    int find(byte[] bytes, int from, int to) {
        return slots[slot(hash(bytes, from, to), bytes, from, to)] - 1;
    }

    private int add(int hash, int slot, byte[] bytes, int from, int to) throws LogException {
        if (size == MAX_KEYS) {
            throw new LogException("the log has more than " + MAX_KEYS + " different keys");
        }
        if (size == texts.length) {
            hashes = Arrays.copyOf(hashes, size * 2);
            encoded = Arrays.copyOf(encoded, size * 2);
            texts = Arrays.copyOf(texts, size * 2);
        }
        hashes[size] = hash;
        encoded[size] = Arrays.copyOfRange(bytes, from, to);
        texts[size] = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        slots[slot] = ++size;
        if (size * 2 > slots.length) {
            rehash();
        }
        return size - 1;
    }

    /** Returns the slot that holds the key, or the free one where it belongs. */
    private int slot(int hash, byte[] bytes, int from, int to) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            int id = slots[slot] - 1;
            if (hashes[id] == hash && Arrays.equals(encoded[id], 0, encoded[id].length, bytes, from, to)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = hashes[id] & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = id + 1;
        }
    }

    /** Returns the hash of a key: eight bytes at a time are multiplied and folded in, then the rest. */
    int hash(byte[] bytes, int from, int to) {
        long hash = seed + to - from;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = (rest << 8) | (bytes[at] & 0xff);
        }
        hash = mix(hash ^ rest);
        return (int) (hash ^ (hash >>> 32));
    }

    /** Returns both halves of the product, folded: with the lower one alone, some pairs of words would cancel out for any seed. */
    private long mix(long word) {
        return word * factor ^ Math.multiplyHigh(word, factor);
    }
}
