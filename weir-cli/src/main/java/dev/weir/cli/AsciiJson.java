package dev.weir.cli;

import java.io.OutputStream;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * JSON with all but ASCII escaped. It contains what clients sent, such as control characters beyond ASCII, which some terminals obey;
 * and it is UTF-8, as JSON must be, also where it is written in the character set of the locale.
 */
final class AsciiJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private AsciiJson() {}

    /** Returns a generator, which does not close its target. */
    static JsonGenerator to(OutputStream target) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), target);
    }

    /** Returns a generator, which does not close its target. */
    static JsonGenerator to(Writer target) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), target);
    }
}
