/** Envoy's rate limit service over gRPC. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.grpc;
