package dev.weir.server.config;

/**
 * A mistake in a configuration file.
 *
 * @param line the line, from 1; 0 if it is in no line
 * @param column the column, from 1
 */
public record Problem(String file, int line, int column, String message) {
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
