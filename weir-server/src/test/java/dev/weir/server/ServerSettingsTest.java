package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Settings are checked when they are set, not when the server starts. */
final class ServerSettingsTest {
    @Test
    void port_outOfRange_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().port(65_536))
                .withMessage("port must be from 0 to 65,535, was 65536");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().grpcPort(-1))
                .withMessage("grpcPort must be from 0 to 65,535, was -1");
    }
}
