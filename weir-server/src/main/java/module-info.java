/** The Weir server. */
@org.jspecify.annotations.NullMarked
module dev.weir.server {
    requires HdrHistogram;
    requires com.fasterxml.jackson.core;
    requires com.google.common;
    requires com.google.protobuf;
    requires datasketches.java;
    requires datasketches.memory;
    requires dev.weir.core;
    requires dev.weir.envoy;
    requires dev.weir.http;
    requires dev.weir.micrometer;
    requires dev.weir.redis;
    requires io.grpc;
    requires io.grpc.netty;
    requires io.grpc.protobuf;
    requires io.grpc.services;
    requires io.grpc.stub;
    requires io.netty.buffer;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.vertx.core;
    requires lettuce.core;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires static org.jspecify;
    requires org.snakeyaml.engine;

    exports dev.weir.server to
            dev.weir.cli;
    exports dev.weir.server.config to
            dev.weir.cli;
}
