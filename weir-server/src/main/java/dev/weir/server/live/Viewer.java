package dev.weir.server.live;

/** Somebody who watches. Called by the thread that samples, and must not block it. */
public interface Viewer {

    /** {@return whether the viewer needs the state before the next frame, because it could not take an event} */
    boolean needsState();

    /**
     * Sends events.
     *
     * @param events one or more, in the format of server-sent events
     * @return whether the viewer still watches
     */
    boolean send(String events);
}
