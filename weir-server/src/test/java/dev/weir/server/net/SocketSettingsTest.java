package dev.weir.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;

final class SocketSettingsTest {
    @Test
    void cannotListen_causeWithoutMessage_isNamed() {
        SocketSettings settings = new SocketSettings("::1", 80, 1, 1, 1, 1);

        assertThat(settings.cannotListen(new IOException(new UnresolvedAddressException())))
                .hasMessage("cannot listen on ::1, port 80: unknown host");
        assertThat(settings.cannotListen(new IOException(new UnsupportedAddressTypeException())))
                .hasMessage("cannot listen on ::1, port 80: java.nio.channels.UnsupportedAddressTypeException");
    }
}
