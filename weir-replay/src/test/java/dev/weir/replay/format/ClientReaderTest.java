package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientReaderTest {
    private static final String LIST = "203.0.113.9, 198.51.100.7:1234,[2001:db8::1]:80 , -";

    private final Request request = new Request();

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9,203.0.113.9",
        "203.0.113.9:51234,203.0.113.9",
        "2001:db8::1,2001:db8::1",
        "[2001:db8::1],2001:db8::1",
        "[2001:db8::1]:443,2001:db8::1",
        "203.0.113.01,203.0.113.1",
        "010.000.100.009:443,10.0.100.9",
        "::ffff:203.0.113.01,203.0.113.1",
        "01.example,01.example",
        "fe80::1%eth0,fe80::1%eth0",
        "::ffff:1.2.3.4,1.2.3.4",
        "::FFFF:cb00:7109,203.0.113.9",
        "0:0:0:0:0:ffff:255.10.0.199,255.10.0.199",
        "[2001:DB8::9]:443,2001:db8::9",
        "2001:0db8:0000:0000:0000:0000:0000:0009,2001:db8::9",
        "2001:db8:0:0:1:0:0:1,2001:db8::1:0:0:1",
        "2001:db8::1:1:1:1:1,2001:db8:0:1:1:1:1:1",
        "1::,1::",
        "1:0:0:0:0:0:0:0,1::",
        "0:0::1,::1",
        "64:ff9b::192.0.2.33,64:ff9b::c000:221",
        "FE80::A%Eth0,fe80::a%Eth0",
        "1:2:3:4:5:6:7:8,1:2:3:4:5:6:7:8",
        "::,::",
        "::ffff:100.64.0.1,100.64.0.1",
        "203.0.113.9:65535,203.0.113.9",
        "a,a",
        "z,z",
        "host.example.net,host.example.net",
        "host.example.net.,host.example.net.",
        "localhost,localhost",
        "a_b-1.x2,a_b-1.x2",
        "\u00e4.example,\u00e4.example"
    })
    void read_client_isItsBareAddressOrName(String text, String client) {
        assertThat(read(null, text)).isNull();
        assertThat(key()).isEqualTo(client);
    }

    @Test
    void read_spellingsOfRandomIpv6Addresses_areOneKeyThatIsItsOwn() {
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            int[] groups = random.ints(8, 0, 1 << 16)
                    .map(group -> random.nextBoolean() ? 0 : group >>> random.nextInt(16))
                    .toArray();
            assertThat(read(null, text(groups, "%x"))).isNull();
            String client = key();

            String ipv4 =
                    (groups[6] >> 8) + "." + (groups[6] & 0xff) + "." + (groups[7] >> 8) + "." + (groups[7] & 0xff);
            String six = text(Arrays.copyOf(groups, 6), "%x");
            for (String other : new String[] {client, text(groups, "%04X"), six + ":" + ipv4}) {
                assertThat(read(null, other)).isNull();
                assertThat(key()).isEqualTo(client);
            }
        }
    }

    private static String text(int[] groups, String format) {
        return Arrays.stream(groups)
                .mapToObj(group -> String.format(Locale.ROOT, format, group))
                .collect(Collectors.joining(":"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "203.0.113",
                "203.0.113.",
                "203.0.113.256",
                "1.2.3.4.5",
                "1234",
                "12.5",
                "2026-11-21",
                "10:00:00",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4::5:6:7:8", // no group is left out
                "1:2:3:4:5:6::1.2.3.4",
                "1::2::3",
                ":::",
                "fe80::1%",
                "[1.2.3.4]",
                "[2001:db8::1",
                "[2001:db8::1]x",
                "host:80",
                "nginx:",
                "<190>Nov",
                "Nov",
                "INFO",
                "stdout",
                "critical",
                "a b",
                "a..b",
                "-a",
                "\"192.168.4.25\"",
                "1.2.3.4:65536",
                "1.2.3.4:",
                "user@host"
            })
    void read_otherText_isNoClient(String text) {
        assertThat(read(null, text)).isEqualTo(ClientReader.NO_CLIENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "", "unix:", "unknown"})
    void read_noAddress_isNone(String text) {
        assertThat(read(null, text)).isEqualTo(ClientReader.NO_ADDRESS);
    }

    @ParameterizedTest
    @CsvSource({"first,203.0.113.9", "4-from-right,203.0.113.9", "3-from-right,198.51.100.7", "2-from-right,2001:db8::1"
    })
    void read_list_isTheChosenEntry(String choice, String client) {
        assertThat(read(ClientChoice.parse(choice), LIST)).isNull();
        assertThat(key()).isEqualTo(client);
    }

    @Test
    void read_listWithoutCertainClient_isRefused() {
        assertThat(read(null, LIST).hint()).contains("--client");
        assertThat(read(ClientChoice.fromRight(1), LIST)).isEqualTo(ClientReader.NO_ADDRESS);
        assertThat(read(ClientChoice.parse("5-from-right"), LIST).reason()).contains("shorter than --client asks for");
        assertThat(read(ClientChoice.parse("2-from-right"), "203.0.113.9").unreadable())
                .isTrue();
        assertThat(read(ClientChoice.first(), "203.0.113.9, host")).isEqualTo(ClientReader.NO_CLIENT);
        assertThat(read(ClientChoice.first(), "203.0.113.9,198.51.100.7,")).isEqualTo(ClientReader.NO_CLIENT);
    }

    @Test
    void read_singleAddress_needsNoChoiceAndTakesAny() {
        assertThat(read(ClientChoice.first(), "203.0.113.9")).isNull();
        assertThat(read(ClientChoice.fromRight(1), "203.0.113.9")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9:1,203.0.113.9",
        "2001:db8::1:443,2001:db8::1",
        "[2001:db8::1]:443,2001:db8::1",
        "203.0.113.9,",
        "host:80,",
        "2001:db8:0:0:0:0:0:1,",
        "1:2:3:4:5:6:7::80,"
    })
    void readWithPort_text_isTheAddressBeforeThePort(String text, @Nullable String client) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Refusal refusal = new ClientReader(null).readWithPort(bytes, 0, bytes.length, request);

        assertThat(refusal == null ? key() : null).isEqualTo(client);
        assertThat(new ClientReader(null).readWithPort(new byte[] {'-'}, 0, 1, request))
                .isEqualTo(ClientReader.NO_ADDRESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "last", "2-from-right", "9999-from-right"})
    void parse_choice_isTheTextAgain(String text) {
        assertThat(ClientChoice.parse(text)).hasToString(text);
    }

    @Test
    void parse_oneFromRight_isTheLast() {
        assertThat(ClientChoice.parse("1-from-right")).hasToString("last");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "second", "0-from-right", "-1-from-right", "10000-from-right", "1-from-left", "First"})
    void parse_otherText_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientChoice.parse(text))
                .withMessage("client must be first, last or N-from-right such as 2-from-right, counted from 1, was '"
                        + text + "'");
    }

    @Test
    void fromRight_numberBelowOne_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientChoice.fromRight(0))
                .withMessage("client number must be at least 1, was 0");
    }

    private @Nullable Refusal read(@Nullable ClientChoice choice, String text) {
        byte[] bytes = ("," + text + ",1").getBytes(StandardCharsets.UTF_8);
        return new ClientReader(choice).read(bytes, 1, bytes.length - 2, request);
    }

    private String key() {
        return new String(request.key, request.keyFrom, request.keyTo - request.keyFrom, StandardCharsets.UTF_8);
    }
}
