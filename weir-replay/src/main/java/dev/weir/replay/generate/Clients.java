package dev.weir.replay.generate;

/**
 * The clients of a synthetic log by number: addresses that belong to nobody (100.64.0.0/10 and 2001:db8::/32), some host
 * names, and for some a user. Different numbers have different addresses.
 */
final class Clients {
    static final int MAX = 1 << 22; // 4,194,304, the size of 100.64.0.0/10

    private static final String[] NAMES = {
        "anna", "ben", "chloe", "david", "emma", "felix", "grace", "hugo", "ida", "jonas", "karin", "leo"
    };

    private Clients() {}

    static String host(int client) {
        if (client % 8 == 5) {
            long half = SplitMix64.mix(client);
            return "2001:db8:" + Integer.toHexString(client >>> 16) + ":" + Integer.toHexString(client & 0xffff) + "::"
                    + Long.toHexString((half >>> 48) | 1);
        }
        if (client % 64 == 7) {
            return "pool-" + client + ".dialup.example.net";
        }
        int scattered = (client * 0x2C9277B5 + 0x155AAB) & (MAX - 1); // an odd factor: no two meet
        return "100." + (64 + (scattered >>> 16)) + "." + ((scattered >>> 8) & 0xff) + "." + (scattered & 0xff);
    }

    /** Returns the user as whom a client is logged in; a dash for most. */
    static String user(int client) {
        return client % 16 == 3 ? NAMES[client / 16 % NAMES.length] + client : "-";
    }
}
