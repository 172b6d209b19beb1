package dev.weir.benchmarks.report;

import dev.weir.benchmarks.memory.MemoryFigures;
import java.util.Locale;

/** Memory: a row for each limiter. */
final class MemoryTable {
    private MemoryTable() {}

    static MarkdownTable of(MemoryFigures memory) {
        String entries = String.format(Locale.ROOT, "%,d", memory.entriesPerKey());
        MarkdownTable table =
                new MarkdownTable("bytes", "an idle key", "a key with " + entries + " in a minute", "an entry");
        for (MemoryFigures.Row row : memory.rows()) {
            table.add(
                    row.title(),
                    Unit.number(row.idleKeyBytes()),
                    String.format(Locale.ROOT, "%,d", row.busyKeyBytes()),
                    Unit.ratio(memory.bytesAnEntry(row)));
        }
        return table;
    }
}
