/** What several packages of this module share. Not for users: it may change in any version. */
@org.jspecify.annotations.NullMarked
package dev.weir.spring.internal;
