/** The report of a replay: a page and a picture that show which limit to choose. */
@NullMarked
package dev.weir.replay.report;

import org.jspecify.annotations.NullMarked;
