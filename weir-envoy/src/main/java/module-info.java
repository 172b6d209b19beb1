/** The messages and the gRPC stubs of Envoy's rate limit service, generated from {@code src/main/protobuf}. */
module dev.weir.envoy {
    requires transitive com.google.common;
    requires transitive com.google.protobuf;
    requires transitive io.grpc;
    requires transitive io.grpc.protobuf;
    requires transitive io.grpc.stub;

    exports io.envoyproxy.envoy.extensions.common.ratelimit.v3;
    exports io.envoyproxy.envoy.service.ratelimit.v3;
    exports io.envoyproxy.envoy.type.v3;
}
