package dev.weir.replay.format;

import org.jspecify.annotations.Nullable;

/**
 * Reads the client from text that is an address, an address with a port, a host name, or a forwarded list of addresses.
 *
 * <p>The key is the bare address or name: a port and the brackets of an IPv6 address are left out, and an address is
 * written as {@link AddressText} does. Of a list it is the entry that {@link ClientChoice} names; without a choice a list is
 * refused, since any guess could be wrong.
 *
 * <p>In a combined line, the position shows that a word is a host name. A field can contain any word, so there a host name needs
 * a domain: at least two labels, the last of which begins with a letter.
 */
final class ClientReader {
    static final Refusal NO_ADDRESS = Refusal.noKey("address");

    static final Refusal LIST = Refusal.unreadable(
            "a list of addresses where the client is expected",
            "--client first, --client last or --client N-from-right chooses the client of a forwarded list");
    static final Refusal NO_CLIENT = Refusal.unreadable(
            "unknown text before the client, which must be an address or a host name directly before ident, user and [time]",
            "--format 'regex:...' with the groups time and key reads any line");
    private static final Refusal NO_CLIENT_FIELD = Refusal.unreadable(
            "no address or host name where the client is expected", "--key FIELD counts by any other field as it is");
    private static final Refusal SHORT_LIST = Refusal.unreadable(
            "the forwarded list is shorter than --client asks for",
            "a smaller N in --client N-from-right fits shorter lists");

    private final @Nullable ClientChoice choice;
    private final boolean field;
    private final Refusal notAClient;
    private int start;
    private int end;

    /** Creates a reader for the client of a combined line. */
    ClientReader(@Nullable ClientChoice choice) {
        this(choice, false);
    }

    private ClientReader(@Nullable ClientChoice choice, boolean field) {
        this.choice = choice;
        this.field = field;
        this.notAClient = field ? NO_CLIENT_FIELD : NO_CLIENT;
    }

    /** Returns a reader for the client in a named field. */
    static ClientReader ofField(@Nullable ClientChoice choice) {
        return new ClientReader(choice, true);
    }

    /** Sets the key of {@code request} to the client in the text; returns null if there is one, otherwise why not. */
    @Nullable
    Refusal read(byte[] text, int from, int to, Request request) {
        if (choice == null
                && !field
                && request.reuseKey(text, from, to)) { // what was a client in one line is so in others
            return null;
        }
        if (isNobody(text, from, to)) {
            return NO_ADDRESS;
        }
        boolean list = Bytes.indexOf(text, ',', from, to) < to;
        int size = list ? listSize(text, from, to) : 1;
        if (size == 0) {
            return notAClient;
        } else if (list && choice == null) {
            return LIST;
        }
        int wanted = choice == null ? 0 : choice.index(size);
        if (wanted < 0) {
            return SHORT_LIST;
        }
        int at = from;
        for (int i = 0; i < wanted; i++) {
            at = Bytes.indexOf(text, ',', at, to) + 1;
        }
        int entry = Bytes.skipBlanks(text, at, to);
        int entryEnd = entryEnd(text, entry, to);
        if (isNobody(text, entry, entryEnd)) {
            return NO_ADDRESS;
        } else if (!readOne(text, entry, entryEnd)) {
            return notAClient;
        }
        setKey(text, request);
        return null;
    }

    /** As {@link #read}, for text that always ends with a port. */
    @Nullable
    Refusal readWithPort(byte[] text, int from, int to, Request request) {
        if (isNobody(text, from, to) || Bytes.startsWith(text, "unix:", from, to)) {
            return NO_ADDRESS; // HAProxy writes the number of a socket behind it
        }
        int colon = Addresses.portColon(text, from, to);
        if (colon == from || !readOne(text, from, colon) || !Addresses.isAddress(text, start, end)) {
            return notAClient;
        }
        setKey(text, request);
        return null;
    }

    /** Sets the key to the address or name that was found; an address has one key, however it is written. */
    private void setKey(byte[] text, Request request) {
        if (!Addresses.isAddress(text, start, end)) {
            request.key(text, start, end);
        } else if (!request.reuseKey(text, start, end)) { // an address that is a key is canonical
            byte[] canonical = AddressText.canonical(text, start, end);
            request.key(canonical, 0, canonical.length);
        }
    }

    /** Returns whether the text is a list of addresses; with a choice, an address is a list of one, and a hyphen a list of none. */
    boolean isForwarded(byte[] text, int from, int to) {
        int size = listSize(text, from, to);
        return size > 1 || (choice != null && (size == 1 || from == to));
    }

    /** Returns the number of entries if the text is a comma-separated list of addresses, otherwise 0. */
    private int listSize(byte[] text, int from, int to) {
        int size = 0;
        int at = from;
        while (at <= to) {
            int comma = Bytes.indexOf(text, ',', at, to);
            int partStart = Bytes.skipBlanks(text, at, comma);
            int partEnd = entryEnd(text, partStart, comma);
            boolean entry = isNobody(text, partStart, partEnd) || isAddressWithOrWithoutPort(text, partStart, partEnd);
            if (partStart == partEnd || !entry) {
                return 0;
            }
            size++;
            at = comma + 1;
        }
        return size;
    }

    private static int entryEnd(byte[] text, int from, int to) {
        int end = Bytes.indexOf(text, ',', from, to);
        while (end > from && text[end - 1] == ' ') {
            end--;
        }
        return end;
    }

    boolean isAddressWithOrWithoutPort(byte[] text, int from, int to) {
        return readOne(text, from, to) && Addresses.isAddress(text, start, end);
    }

    /** Returns whether the text is an address or a list that begins with one. */
    boolean startsWithAddress(byte[] text, int from, int to) {
        return isAddressWithOrWithoutPort(text, from, Bytes.indexOf(text, ',', from, to));
    }

    /** Returns whether the text is a client, a list of addresses, or what servers write if they know no client. */
    boolean canBeClient(byte[] text, int from, int to) {
        return from < to && (isNobody(text, from, to) || readOne(text, from, to) || listSize(text, from, to) > 1);
    }

    /** Finds the bare address or name; false if the text is neither. */
    private boolean readOne(byte[] text, int from, int to) {
        start = from;
        end = to;
        if (from < to && text[from] == '[') {
            return readBracketed(text, from, to);
        }
        if (Addresses.isAddress(text, from, to)) {
            return true;
        }
        int colon = Addresses.portColon(text, from, to);
        if (colon > from && Addresses.isIpv4(text, from, colon)) {
            end = colon;
            return true;
        }
        return Addresses.isHostName(text, from, to) && (!field || Addresses.hasDomain(text, from, to));
    }

    private boolean readBracketed(byte[] text, int from, int to) {
        int bracket = Bytes.indexOf(text, ']', from, to);
        start = from + 1;
        end = bracket;
        boolean port = bracket + 1 < to && Addresses.portColon(text, from, to) == bracket + 1;
        return bracket < to && (bracket + 1 == to || port) && Addresses.isIpv6(text, start, end);
    }

    /** Returns whether the text is what servers write if they know no client. */
    static boolean isNobody(byte[] text, int from, int to) {
        int length = to - from;
        return length == 0
                || (length == 1 && text[from] == '-')
                || (length == 5 && Bytes.startsWith(text, "unix:", from, to))
                || (length == 7 && Bytes.startsWith(text, "unknown", from, to));
    }
}
