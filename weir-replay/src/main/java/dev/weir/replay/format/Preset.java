package dev.weir.replay.format;

import java.util.List;

/**
 * The access log of a product, as its vendor documents it: how lines are built, and which fields a request is read from.
 *
 * @param text the name on the command line
 * @param product the name in messages
 * @param shape how lines are built
 * @param layout the template of a {@link Shape#TEMPLATE}, the separator of a {@link Shape#W3C}
 * @param time the fields with the time: in {@link Shape#W3C} all together, otherwise the first one that a line has
 * @param client the fields with the client
 * @param clientKind how the client is written
 * @param user the fields with the authenticated user; none if the product does not log it
 * @param path the fields with the path
 * @param pathKind how the path is written
 */
record Preset(
        String text,
        String product,
        Shape shape,
        String layout,
        List<String> time,
        List<String> client,
        KeyReader.Kind clientKind,
        List<String> user,
        List<String> path,
        KeyReader.Kind pathKind) {
    /** How lines are built. */
    enum Shape {
        TEMPLATE,
        W3C,
        JSON,
        JSON_OR_COMBINED
    }

    /** AWS Application Load Balancer. The time is that of the request's arrival where the entry has it. */
    static final Preset ALB = new Preset(
            "alb",
            "AWS ALB",
            Shape.TEMPLATE,
            "type time elb client:port target:port request_processing_time target_processing_time"
                    + " response_processing_time elb_status_code target_status_code received_bytes sent_bytes"
                    + " \"request\" \"user_agent\" ssl_cipher ssl_protocol | target_group_arn \"trace_id\""
                    + " \"domain_name\" \"chosen_cert_arn\" matched_rule_priority request_creation_time"
                    + " \"actions_executed\" \"redirect_url\" \"error_reason\" \"target:port_list\""
                    + " \"target_status_code_list\" \"classification\" \"classification_reason\" conn_trace_id",
            List.of("request_creation_time", "time"),
            List.of("client:port"),
            KeyReader.Kind.CLIENT_WITH_PORT,
            List.of(),
            List.of("request"),
            KeyReader.Kind.REQUEST_LINE);

    /** AWS CloudFront standard logs: W3C extended, with tabs. */
    static final Preset CLOUDFRONT = new Preset(
            "cloudfront",
            "CloudFront",
            Shape.W3C,
            "\t",
            List.of("date", "time"),
            List.of("c-ip"),
            KeyReader.Kind.CLIENT,
            List.of(),
            List.of("cs-uri-stem"),
            KeyReader.Kind.URL);

    /** Microsoft IIS: W3C extended, with spaces. */
    static final Preset IIS = new Preset(
            "iis",
            "IIS",
            Shape.W3C,
            " ",
            List.of("date", "time"),
            List.of("c-ip"),
            KeyReader.Kind.CLIENT,
            List.of("cs-username"),
            List.of("cs-uri-stem"),
            KeyReader.Kind.URL);

    /** Caddy's JSON. Releases before 2.5 wrote the address and the port in one field. */
    static final Preset CADDY = new Preset(
            "caddy",
            "Caddy",
            Shape.JSON,
            "",
            List.of("ts"),
            List.of("request.client_ip", "request.remote_ip", "request.remote_addr"),
            KeyReader.Kind.CLIENT,
            List.of("user_id"),
            List.of("request.uri"),
            KeyReader.Kind.URL);

    /** Traefik: its JSON, and its common format, which is the combined one with additions. */
    static final Preset TRAEFIK = new Preset(
            "traefik",
            "Traefik",
            Shape.JSON_OR_COMBINED,
            "",
            List.of("StartUTC", "StartLocal", "time"),
            List.of("ClientHost", "ClientAddr"),
            KeyReader.Kind.CLIENT,
            List.of("ClientUsername"),
            List.of("RequestPath"),
            KeyReader.Kind.URL);

    /** Envoy's default format string. The client is in the forwarded list. */
    static final Preset ENVOY = new Preset(
            "envoy",
            "Envoy",
            Shape.TEMPLATE,
            "[start_time] \"request\" response_code response_flags bytes_received bytes_sent duration"
                    + " upstream_service_time \"x_forwarded_for\" \"user_agent\" \"request_id\" \"authority\""
                    + " \"upstream_host\" .",
            List.of("start_time"),
            List.of("x_forwarded_for"),
            KeyReader.Kind.CLIENT,
            List.of(),
            List.of("request"),
            KeyReader.Kind.REQUEST_LINE);

    /** HAProxy's {@code option httplog}. */
    static final Preset HAPROXY = new Preset(
            "haproxy",
            "HAProxy",
            Shape.TEMPLATE,
            "client:port [accept_date] frontend backend/server timers status bytes request_cookie response_cookie"
                    + " termination_state connections queues \"request\"",
            List.of("accept_date"),
            List.of("client:port"),
            KeyReader.Kind.CLIENT_WITH_PORT,
            List.of(),
            List.of("request"),
            KeyReader.Kind.REQUEST_LINE);

    static final List<Preset> ALL = List.of(ALB, CLOUDFRONT, CADDY, TRAEFIK, ENVOY, HAPROXY, IIS);

    Preset {
        time = List.copyOf(time);
        client = List.copyOf(client);
        user = List.copyOf(user);
        path = List.copyOf(path);
    }
}
