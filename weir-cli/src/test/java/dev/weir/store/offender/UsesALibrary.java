package dev.weir.store.offender;

import tools.jackson.core.json.JsonFactory;

/** Breaks a rule: the core needs nothing but Java. */
public final class UsesALibrary {
    private UsesALibrary() {}

    /** A library's class. */
    public static Object library() {
        return new JsonFactory();
    }
}
