package dev.weir.replay.format;

import java.util.List;

/**
 * The access log of a product, as its vendor documents it: how lines are built, and which fields a request is read from.
 *
 * @param text the name on the command line
 * @param product the name in messages
 * @param shape how lines are built
 * @param layout the template of a {@link Shape#TEMPLATE}, the separator of a {@link Shape#W3C}
 * @param time the fields with the time: a {@code date} and those after it together, otherwise the first one that a line has
 * @param client the fields with the client
 * @param user the fields with the authenticated user; none if the product does not log it
 * @param path the fields with the path
 */
record Preset(
        String text,
        String product,
        Shape shape,
        String layout,
        List<String> time,
        List<String> client,
        List<String> user,
        List<String> path) {
    /** How lines are built. */
    enum Shape {
        TEMPLATE,
        W3C,
        JSON,
        JSON_OR_COMBINED
    }

    /** AWS CloudFront standard logs: W3C extended, with tabs. */
    static final Preset CLOUDFRONT =
            of("cloudfront", "CloudFront", Shape.W3C, "\t", "date time", "c-ip", "", "cs-uri-stem");

    /** Microsoft IIS: W3C extended, with spaces. */
    static final Preset IIS = of("iis", "IIS", Shape.W3C, " ", "date time", "c-ip", "cs-username", "cs-uri-stem");

    static final List<Preset> ALL = List.of(
            // AWS Application Load Balancer. The time is that of the request's arrival where the entry has it.
            of(
                    "alb",
                    "AWS ALB",
                    Shape.TEMPLATE,
                    "type time elb client:port target:port request_processing_time target_processing_time"
                            + " response_processing_time elb_status_code target_status_code received_bytes sent_bytes"
                            + " \"request\" \"user_agent\" ssl_cipher ssl_protocol | target_group_arn \"trace_id\""
                            + " \"domain_name\" \"chosen_cert_arn\" matched_rule_priority request_creation_time"
                            + " \"actions_executed\" \"redirect_url\" \"error_reason\" \"target:port_list\""
                            + " \"target_status_code_list\" \"classification\" \"classification_reason\" conn_trace_id",
                    "request_creation_time time",
                    "client:port",
                    "",
                    "request"),
            CLOUDFRONT,
            // Caddy's JSON. Releases before 2.5 wrote the address and the port in one field.
            of(
                    "caddy",
                    "Caddy",
                    Shape.JSON,
                    "",
                    "ts",
                    "request.client_ip request.remote_ip request.remote_addr",
                    "user_id",
                    "request.uri"),
            // Traefik's JSON, and its common format, which is the combined one with additions.
            of(
                    "traefik",
                    "Traefik",
                    Shape.JSON_OR_COMBINED,
                    "",
                    "StartUTC StartLocal time",
                    "ClientHost ClientAddr",
                    "ClientUsername",
                    "RequestPath"),
            // Envoy's default format string. The client is in the forwarded list.
            of(
                    "envoy",
                    "Envoy",
                    Shape.TEMPLATE,
                    "[start_time] \"request\" response_code response_flags bytes_received bytes_sent duration"
                            + " upstream_service_time \"x_forwarded_for\" \"user_agent\" \"request_id\" \"authority\""
                            + " \"upstream_host\" .",
                    "start_time",
                    "x_forwarded_for",
                    "",
                    "request"),
            // HAProxy's option httplog.
            of(
                    "haproxy",
                    "HAProxy",
                    Shape.TEMPLATE,
                    "client:port [accept_date] frontend backend/server timers status bytes request_cookie"
                            + " response_cookie termination_state connections queues \"request\"",
                    "accept_date",
                    "client:port",
                    "",
                    "request"),
            IIS);

    private static Preset of(
            String text,
            String product,
            Shape shape,
            String layout,
            String time,
            String client,
            String user,
            String path) {
        return new Preset(text, product, shape, layout, words(time), words(client), words(user), words(path));
    }

    private static List<String> words(String names) {
        return names.isEmpty() ? List.of() : List.of(names.split(" "));
    }

    /** Returns how the client is written. */
    KeyReader.Kind clientKind() {
        return client.contains("client:port") ? KeyReader.Kind.CLIENT_WITH_PORT : KeyReader.Kind.CLIENT;
    }

    /** Returns how the path is written: in a template, a path in quotes is a request line. */
    KeyReader.Kind pathKind() {
        return layout.contains("\"" + path.get(0) + "\"") ? KeyReader.Kind.REQUEST_LINE : KeyReader.Kind.URL;
    }
}
