package dev.weir.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser of lists of structured fields (RFC 9651) whose members are items with parameters, as in {@code "api";r=5;t=10}. Of each
 * member its parameters are returned, with their values as text. Inner lists are not read.
 *
 * <p>The repetitions are possessive, so that a text of any length is read in linear time and takes no stack.
 */
final class StructuredList {
    private static final String STRING = "\"(?:[^\"\\\\]|\\\\.)*+\"";
    private static final String BYTES = ":[^:]*+:";
    private static final String BARE = "[?@-]?[A-Za-z0-9*][A-Za-z0-9!#$%&'*+.^_`|~:/@-]*+";
    private static final String VALUE = "(?:" + STRING + "|" + BYTES + "|" + BARE + ")";
    private static final String NAME = ";[ \\t]*+([a-z0-9_*.-]++)";
    private static final Pattern PARAMETER = Pattern.compile(NAME + "(?:=(" + VALUE + "))?+");
    private static final Pattern MEMBER =
            Pattern.compile("\\G[ \\t]*+" + VALUE + "((?:" + NAME + "(?:=" + VALUE + ")?+)*+)[ \\t]*+(,|\\z)");

    private StructuredList() {}

    /**
     * Returns the parameters of each member of a list, by name.
     *
     * @throws IllegalArgumentException if the text is not such a list
     */
    static List<Map<String, String>> parse(String text) {
        List<Map<String, String>> members = new ArrayList<>();
        Matcher member = MEMBER.matcher(text);
        do {
            if (!member.find()) {
                throw new IllegalArgumentException("not a list of items");
            }
            members.add(parameters(member.group(1)));
        } while (!member.group(3).isEmpty());
        return members;
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> parameters = new HashMap<>();
        Matcher parameter = PARAMETER.matcher(text);
        while (parameter.find()) {
            String value = parameter.group(2);
            parameters.put(parameter.group(1), value == null ? "?1" : value.replace("\"", ""));
        }
        return parameters;
    }
}
