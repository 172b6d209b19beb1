package dev.weir.replay.format;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Text that a logging system writes in front of the lines of a program, and that is safe to skip.
 *
 * <p>Every prefix is recognized by its whole shape. Prefixes can follow each other, as a time of Docker does after the name of
 * Docker Compose, so each entry is one part.
 *
 * @param source the system that writes it
 * @param example a line's beginning with nothing but this prefix
 * @param pattern its shape; matched at the beginning of a line against bytes as ISO 8859-1
 */
record KnownPrefix(String source, String example, Pattern pattern) {
    private static final String CLOCK = "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?";
    private static final String MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    private static final String WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? ";
    private static final String ISO = "\\d{4}-\\d\\d-\\d\\d[T ]" + CLOCK + "(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?";
    private static final String TAG = "[\\w./-]{1,64}(?:\\[[\\w.-]{1,64}\\])?:";
    private static final String LEVEL =
            "(?i:trace|debug|info|notice|warn|warning|error|err|crit|critical|alert|emerg|fatal)";
    private static final String BEFORE_ADDRESS_OR_JSON = "(?=\\d|\\[|\\{|[0-9a-fA-F]{1,4}:|::)";

    /** A client with a separator that a prefix has, too, is not to be skipped. */
    private static final String NOT_AN_ADDRESS = "(?!\\d{1,3}(?:\\.\\d{1,3}){3}[\\s:|])";

    /** All known prefixes. An entry that is the beginning of another one is below it. */
    static final List<KnownPrefix> ALL = List.of(
            of("a byte order mark within a file", "\u00ef\u00bb\u00bf", "\u00ef\u00bb\u00bf"),
            of("colours of a terminal", "\u001b[36m", "\u001b\\[[0-9;]{0,16}m"),
            of("indentation", "  ", "[ \\t]+"),
            of(
                    "syslog (RFC 5424)",
                    "<190>1 2026-11-21T10:00:00Z host nginx 12 - - ",
                    "<\\d{1,3}>1 (?:-|" + ISO + ") \\S{1,255} \\S{1,48} \\S{1,128} \\S{1,32}"
                            + " (?:-|(?:\\[(?:[^\\]\\\\]|\\\\.){0,256}\\]){1,8}) "),
            of("syslog priority", "<190>", "<\\d{1,3}>"),
            of(
                    "syslog time (RFC 3164), journalctl -o short and short-precise",
                    "Nov 21 10:00:00 ",
                    "(?:" + WEEKDAY + ")?" + MONTH + " [ 0-3]?\\d (?:\\d{4} )?" + CLOCK + "(?: \\d{4})? "),
            of(
                    "time of journalctl -o short-full, with the zone of the machine",
                    "Sat 2026-11-21 10:00:00 CET ",
                    WEEKDAY + "\\d{4}-\\d\\d-\\d\\d " + CLOCK + " (?:[A-Z][A-Za-z]{2,5}|[+-]\\d\\d(?:\\d\\d)?) "),
            of(
                    "time of Docker, Kubernetes, rsyslog, journalctl -o short-iso",
                    "2026-11-21T10:00:00.123Z ",
                    "\\[?" + ISO + "\\]?:? "),
            of("time of journalctl -o short-unix", "1795255200.123456 ", "\\d{10}\\.\\d{3,9} "),
            of("time of Foreman and Overmind", "10:00:00 ", CLOCK + " "),
            of("stream of CRI (containerd, CRI-O)", "stdout F ", "std(?:out|err) [FP] "),
            of("level", "[info] ", "(?:level=)?(?:\\[" + LEVEL + "\\]|" + LEVEL + "):? +"),
            of("host and program of syslog and journald", "host nginx[123]: ", "[\\w.:-]{1,255} " + TAG + " +"),
            of("program of syslog, Heroku and others", "nginx: ", NOT_AN_ADDRESS + TAG + " +"),
            of(
                    "Docker Compose, Docker Swarm, Foreman",
                    "web-1  | ",
                    NOT_AN_ADDRESS + "[\\w./@-]{1,128} *(?:\u001b\\[[0-9;]{0,16}m)?\\|(?:\u001b\\[[0-9;]{0,16}m)? ?"),
            of("kubectl logs --prefix", "[pod/web-7d4f/nginx] ", "\\[[a-z]{1,32}/[\\w./-]{1,512}\\] "),
            of(
                    "stern",
                    "web-7d4f9-x2x nginx ",
                    "[a-z0-9][a-z0-9.]*+-[a-z0-9.-]++ (?!(?:localhost|unknown) )[a-z0-9][a-z0-9-]{0,62}+ "
                            + BEFORE_ADDRESS_OR_JSON),
            of("a quotation mark", "\"", "\""));

    private static KnownPrefix of(String source, String example, String regex) {
        return new KnownPrefix(source, example, Pattern.compile(regex));
    }
}
