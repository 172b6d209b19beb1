package dev.weir.cli;

import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Text;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;

/** Frames as JSON, one object on each line. */
final class TailJson extends TailScreen {
    TailJson(Shell shell) {
        super(shell);
    }

    @Override
    protected void draw(TailFrame second, TailFrame all) throws IOException {
        write(second, "second");
    }

    @Override
    void end(TailFrame all) throws IOException {
        write(all, "total");
    }

    private void write(TailFrame frame, String kind) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = AsciiJson.to(text)) {
            json.writeStartObject();
            json.writeStringProperty("kind", kind);
            json.writeStringProperty("time", Text.time(frame.time()));
            json.writeNumberProperty("requests", frame.requests());
            json.writeNumberProperty("late", frame.late());
            json.writeNumberProperty("skipped", frame.skipped());
            if (!frame.lost().isEmpty()) {
                json.writeStringProperty("lost", frame.lost());
            }
            json.writeArrayPropertyStart("limits");
            frame.rows().forEach(row -> write(row, json));
            json.writeEndArray();
            json.writeEndObject();
        }
        shell.out().write((text + "\n").getBytes(StandardCharsets.US_ASCII));
        shell.out().flush();
    }

    private static void write(LimitCounts row, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("limit", row.limit());
        json.writeNumberProperty("allowed", row.allowed());
        json.writeNumberProperty("denied", row.denied());
        ReplayJson.writeTopDenied(row.top(), json);
        json.writeEndObject();
    }
}
