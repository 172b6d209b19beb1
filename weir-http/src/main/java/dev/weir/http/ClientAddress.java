package dev.weir.http;

import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a client, as a key for a limiter. IPv6 addresses are grouped by network, because one client usually has a
 * whole /64. Thread-safe.
 *
 * <p>Guarantee: only what trusted proxies added to a header is read. The proxies add the address of their peer at the end, so the
 * client is the last address that is not a trusted proxy; whatever a client writes itself comes before and is ignored. A header
 * that cannot be read ends the search: the client is then the proxy that passed it on.
 *
 * <p>All clients of a proxy that is not trusted are one. Among its first 1,000 requests, it logs a warning of the first one that
 * comes from a private address and has a header of a proxy.
 */
public final class ClientAddress {
    private static final int IPV6_PREFIX = 64;
    private static final int IPV6_BITS = 128;
    private static final int MAX_BYTE = 255;
    private static final String UNKNOWN = "unknown";
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";
    private static final int LOOKS = 1_000;
    private static final System.Logger LOG = System.getLogger("dev.weir.http");
    private static final Pattern IPV6 = // the JDK looks up what begins with a dot
            Pattern.compile("(?!\\.)[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    private static final List<Network> PRIVATE = networks(
            "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "::1", "fc00::/7");

    private final String header;
    private final List<Network> trusted;
    private final int ipv6Prefix;
    private final AtomicInteger looks = new AtomicInteger(LOOKS); // left, for a proxy that is not trusted

    private ClientAddress(String header, List<Network> trusted, int ipv6Prefix) {
        this.header = header;
        this.trusted = trusted;
        this.ipv6Prefix = ipv6Prefix;
    }

    /** {@return the address of the peer itself, for servers without a proxy; believes no header} */
    public static ClientAddress ofPeer() {
        return new ClientAddress("", List.of(), IPV6_PREFIX);
    }

    /**
     * Returns the address that trusted proxies report in {@code X-Forwarded-For}.
     *
     * @param networks the addresses or networks of all proxies, as {@code 10.0.0.0/8} or {@code ::1}
     * @return the finder
     * @throws IllegalArgumentException if a network cannot be read, or if there is none
     */
    public static ClientAddress ofXForwardedFor(String... networks) {
        return new ClientAddress(X_FORWARDED_FOR, networks(networks), IPV6_PREFIX);
    }

    /**
     * Returns the address that trusted proxies report in {@code Forwarded} (RFC 7239).
     *
     * @param networks the addresses or networks of all proxies, as {@code 10.0.0.0/8} or {@code ::1}
     * @return the finder
     * @throws IllegalArgumentException if a network cannot be read, or if there is none
     */
    public static ClientAddress ofForwarded(String... networks) {
        return new ClientAddress(FORWARDED, networks(networks), IPV6_PREFIX);
    }

    /**
     * Returns a finder that groups IPv6 addresses by networks of another length.
     *
     * @param bits the length of the prefix, from 1 to 128; by default 64
     * @return the finder
     * @throws IllegalArgumentException if the length is out of range
     */
    public ClientAddress withIpv6Prefix(int bits) {
        if (bits < 1 || bits > IPV6_BITS) {
            throw new IllegalArgumentException("bits must be between 1 and 128, was " + bits);
        }
        return new ClientAddress(header, trusted, bits);
    }

    /**
     * Returns the address of the client.
     *
     * @param peer the address of the connection's other end, as text; empty if it has none, such as that of a Unix socket
     * @param headers returns all values of a header in their order, by its name; empty if there is none. Called if the peer is a
     *     trusted proxy, and for the first requests
     * @return an IPv4 address, or an IPv6 network such as {@code 2001:db8:0:0:0:0:0:0/64} (without a prefix if that has 128 bits);
     *     {@code peer} itself if it is no address, {@code unknown} if it is empty
     */
    public String find(String peer, Function<String, List<String>> headers) {
        if (looks.get() > 0) {
            lookForProxy(peer, headers);
        }
        if (trusted.isEmpty() && isIpv4(peer)) {
            return peer;
        }
        byte @Nullable [] client = parse(withoutZone(peer));
        if (client == null) {
            return peer.isEmpty() ? UNKNOWN : peer;
        }
        List<String> hops = isTrusted(client) ? hops(headers.apply(header)) : List.of();
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
            byte @Nullable [] next = parse(hops.get(i));
            if (next == null) {
                break;
            }
            client = next;
        }
        return text(client);
    }

