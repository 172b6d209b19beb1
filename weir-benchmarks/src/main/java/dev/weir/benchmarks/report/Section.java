package dev.weir.benchmarks.report;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a report, which has its own place on a page: between the comments {@code bench: NAME} and {@code bench: end}.
 *
 * @param name the name of its place
 */
public record Section(String name, String text) {
    /**
     * A finished report.
     *
     * @param goals the goals; empty if there are none
     * @param json the figures for programs
     * @param picture an SVG image; empty if there is none
     */
    public record Report(List<Goal> goals, List<Section> sections, String json, String picture) {
        /** Creates a report whose figures for programs are goals. */
        public Report(List<Goal> goals, Section... sections) {
            this(goals, List.of(sections), Goal.json(goals), "");
        }
    }

    /** Returns a page with every section in its place; other places are not changed. */
    public static String filled(String page, List<Section> sections) {
        String filled = page;
        for (Section section : sections) {
            String content = Matcher.quoteReplacement("\n\n" + section.text + "\n");
            filled = place(section.name).matcher(filled).replaceFirst(content);
        }
        return filled;
    }

    /** Whether a page has a place for each of these sections. */
    public static boolean hasPlaces(String page, List<String> names) {
        return names.stream().allMatch(name -> place(name).matcher(page).find());
    }

    private static Pattern place(String name) {
        return Pattern.compile("(?s)(?<=<!-- bench: " + name + " -->).*?(?=<!-- bench: end -->)");
    }
}
