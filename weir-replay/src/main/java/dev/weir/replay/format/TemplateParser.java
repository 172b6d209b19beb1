package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parser for lines with the layout of a {@link LineTemplate}. */
final class TemplateParser implements LineParser {
    private final LineTemplate template;
    private final Refusal misfit;
    private final Columns columns;

    /** Creates a parser; throws if the plan names fields that the preset has not. */
    TemplateParser(Preset preset, Fields fields) throws LogException {
        template = new LineTemplate(preset.layout());
        misfit = Refusal.unreadable("not a line of " + preset.product());
        columns = new Columns("the log of " + preset.product(), template.names(), fields);
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) {
        List<String> values = template.split(new String(line, from, to - from, StandardCharsets.UTF_8));
        return values == null ? misfit : columns.fill(values, request);
    }
}
