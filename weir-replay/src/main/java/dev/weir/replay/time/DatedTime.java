package dev.weir.replay.time;

/** A time that has its whole date: the common log format or ISO 8601. */
public final class DatedTime implements TimeParser {
    private final TimeParser clf = new ClfTime();
    private final TimeParser iso = new IsoTime();

    @Override
    public long parse(byte[] text, int from, int to) {
        return ClfTime.looksLike(text, from, to) ? clf.parse(text, from, to) : iso.parse(text, from, to);
    }
}
