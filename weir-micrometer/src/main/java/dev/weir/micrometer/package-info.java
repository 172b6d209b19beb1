/** Meters and observations of limiters and stores. */
@org.jspecify.annotations.NullMarked
package dev.weir.micrometer;
