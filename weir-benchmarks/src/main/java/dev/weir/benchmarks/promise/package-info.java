/** The same traffic for several limiters with the same limit, and a check of what each of them granted. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks.promise;
