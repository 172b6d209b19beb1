/** What both ports have in common: sockets, certificates, and bounds on memory. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.net;
