/** The configuration: files, read, checked and followed. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.config;
