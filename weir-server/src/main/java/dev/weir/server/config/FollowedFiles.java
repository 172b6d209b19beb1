package dev.weir.server.config;

import dev.weir.internal.Spelling;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;

/**
 * Puts the content of files in force when it changes. New content must be read twice, so that no file is used while it is being
 * written. Content that cannot be used changes nothing, and the log says why; so it does if the server fails to use it. Used by the
 * thread of {@link FileWatch}.
 */
public final class FollowedFiles<T> {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    private final String what;
    private final Supplier<T> files;
    private final Use<T> use;
    private Object latest; // content that was applied or rejected
    private Object lastRead;
    private volatile boolean valid = true;

    /** Puts content in force. */
    public interface Use<T> {
        /**
         * Puts content in force.
         *
         * @throws IllegalArgumentException if it cannot be used
         * @throws IOException if it cannot be used
         */
        void accept(T content) throws IOException;

        /** Returns what the content that came into force last has changed, for the log; empty if there is nothing to say. */
        default String change() {
            return "";
        }

        /**
         * Is notified when changed content cannot be read or used.
         *
         * @param reasons why, at least one
         */
        default void rejected(List<String> reasons) {}
    }

    /**
     * Creates a follower.
     *
     * @param what what the files contain, for the log
     * @param inForce the content that is in force
     * @param files reads the content; throws {@link IllegalArgumentException} if that is not possible
     * @param use puts changed content in force
     */
    public FollowedFiles(String what, T inForce, Supplier<T> files, Use<T> use) {
        this.what = what;
        this.files = files;
        this.use = use;
        this.latest = inForce;
        this.lastRead = inForce;
    }

    /** Content that cannot be read; equal if the reason is. */
    private record Unreadable(String reason) {}

    /** Looks at the files once. Throws what {@link Use#accept} throws unexpectedly, once for each content. */
    public void look() {
        T content;
        try {
            content = files.get();
        } catch (IllegalArgumentException e) {
            Unreadable unreadable = new Unreadable(String.valueOf(e.getMessage()));
            if (isNew(unreadable)) {
                reject(unreadable.reason);
            }
            return;
        }
        if (isNew(content)) {
            apply(content);
        }
    }

    /** Returns whether this is new; once for each. */
    private boolean isNew(Object now) {
        boolean isNew = !now.equals(latest) && now.equals(lastRead);
        if (isNew) {
            latest = now;
        }
        lastRead = now;
        return isNew;
    }

    private void apply(T content) {
        try {
            use.accept(content);
            valid = true;
            String change = use.change();
            LOG.log(
                    Level.INFO,
                    "the changed " + what + " is in force"
                            + (change.isEmpty() ? "" : ": " + Spelling.printable(change)));
        } catch (IllegalArgumentException | IOException e) {
            reject(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error fault) {
            reject("the server failed: " + fault);
            throw fault;
        }
    }

    /** Returns whether the latest content is in force. */
    public boolean isValid() {
        return valid;
    }

    private void reject(String message) {
        List<String> reasons = message.lines().toList();
        valid = false;
        use.rejected(reasons);
        for (String reason : reasons) {
            LOG.log(Level.WARNING, "the " + what + " stays as it was: " + Spelling.printable(reason));
        }
    }
}
