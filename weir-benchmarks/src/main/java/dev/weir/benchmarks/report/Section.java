package dev.weir.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A part of a report, which has its own place on a page: between the comments {@code bench: NAME} and {@code bench: end}.
 *
 * @param name the name of its place
 */
public record Section(String name, String text) {
    private static final String END = "<!-- bench: end -->";

    /**
     * A finished report.
     *
     * @param goals the goals; empty if there are none
     * @param json the figures for programs
     * @param picture an SVG image; empty if there is none
     */
    public record Report(List<Goal> goals, List<Section> sections, String json, String picture) {
        /** Creates a report whose figures for programs are goals. */
        public Report(List<Goal> goals, List<Section> sections) {
            this(goals, sections, Goal.json(goals), "");
        }
    }

    /** Returns a page with every section in its place; other places are not changed. */
    static String filled(String page, List<Section> sections) {
        String filled = page;
        for (Section section : sections) {
            String start = start(section.name);
            int from = filled.indexOf(start) + start.length();
            int to = filled.indexOf(END, from);
            filled = filled.substring(0, from) + "\n\n" + section.text + "\n" + filled.substring(to);
        }
        return filled;
    }

    /** Writes sections into their places. */
    public static void fill(Path page, List<Section> sections) throws IOException {
        Files.writeString(page, filled(Files.readString(page), sections));
    }

    static boolean hasPlaces(String page, List<String> names) {
        return names.stream().allMatch(name -> {
            int start = page.indexOf(start(name));
            return start >= 0 && page.indexOf(END, start) >= 0;
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
