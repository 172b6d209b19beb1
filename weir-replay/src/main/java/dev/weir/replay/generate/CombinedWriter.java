package dev.weir.replay.generate;

import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes hits as lines of the combined log format. All their text is ASCII. */
final class CombinedWriter {
    private static final LocalDate FIRST_DAY = LocalDate.of(2026, 3, 2); // a Monday
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("dd/MMM/yyyy", Locale.ENGLISH);
    private static final int MAX_LINE = 1 << 11; // 2 KiB, more than any line that is made here
    private static final int SECONDS_PER_DAY = 86_400;

    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 16]; // 64 KiB
    private int filled;
    private long day = -1;
    private String date = "";

    CombinedWriter(OutputStream out) {
        this.out = out;
    }

    void write(Hit hit) throws IOException {
        if (buffer.length - filled < MAX_LINE) {
            drain();
        }
        put(Clients.host(hit.client()));
        put(" - ");
        put(hit.user());
        put(" [");
        putTime(hit.startMillis() / 1000);
        put(" +0000] \"");
        put(hit.request());
        put("\" ");
        put(Integer.toString(hit.status()));
        put(" ");
        put(hit.size() == 0 ? "-" : Integer.toString(hit.size()));
        put(" \"");
        put(hit.referer());
        put("\" \"");
        put(hit.agent());
        put("\"\n");
    }

    void flush() throws IOException {
        drain();
        out.flush();
    }

    private void drain() throws IOException {
        out.write(buffer, 0, filled);
        filled = 0;
    }

    private void putTime(long second) {
        if (second / SECONDS_PER_DAY != day) {
            day = second / SECONDS_PER_DAY;
            date = FIRST_DAY.plusDays(day).format(DATE);
        }
        int ofDay = (int) (second % SECONDS_PER_DAY);
        put(date);
        putPart(ofDay / 3600);
        putPart(ofDay / 60 % 60);
        putPart(ofDay % 60);
    }

    private void putPart(int number) {
        buffer[filled++] = ':';
        buffer[filled++] = (byte) ('0' + number / 10);
        buffer[filled++] = (byte) ('0' + number % 10);
    }

    @SuppressWarnings("deprecation") // the quick way for text that is known to be ASCII
    private void put(String ascii) {
        int length = ascii.length();
        ascii.getBytes(0, length, buffer, filled);
        filled += length;
    }
}
