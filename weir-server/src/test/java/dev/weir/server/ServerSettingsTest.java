package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;

final class ServerSettingsTest {
    @Test
    void cannotListen_causeWithoutMessage_isNamed() {
        ServerSettings settings = new ServerSettings().host("::1");

        assertThat(settings.cannotListen(80, new IOException(new UnresolvedAddressException())))
                .hasMessage("cannot listen on ::1, port 80: unknown host");
        assertThat(settings.cannotListen(80, new IOException(new UnsupportedAddressTypeException())))
                .hasMessage("cannot listen on ::1, port 80: java.nio.channels.UnsupportedAddressTypeException");
    }
}
