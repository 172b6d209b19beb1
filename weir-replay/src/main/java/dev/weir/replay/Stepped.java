package dev.weir.replay;

/** A text that a regular expression can read only a limited number of times. */
final class Stepped implements CharSequence {
    /** The looks are used up. */
    static final class Exhausted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Exhausted() {
            super("too many steps", null, false, false);
        }
    }

    private final String text;
    private int steps;

    Stepped(String text, int steps) {
        this.text = text;
        this.steps = steps;
    }

    @Override
    public char charAt(int index) {
        if (--steps < 0) {
            throw new Exhausted();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
