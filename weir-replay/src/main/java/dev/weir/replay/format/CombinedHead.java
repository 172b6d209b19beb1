package dev.weir.replay.format;

/**
 * The part of a combined line before the time: {@code [virtual host] client ident user}. Reads the unusual ones: with a
 * virtual host, a forwarded list, an ident, or a user with spaces.
 *
 * <p>The client must be directly before ident and user. A word in front of it could be anything that a logging system added,
 * so a line is accepted only if no other reading of it is possible:
 *
 * <ul>
 *   <li>{@code client - user}: the client is an address, a list of addresses or a host name
 *   <li>{@code address ident user}: the ident is not an address itself
 *   <li>{@code name:port client - user}: a virtual host with its port, as in Debian's {@code other_vhosts_access.log}
 *   <li>{@code name address - user}: a virtual host without a port
 * </ul>
 *
 * <p>No word of the user may be an address, which would be the client of a line whose first words are not, and of a user with
 * spaces none may be a hyphen or begin with a bracket, in which the time could be. Reused from line to line.
 */
final class CombinedHead {
    private static final int MAX_WORDS = 64;

    private final ClientReader client;
    private final int[] starts = new int[MAX_WORDS + 1]; // of words; one more after the last
    private byte[] line = {};
    private int words;
    private int clientWord;
    private int clientEnd;
    private int user;

    CombinedHead(ClientReader client) {
        this.client = client;
    }

    /** Returns the number of words between single spaces in the bytes {@code from} to {@code to}. */
    static int tokens(byte[] line, int from, int to) {
        int count = 1;
        for (int at = from; at < to; at++) {
            count += line[at] == ' ' ? 1 : 0;
        }
        return count;
    }

    /** Finds client and user in the bytes {@code from} to {@code to}; false if they are not certain. */
    boolean read(byte[] text, int from, int to) {
        line = text;
        words = tokens(text, from, to);
        if (words < 3 || words > MAX_WORDS) {
            return false;
        }
        split(from, to);
        if (readAt(0)) {
            return true;
        }
        boolean certain = isVirtualHostWithPort(0) || (isHostName(0) && startsWithAddress(1));
        return certain && readAt(1) && isHyphen(user - 1);
    }

    int clientFrom() {
        return starts[clientWord];
    }

    int clientTo() {
        return clientEnd;
    }

    int userFrom() {
        return starts[user];
    }

    private void split(int from, int to) {
        int word = 0;
        starts[word++] = from;
        for (int at = from; at < to; at++) {
            if (line[at] == ' ') {
                starts[word++] = at + 1;
            }
        }
        starts[word] = to + 1;
    }

    private int end(int word) {
        return starts[word + 1] - 1;
    }

    /** Reads client, ident and user from a word on. */
    private boolean readAt(int word) {
        clientWord = word;
        int last = word;
        while (last + 1 < words && end(last) > starts[last] && line[end(last) - 1] == ',') {
            last++; // a list with spaces behind its commas
        }
        clientEnd = end(last);
        user = last + 2;
        if (user >= words || !client.canBeClient(line, starts[word], clientEnd)) {
            return false;
        }
        return isHyphen(last + 1) ? isUser() : isIdent(last + 1) && isAddress(word) && user == words - 1 && isUser();
    }

    private boolean isUser() {
        if (user == words - 1) {
            return end(user) > starts[user] && !startsWithAddress(user);
        }
        for (int word = user; word < words; word++) {
            if (isHyphen(word) || startsWithAddress(word) || line[starts[word]] == '[') {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a word can be the answer of an ident server. One that ends with a colon is the tag of a syslog line. */
    private boolean isIdent(int word) {
        boolean tag = end(word) > starts[word] && line[end(word) - 1] == ':';
        return end(word) > starts[word] && !tag && !isAddress(word) && !isVirtualHostWithPort(word);
    }

    private boolean isHyphen(int word) {
        return end(word) == starts[word] + 1 && line[starts[word]] == '-';
    }

    private boolean isAddress(int word) {
        return client.isAddressWithOrWithoutPort(line, starts[word], end(word));
    }

    private boolean isHostName(int word) {
        return Addresses.isHostName(line, starts[word], end(word));
    }

    private boolean startsWithAddress(int word) {
        return client.startsWithAddress(line, starts[word], end(word));
    }

    private boolean isVirtualHostWithPort(int word) {
        int from = starts[word];
        int colon = Addresses.portColon(line, from, end(word));
        return colon > from
                && (Addresses.isHostName(line, from, colon) || client.isAddressWithOrWithoutPort(line, from, colon));
    }
}
