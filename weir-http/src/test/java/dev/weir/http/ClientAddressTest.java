package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.testing.JavaCommand;
import dev.weir.testing.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
    private final ClientAddress address = ClientAddress.ofXForwardedFor("10.0.0.0/8", "192.0.2.7", "fd00::/8");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1    | 203.0.113.9                            | 203.0.113.9",
                "10.0.0.1    | 198.51.100.1, 203.0.113.9              | 203.0.113.9", // forged by the client
                "10.0.0.1    | 198.51.100.1, 203.0.113.9, 10.9.9.9    | 203.0.113.9", // two proxies
                "10.0.0.1    | 203.0.113.9:4711                       | 203.0.113.9",
                "10.0.0.1    | [2001:db8:1:2:3:4:5:6]:4711            | 2001:db8:1:2:0:0:0:0/64",
                "10.0.0.1    | 2001:db8:1:2:3:4:5:6                   | 2001:db8:1:2:0:0:0:0/64",
                "10.0.0.1    | ::ffff:203.0.113.9                     | 203.0.113.9",
                "fd00::1     | 203.0.113.9                            | 203.0.113.9",
                "192.0.2.7   | 203.0.113.9                            | 203.0.113.9",
                "192.0.2.8   | 203.0.113.9                            | 192.0.2.8", // no proxy of ours
                "203.0.113.9 | 198.51.100.1                           | 203.0.113.9",
                "10.0.0.1    | 203.0.113.9, unknown                   | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9, www.example.com           | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9,                           | 10.0.0.1",
                "10.0.0.1    | 10.0.0.2                               | 10.0.0.2",
                "10.0.0.1    | 999.1.1.1                              | 10.0.0.1",
                "10.0.0.1    | 203.0.113.256                          | 10.0.0.1",
                "10.0.0.1    | 203.0.113.09                           | 10.0.0.1",
                "10.0.0.1    | 203.0.113                              | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9.                           | 10.0.0.1",
                "10.0.0.1    | 203..113.9                             | 10.0.0.1",
                "10.0.0.1    | .203.0.113                             | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9.1                          | 10.0.0.1",
                "10.0.0.1    | 203.0.113.-9                           | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9999999999                   | 10.0.0.1",
                "10.0.0.1    | 0.0.0.0                                | 0.0.0.0",
                "10.0.0.1    | 255.255.255.255                        | 255.255.255.255",
                "10.0.0.1    | [2001:db8::1                           | 10.0.0.1",
                "fe80::1%2   | 203.0.113.9                            | fe80:0:0:0:0:0:0:0/64",
            })
    void find_xForwardedFor_lastUntrustedAddress(String peer, String header, String expected) {
        assertThat(address.find(
                        peer, name -> Map.of("X-Forwarded-For", List.of(header)).getOrDefault(name, List.of())))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=203.0.113.9;proto=https;by=10.0.0.1             | 203.0.113.9",
                "for=198.51.100.1, For=\"203.0.113.9:4711\"          | 203.0.113.9",
                "for=\"[2001:db8:1:2::6]:4711\"                      | 2001:db8:1:2:0:0:0:0/64",
                "for=203.0.113.9, for=_hidden                        | 10.0.0.1",
                "for=203.0.113.9, proto=https                        | 10.0.0.1",
                "203.0.113.9                                         | 10.0.0.1",
                "for=203.0.113.9, for=\"                             | 10.0.0.1",
            })
    void find_forwarded_lastUntrustedAddress(String header, String expected) {
        assertThat(ClientAddress.ofForwarded("10.0.0.0/8")
                        .find(
                                "10.0.0.1",
                                name -> Map.of("Forwarded", List.of(header)).getOrDefault(name, List.of())))
                .isEqualTo(expected);
    }

    @Test
    void find_severalHeaders_areOneList() {
        assertThat(address.find("10.0.0.1", name -> List.of("198.51.100.1", "203.0.113.9")))
                .isEqualTo("203.0.113.9");
    }

    @Test
    void find_ofPeer_readsNoHeader() {
        assertThat(ClientAddress.ofPeer().find("203.0.113.9", name -> List.of("198.51.100.1")))
                .isEqualTo("203.0.113.9");
        assertThat(ClientAddress.ofPeer().find("unix:", name -> List.of())).isEqualTo("unix:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.168.0.1", "172.16.0.1", "127.0.0.1", "::1", "fd12::1"})
    void find_proxyIsNotTrusted_isLoggedOnce(String proxy) {
        try (LogLines logged = new LogLines("dev.weir.http")) {
            ClientAddress peer = ClientAddress.ofPeer();
            String unused = peer.find(proxy, name -> List.of());
            assertThat(logged.lines()).isEmpty();

            String client = peer.find(proxy, name -> List.of("203.0.113.9"));

            assertThat(client).doesNotContain("203.0.113.9");
            assertThat(peer.find(proxy, name -> List.of("203.0.113.9"))).isEqualTo(client);
            assertThat(logged.lines())
                    .containsExactly(
                            "WARNING a peer with a private address sends X-Forwarded-For and is not trusted, so all"
                                    + " clients behind it share one limit; if it is your proxy, name it as one");
        }
    }

    @Test
    void find_proxyIsNotTrustedTwoAtOnce_isLoggedOnce() {
        try (LogLines logged = new LogLines("dev.weir.http")) {
            ClientAddress peer = ClientAddress.ofPeer();
            String unused = peer.find("10.0.0.1", whileTheFirstIsRead -> {
                String unusedToo = peer.find("10.0.0.1", name -> List.of("203.0.113.9"));
                return List.of("203.0.113.9");
            });

            assertThat(logged.lines()).hasSize(1);
        }
    }

    @Test
    void find_proxyIsNotTrustedInTheLastRequestThatIsLookedAt_isLogged() {
        try (LogLines logged = new LogLines("dev.weir.http")) {
            ClientAddress peer = ClientAddress.ofPeer();
            for (int i = 0; i < 999; i++) {
                String unused = peer.find("203.0.113.1", name -> List.of());
            }

            String unused = peer.find("10.0.0.1", name -> List.of("203.0.113.9"));

            assertThat(logged.lines()).hasSize(1);
        }
    }

    @Test
    void find_publicPeerTrustedProxyOrLate_isNotLogged() {
        try (LogLines logged = new LogLines("dev.weir.http")) {
            for (int i = 0; i < 1_000; i++) {
                String unused = address.find("203.0.113.1", name -> List.of("198.51.100.1"));
                unused = address.find("10.0.0.1", name -> List.of("198.51.100.1"));
            }
            String unused = address.find("192.168.0.1", name -> List.of("198.51.100.1"));
            assertThat(logged.lines()).isEmpty();
        }
    }

    /** A text of 60,000 colons took 15 s. */
    @Test
    @Timeout(5)
    void find_longTextThatIsNoAddress_takesLinearTime() {
        assertThat(address.find("10.0.0.1", name -> List.of(":".repeat(60_000) + "x")))
                .isEqualTo("10.0.0.1");
    }

    @Test
    void find_peerWithoutAddress_isAKey() {
        assertThat(address.find("", name -> List.of("203.0.113.9"))).isEqualTo("unknown");
    }

    @Test
    void withIpv6Prefix_groupsByIt() {
        ClientAddress peer = ClientAddress.ofPeer();

        assertThat(peer.withIpv6Prefix(56).find("2001:db8:1:2ff::1", name -> List.of()))
                .isEqualTo("2001:db8:1:200:0:0:0:0/56");
        assertThat(peer.withIpv6Prefix(60).find("2001:db8:1:2ff::1", name -> List.of()))
                .isEqualTo("2001:db8:1:2f0:0:0:0:0/60");
        assertThat(peer.withIpv6Prefix(1).find("ffff::1", name -> List.of())).isEqualTo("8000:0:0:0:0:0:0:0/1");
        assertThat(peer.withIpv6Prefix(128).find("2001:db8::1", name -> List.of()))
                .isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThatIllegalArgumentException().isThrownBy(() -> peer.withIpv6Prefix(0));
    }

    @Test
    void find_networkOfOneAddress_trustsOnlyThat() {
        ClientAddress one = ClientAddress.ofXForwardedFor("192.0.2.7/32", "fd00::1/128");

        assertThat(one.find("192.0.2.7", name -> List.of("203.0.113.9"))).isEqualTo("203.0.113.9");
        assertThat(one.find("192.0.2.6", name -> List.of("203.0.113.9"))).isEqualTo("192.0.2.6");
        assertThat(one.find("fd00::1", name -> List.of("203.0.113.9"))).isEqualTo("203.0.113.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "localhost", "10.0.0.0/", "", "::1/129", "10.0.0.0/x"})
    void unreadableNetwork_throws(String network) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientAddress.ofXForwardedFor(network))
                .withMessageContaining("network");
    }

    @Test
    void noNetwork_throws() {
        assertThatIllegalArgumentException().isThrownBy(() -> ClientAddress.ofForwarded());
    }

    /** The JVM that finds the address has an own file of hosts, which shows whether the text is looked up. */
    @Test
    void find_colonsBehindADot_areNotLookedUp(@TempDir Path directory) throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), "198.51.100.1 .::1\n");
        List<String> command = JavaCommand.of("-Djdk.net.hosts.file=" + hosts, Finder.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT) // to which Java notes JAVA_TOOL_OPTIONS
                .start();

        assertThat(process.inputReader().readLine()).isEqualTo("10.0.0.1");
    }

    static final class Finder {
        public static void main(String... none) {
            System.out.println(ClientAddress.ofXForwardedFor("10.0.0.0/8").find("10.0.0.1", name -> List.of(".::1")));
        }
    }
}
