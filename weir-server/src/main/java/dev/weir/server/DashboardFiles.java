package dev.weir.server;

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
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cache-Control",
            "no-cache"); // a browser asks whether the file is still the same
    private static final int NOT_MODIFIED = 304;
    private static final int TAG_CHARACTERS = 16;

    private final Map<String, HttpReply> replies = new HashMap<>(); // by path

    DashboardFiles() {
        NAMES.forEach(name -> replies.put(name.equals(PAGE) ? "/" : FOLDER + name, reply(name)));
    }

    private static HttpReply reply(String name) {
        String text = Resources.text("dashboard/" + name);
        Map<String, String> headers = new HashMap<>(HEADERS);
        headers.put("ETag", '"' + KeyText.sha256(text).substring(0, TAG_CHARACTERS) + '"');
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
        return new HttpReply(200, Map.copyOf(headers), type + "; charset=utf-8", text);
    }

    /** Returns the file at the path of a call, without its text if the client has it; null if there is none. */
    @Nullable
    HttpReply reply(HttpCall call) {
        HttpReply reply = replies.get(call.path());
        if (reply == null) {
            return null;
        }
        boolean known = call.header("If-None-Match")
                .filter(tag -> tag.equals(reply.headers().get("ETag")))
                .isPresent();
        return known ? new HttpReply(NOT_MODIFIED, reply.headers(), "", "") : reply;
    }
}
