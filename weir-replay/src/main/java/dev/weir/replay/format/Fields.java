package dev.weir.replay.format;

import dev.weir.replay.time.Digits;
import dev.weir.replay.time.TimeParser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a request from the texts of its fields, which all formats with named fields come down to. */
final class Fields {
    private final FieldPlan plan;
    private final TimeParser timeParser;
    private final KeyReader keyReader;

    Fields(FieldPlan plan, LogOptions options) {
        this.plan = plan;
        this.timeParser = options.timeParser();
        this.keyReader = new KeyReader(plan.kind(), plan.keyName(), options.client());
    }

    /** Returns the names of the fields. */
    FieldPlan plan() {
        return plan;
    }

    /** Fills {@code request}; absent or empty permits are 1. Returns null if it is complete, otherwise why not. */
    @Nullable
    Refusal fill(Request request, @Nullable String time, @Nullable String key, @Nullable String permits) {
        if (time == null || time.isEmpty()) {
            return Refusal.NO_TIME;
        }
        byte[] timeBytes = time.strip().getBytes(StandardCharsets.UTF_8);
        request.timeNanos = timeParser.parse(timeBytes, 0, timeBytes.length);
        Refusal refusal = Refusal.ofTime(request.timeNanos);
        if (refusal == null) {
            refusal = keyReader.read(key, request);
        }
        if (refusal != null) {
            return refusal;
        }
        request.permits = permits == null || permits.isEmpty() ? 1 : number(permits.strip());
        return request.permits < 1 ? Refusal.BAD_PERMITS : null;
    }

    private static long number(String text) {
        byte[] digits = text.getBytes(StandardCharsets.UTF_8);
        return Digits.all(digits, 0, digits.length);
    }
}
