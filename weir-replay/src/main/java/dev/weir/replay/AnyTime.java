package dev.weir.replay;

/** A time written in any of the ways that need no pattern: ISO 8601, a number since the epoch, or the common log format. */
final class AnyTime implements TimeParser {
    private final TimeParser clf = new ClfTime();
    private final TimeParser iso = new IsoTime();
    private final TimeParser epoch = new EpochTime();

    @Override
    public long parse(byte[] text, int from, int to) {
        if (ClfTime.looksLike(text, from, to)) {
            return clf.parse(text, from, to);
        }
        long time = iso.parse(text, from, to);
        return time == NOT_A_TIME ? epoch.parse(text, from, to) : time;
    }
}
