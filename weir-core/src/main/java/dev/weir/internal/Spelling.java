package dev.weir.internal;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** What users wrote, for messages: as it can be shown, and with a suggestion if it is misspelled. */
public final class Spelling {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
    private static final int MAX_SHOWN = 64;

    private Spelling() {}

    /** Makes untrusted text fit for a message: at most 64 characters, {@linkplain #printable printable}. */
    public static String shown(String text) {
        return shown(text, MAX_SHOWN);
    }

    /** Makes untrusted text fit for a message: at most the given number of characters, {@linkplain #printable printable}. */
    public static String shown(String text, int most) {
        return printable(text.length() <= most ? text : text.substring(0, most) + "...");
    }

    /** Replaces the characters that steer a terminal, start a line, or change the order in which others are shown. */
    public static String printable(String text) {
        return UNPRINTABLE.matcher(text).replaceAll("?");
    }

    /**
     * Returns a suggestion to append to a message, such as {@code (did you mean 'gcra'?)}: the known word with the smallest edit
     * distance. It is empty if that exceeds a third of its letters. A word with another number is not misspelled.
     */
    public static String suggestion(String word, List<String> known) {
        return known.stream()
                .filter(candidate -> isNear(bare(word), bare(candidate)))
                .min(Comparator.comparingInt(candidate -> distance(bare(word), bare(candidate))))
                .map(near -> " (did you mean '" + near + "'?)")
                .orElse("");
    }

    private static boolean isNear(String word, String candidate) {
        boolean begun = word.length() > 1 && candidate.startsWith(word);
        int most = Math.max(1, candidate.length() / 3);
        boolean similarLength =
                Math.abs(word.length() - candidate.length()) <= most; // else a long word would be costly
        return begun || (similarLength && distance(word, candidate) <= most && !hasAnotherNumber(word, candidate));
    }

    private static boolean hasAnotherNumber(String word, String candidate) {
        String number = "1";
        return !word.equals(candidate)
                && NUMBER.matcher(word)
                        .replaceAll(number)
                        .equals(NUMBER.matcher(candidate).replaceAll(number));
    }

    private static String bare(String word) {
        return word.replaceFirst("^-+", "");
    }

    /** The Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : step(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int step(int[][] d, String a, String b, int i, int j) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(d[i - 1][j - 1] + change, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, d[i - 2][j - 2] + 1) : least;
    }
}
