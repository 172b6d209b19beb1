package dev.weir.cli;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A command line as text that a shell reads back to the same words. */
final class CommandText {
    private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");
    private static final Pattern CREDENTIALS = Pattern.compile("(\\w+://)[^/@]*@");

    private CommandText() {}

    /** Returns the text; a user and password in a URI are replaced, so that the text can be shown to others. */
    static String of(List<String> words) {
        return words.stream().map(CommandText::word).collect(Collectors.joining(" ", "weir ", ""));
    }

    private static String word(String word) {
        String shown = CREDENTIALS.matcher(word).replaceAll("$1...@");
        return PLAIN.matcher(shown).matches() ? shown : "'" + shown.replace("'", "'\\''") + "'";
    }
}
