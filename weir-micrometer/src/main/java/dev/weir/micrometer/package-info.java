/** Meters and observations of limiters and stores. A key is never a tag. */
@org.jspecify.annotations.NullMarked
package dev.weir.micrometer;
