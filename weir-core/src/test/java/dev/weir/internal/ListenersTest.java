package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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
        List<LogRecord> records = new ArrayList<>();
        Handler handler = recordsTo(records);
        Logger logger = Logger.getLogger("dev.weir");
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 1_000; i++) {
                listeners.notifyEach(Runnable::run);
            }
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(notified).hasSize(1_000);
        assertThat(records).singleElement().satisfies(record -> {
            assertThat(record.getThrown()).hasMessage("broken");
            assertThat(record.getMessage()).endsWith("failed; similar warnings are not logged for a minute");
        });
    }

    private static Handler recordsTo(List<LogRecord> records) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                records.add(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
