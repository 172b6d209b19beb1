/** What the servlet filter adds to an empty endpoint. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks.web;
