/** The Weir server: Envoy's rate limit service over gRPC, and decisions over HTTP, in one process. */
package dev.weir.server;
