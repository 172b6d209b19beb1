package dev.weir.server.config;

/** A pattern in which each {@code *} matches any text, also none. Matching is linear for each {@code *}. Immutable. */
public record Wildcard(String pattern) {
    private static final char ANY = '*';

    /** Returns whether a value in a configuration is a pattern. */
    public static boolean isWildcard(String value) {
        return value.indexOf(ANY) >= 0;
    }

    /** Returns the text before the first {@code *}, with which every match begins. */
    String prefix() {
        return pattern.substring(0, pattern.indexOf(ANY));
    }

    /** Returns whether the pattern matches the whole text. After a mismatch, only the latest {@code *} can match more. */
    public boolean matches(String text) {
        int inPattern = 0;
        int inText = 0;
        int latestAny = -1;
        int matchedByAny = 0;
        while (inText < text.length()) {
            if (inPattern < pattern.length() && pattern.charAt(inPattern) == ANY) {
                latestAny = inPattern++;
                matchedByAny = inText;
            } else if (inPattern < pattern.length() && pattern.charAt(inPattern) == text.charAt(inText)) {
                inPattern++;
                inText++;
            } else if (latestAny >= 0) {
                inPattern = latestAny + 1;
                inText = ++matchedByAny;
            } else {
                return false;
            }
        }
        while (inPattern < pattern.length() && pattern.charAt(inPattern) == ANY) {
            inPattern++;
        }
        return inPattern == pattern.length();
    }
}
