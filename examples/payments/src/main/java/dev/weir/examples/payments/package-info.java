/** An example: a fleet of payment workers that share the limits of two providers. */
@org.jspecify.annotations.NullMarked
package dev.weir.examples.payments;
