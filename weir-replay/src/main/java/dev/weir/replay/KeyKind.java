package dev.weir.replay;

/** How the text of the key's field is understood. */
enum KeyKind {
    /** As it is, except that a list of addresses needs a choice. */
    TEXT,
    /** An address or a host name. */
    CLIENT,
    /** An address that always has a port. */
    CLIENT_WITH_PORT,
    /** A user name, where a hyphen is none. */
    USER,
    /** A path or a URL, of which the path without its query is the key. */
    URL,
    /** A method, a URL and a protocol. */
    REQUEST_LINE
}