    /** Warns once of a peer that reports clients and is not trusted. A private address is that of a proxy: those of clients are not. */
    private void lookForProxy(String peer, Function<String, List<String>> headers) {
        looks.decrementAndGet();
        byte @Nullable [] address = parse(withoutZone(peer));
        if (address == null || isTrusted(address) || PRIVATE.stream().noneMatch(network -> network.contains(address))) {
            return;
        }
        for (String name : List.of(X_FORWARDED_FOR, FORWARDED)) {
            if (!headers.apply(name).isEmpty() && looks.getAndSet(-1) >= 0) { // not if another request was faster
                LOG.log(
                        Level.WARNING,
                        "a peer with a private address sends " + name + " and is not trusted, so all clients behind it"
                                + " share one limit; if it is your proxy, name it as one");
            }
        }
    }

    private boolean isTrusted(byte[] address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    private List<String> hops(List<String> values) {
        List<String> hops = new ArrayList<>();
        for (String element : String.join(",", values).split(",", -1)) {
            hops.add(withoutPort(header.equals(FORWARDED) ? forOf(element) : element.trim()));
        }
        return hops;
    }

    /** Returns the parameter {@code for} of an element; empty if there is none. */
    private static String forOf(String element) {
        for (String parameter : element.split(";", -1)) {
            String[] pair = parameter.trim().split("=", 2);
            if (pair.length == 2 && pair[0].trim().equalsIgnoreCase("for")) {
                String quoted = pair[1].trim();
                boolean quotes = quoted.length() > 1 && quoted.startsWith("\"") && quoted.endsWith("\"");
                return quotes ? quoted.substring(1, quoted.length() - 1) : quoted;
            }
        }
        return "";
    }

    private static String withoutPort(String node) {
        if (node.startsWith("[")) {
            int end = node.indexOf(']');
            return end < 0 ? "" : node.substring(1, end);
        }
        int colon = node.indexOf(':');
        return colon >= 0 && colon == node.lastIndexOf(':') ? node.substring(0, colon) : node;
    }

    private static String withoutZone(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }

    /** Returns the bytes of an address; null if it is none. Names are not looked up. */
    private static byte @Nullable [] parse(String text) {
        if (!isIpv4(text) && !IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text).getAddress(); // 4 bytes also for an IPv4 address within IPv6
        } catch (UnknownHostException malformed) {
            return null; // the text of an address is not looked up
        }
    }

    /** Returns whether a text is an IPv4 address of four decimal numbers without leading zeros, as addresses are written. */
    private static boolean isIpv4(String text) {
        int number = -1; // none yet
        int dots = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && number >= 0) {
                number = -1;
                dots++;
            } else if (c < '0' || c > '9' || number == 0) {
                return false;
            } else {
                number = number < 0 ? c - '0' : 10 * number + c - '0';
                if (number > MAX_BYTE) {
                    return false;
                }
            }
        }
        return dots == 3 && number >= 0;
    }

    private String text(byte[] address) {
        byte[] network = address.clone();
        boolean grouped = network.length > 4 && ipv6Prefix < IPV6_BITS;
        for (int bit = ipv6Prefix; grouped && bit < IPV6_BITS; bit++) {
            network[bit / 8] &= (byte) ~(0x80 >> bit % 8);
        }
        try {
            InetAddress client = InetAddress.getByAddress(network);
            return client.getHostAddress() + (grouped && client instanceof Inet6Address ? "/" + ipv6Prefix : "");
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<Network> networks(String... texts) {
        if (texts.length == 0) {
            throw new IllegalArgumentException("networks must be at least 1, were 0");
        }
        return Arrays.stream(texts).map(Network::parse).toList();
    }

    /** A range of addresses. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Network(byte[] address, int prefix) {
        static Network parse(String text) {
            Objects.requireNonNull(text, "network must not be null");
            int slash = text.indexOf('/');
            byte @Nullable [] address = ClientAddress.parse(slash < 0 ? text : text.substring(0, slash));
            if (address != null && slash < 0) {
                return new Network(address, 8 * address.length);
            }
            String prefix = text.substring(slash + 1);
            if (address == null || !prefix.matches("\\d{1,3}") || Integer.parseInt(prefix) > 8 * address.length) {
                throw new IllegalArgumentException("network must be an address or like 10.0.0.0/8, was " + text);
            }
            return new Network(address, Integer.parseInt(prefix));
        }

        boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < prefix; bit++) {
                if ((address[bit / 8] ^ other[bit / 8]) << bit % 8 << 24 < 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
