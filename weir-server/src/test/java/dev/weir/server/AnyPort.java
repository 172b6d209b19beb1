package dev.weir.server;

/** Settings of what listens on a free port of this machine. */
final class AnyPort {
    private AnyPort() {}

    static SocketSettings settings() {
        return new SocketSettings("127.0.0.1", 0, 10_000, 20_000, 300, MemoryBounds.openRequestBytes());
    }
}
