package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An exception of a listener is logged at most once a minute, and the other listeners are notified. */
class ListenersTest {
    @Test
    void notifyEach_listenersThatThrow_logsOnceAndNotifiesTheOthers() {
        List<String> notified = new ArrayList<>();
        Runnable broken = () -> {
            throw new LinkageError("broken");
        };
        Listeners<Runnable> listeners = new Listeners<>(List.of(broken, () -> notified.add("other"), broken));
        List<String> messages;
        try (LogLines logged = new LogLines("dev.weir")) {
            for (int i = 0; i < 1_000; i++) {
                listeners.notifyEach(Runnable::run);
            }
            messages = List.copyOf(logged.lines());
        }

        assertThat(notified).hasSize(1_000);
        assertThat(messages)
                .singleElement()
                .asString()
                .endsWith("failed; similar warnings are not logged for a minute java.lang.LinkageError: broken");
    }
}
