package dev.weir.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A page of prose with places for figures, each between two comments. */
public final class Page {
    private static final String END = "<!-- bench: end -->";

    private Page() {}

    /** The text with every section in its place; a place is not changed for which there is no section. */
    static String filled(String text, List<Section> sections) {
        String filled = text;
        for (Section section : sections) {
            String start = start(section.name());
            int from = filled.indexOf(start) + start.length();
            int to = filled.indexOf(END, from);
            filled = filled.substring(0, from) + "\n\n" + section.text() + "\n" + filled.substring(to);
        }
        return filled;
    }

    /** Puts figures in their places. */
    public static void fill(Path page, List<Section> sections) throws IOException {
        Files.writeString(page, filled(Files.readString(page), sections));
    }

    /** Whether a text has a place for each of these sections. */
    static boolean hasPlaces(String text, List<String> names) {
        return names.stream().allMatch(name -> {
            int start = text.indexOf(start(name));
            return start >= 0 && text.indexOf(END, start) >= 0;
        });
    }

    /** Whether a page can be read and has a place for each of these sections. */
    public static boolean hasPlaces(Path page, List<String> names) {
        try {
            return hasPlaces(Files.readString(page), names);
        } catch (IOException e) {
            return false;
        }
    }

    private static String start(String name) {
        return "<!-- bench: " + name + " -->";
    }
}
