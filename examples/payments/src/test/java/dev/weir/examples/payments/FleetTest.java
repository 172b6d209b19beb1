package dev.weir.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example runs for real. How much of the limits it uses depends on what else the machine does, so the bound is loose. */
class FleetTest {
    private static final Pattern JSON = Pattern.compile(
            "\\{\"providers\":\\[\\{\"name\":\"alpha\",\"calls\":(\\d+),\"status429\":(\\d+),\"use\":([0-9.]+)},"
                    + "\\{\"name\":\"beta\",\"calls\":(\\d+),\"status429\":(\\d+),\"use\":([0-9.]+)}]}\n");

    @Test
    void run_withFaults_neverExceedsALimitAndUsesIt() throws Exception {
        Process process = PaymentsProcess.launch("--json", "--seconds", "8", "--faults");

        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        Matcher json = JSON.matcher(answer);
        assertThat(json.matches()).as(answer).isTrue();
        for (int provider = 0; provider < 2; provider++) {
            assertThat(json.group(3 * provider + 2)).as(answer).isEqualTo("0");
            assertThat(Double.parseDouble(json.group(3 * provider + 3)))
                    .as(answer)
                    .isBetween(0.005, 1.0);
        }
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void misuse_isOneLineAndExitCodeTwo() throws Exception {
        Process process = PaymentsProcess.launch("--seconds", "x");

        assertThat(process.getInputStream().readAllBytes()).isEmpty();
        assertThat(process.waitFor()).isEqualTo(2);
    }
}
