package dev.weir.server.net;

/** Settings of what listens on a free port of this machine. */
public final class AnyPort {
    private AnyPort() {}

    public static SocketSettings settings() {
        return new SocketSettings("127.0.0.1", 0, 10_000, 20_000, 300, MemoryBounds.openRequestBytes());
    }
}
