/** What the server decides now: counted by rule and limit, with the keys that are limited. Knows nothing of HTTP or configuration files. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.live;
