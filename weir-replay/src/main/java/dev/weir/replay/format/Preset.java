package dev.weir.replay.format;

import java.util.List;
import java.util.stream.Stream;

/**
 * The access log of a product, as its vendor documents it: how lines are built, and which fields a request is read from.
 *
 * @param text the name on the command line
 * @param product the name in messages
 * @param shape how lines are built
 * @param layout the template of a {@link Shape#TEMPLATE}
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
        JSON,
        JSON_OR_COMBINED,
        JSON_OR_W3C
    }

    /** AWS CloudFront standard logs: W3C extended or JSON. */
    static final Preset CLOUDFRONT =
            of("cloudfront", "CloudFront", Shape.JSON_OR_W3C, "date time | c-ip | | cs-uri-stem", "");

    /** Microsoft IIS, and other logs that are W3C extended. */
    static final Preset IIS = of("iis", "IIS", Shape.JSON_OR_W3C, "date time | c-ip | cs-username | cs-uri-stem", "");

    static final List<Preset> ALL = List.of(
            // AWS Application Load Balancer. The time is that of the request's arrival where the entry has it.
            of(
                    "alb",
                    "AWS ALB",
                    Shape.TEMPLATE,
                    "request_creation_time time | client:port | | request",
                    "type time elb client:port target:port request_processing_time target_processing_time"
                            + " response_processing_time elb_status_code target_status_code received_bytes sent_bytes"
                            + " \"request\" \"user_agent\" ssl_cipher ssl_protocol | target_group_arn \"trace_id\""
                            + " \"domain_name\" \"chosen_cert_arn\" matched_rule_priority request_creation_time"
                            + " \"actions_executed\" \"redirect_url\" \"error_reason\" \"target:port_list\""
                            + " \"target_status_code_list\" \"classification\" \"classification_reason\" conn_trace_id"),
            CLOUDFRONT,
            of(
                    "elb",
                    "AWS Classic ELB",
                    Shape.TEMPLATE,
                    "time | client:port | | request",
                    "time elb client:port backend:port request_processing_time backend_processing_time"
                            + " response_processing_time elb_status_code backend_status_code received_bytes sent_bytes"
                            + " \"request\" | \"user_agent\" ssl_cipher ssl_protocol"),
            of(
                    "s3",
                    "Amazon S3",
                    Shape.TEMPLATE,
                    "time | remote_ip | requester | request_uri",
                    "bucket_owner bucket [time] remote_ip requester request_id operation key \"request_uri\" http_status"
                            + " error_code bytes_sent object_size total_time turn_around_time \"referer\" \"user_agent\""
                            + " | version_id host_id signature_version cipher_suite authentication_type host_header"
                            + " tls_version access_point_arn acl_required"),
            // Releases of Caddy before 2.5 wrote the address and the port in one field.
            of(
                    "caddy",
                    "Caddy",
                    Shape.JSON,
                    "ts | request.client_ip request.remote_ip request.remote_addr | user_id | request.uri",
                    ""),
            // The common format of Traefik is the combined one with additions.
            of(
                    "traefik",
                    "Traefik",
                    Shape.JSON_OR_COMBINED,
                    "StartUTC StartLocal time | ClientHost ClientAddr | ClientUsername | RequestPath",
                    ""),
            // The default formats of Envoy and Istio. The client is in the forwarded list.
            of(
                    "envoy",
                    "Envoy",
                    Shape.TEMPLATE,
                    "start_time | x_forwarded_for | | request",
                    "[start_time] \"request\" response_code response_flags bytes_received bytes_sent duration"
                            + " upstream_service_time \"x_forwarded_for\" \"user_agent\" \"request_id\" \"authority\""
                            + " \"upstream_host\" ."),
            of(
                    "istio",
                    "Istio",
                    Shape.TEMPLATE,
                    "start_time | x_forwarded_for | | request",
                    "[start_time] \"request\" response_code response_flags response_code_details"
                            + " connection_termination_details \"upstream_transport_failure_reason\" bytes_received"
                            + " bytes_sent duration upstream_service_time \"x_forwarded_for\" \"user_agent\""
                            + " \"request_id\" \"authority\" \"upstream_host\" upstream_cluster upstream_local_address"
                            + " downstream_local_address downstream_remote_address requested_server_name route_name ."),
            // HAProxy with option httplog.
            of(
                    "haproxy",
                    "HAProxy",
                    Shape.TEMPLATE,
                    "accept_date | client:port | | request",
                    "client:port [accept_date] frontend backend/server timers status bytes request_cookie"
                            + " response_cookie termination_state connections queues \"request\""),
            of(
                    "squid",
                    "Squid",
                    Shape.TEMPLATE,
                    "time | client | user | url",
                    "time elapsed client result/status size method url user hierarchy/peer type"),
            IIS);

    /** Creates a preset from the names for time, client, user and path, with bars between them. */
    private static Preset of(String text, String product, Shape shape, String fields, String layout) {
        List<List<String>> names = Stream.of(fields.split("\\|"))
                .map(part -> part.isBlank()
                        ? List.<String>of()
                        : List.of(part.strip().split(" ")))
                .toList();
        return new Preset(text, product, shape, layout, names.get(0), names.get(1), names.get(2), names.get(3));
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
