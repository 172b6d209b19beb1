package dev.weir.server.http;

import dev.weir.server.config.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the dashboard. They contain no data, so they need no token; the calls that the page makes do. The page runs no code
 * but these files, and calls no other server. Immutable and thread-safe.
 */
final class DashboardFiles {
    private static final String FOLDER = "/dashboard/";
    private static final String PAGE = "index.html";
    private static final List<String> NAMES = List.of(
            PAGE,
            "icon.svg",
            "base.css",
            "page.css",
            "sheet.css",
            "actions.js",
            "answers.js",
            "clipboard.js",
            "configuration.js",
            "connection.js",
            "dom.js",
            "format.js",
            "keys.js",
            "limits.js",
            "main.js",
            "model.js",
            "scale.js",
            "sheet.js",
            "snapshot.js",
            "timeline.js",
            "traffic.js");
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript", "svg", "image/svg+xml");
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "Referrer-Policy",
            "no-referrer");

    private final Map<String, StaticText> files = new HashMap<>(); // by path

    DashboardFiles() {
        NAMES.forEach(name -> files.put(name.equals(PAGE) ? "/" : FOLDER + name, file(name)));
    }

    private static StaticText file(String name) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
        return new StaticText(Resources.text("dashboard/" + name), type + "; charset=utf-8", HEADERS);
    }

    /** Returns the response to a call; null if there is no file at its path. */
    @Nullable
    HttpReply reply(HttpCall call) {
        StaticText file = files.get(call.path());
        return file == null ? null : file.reply(call);
    }
}
