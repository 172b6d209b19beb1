package dev.weir.cli;

import dev.weir.cli.terminal.Look;
import dev.weir.cli.terminal.Page;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.ReplayResult.DeniedKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys that were denied most: a list for one limit; for several, short lists of those that denied something, side by side if the
 * width allows.
 */
final class MostDenied {
    private static final String GAP = "   ";
    private static final int FEW_LIMITS = 4;
    private static final int KEYS_OF_FEW = 5;
    private static final int KEYS_OF_MANY = 3;

    /** Lines of plain text under a heading, and how wide the widest is. */
    private record Card(String heading, List<String> lines, int width) {
        String line(int i, Page page) {
            String text = i == 0 ? heading : i <= lines.size() ? lines.get(i - 1) : "";
            int padding = width - Text.width(text);
            return page.paint(i == 0 ? Look.BOLD : Look.PLAIN, text) + " ".repeat(padding);
        }
    }

    private MostDenied() {}

    /**
     * Returns the lines.
     *
     * @param lastMinute whether the keys are those of the last minute
     */
    static List<String> lines(List<LimitCounts> results, boolean lastMinute, Page page) {
        List<LimitCounts> denying = results.stream()
                .filter(result -> result.denied() > 0 || !result.top().isEmpty())
                .toList();
        String heading = lastMinute ? "most denied in the last minute" : "most denied";
        if (denying.isEmpty()) {
            return List.of("nobody was denied");
        } else if (results.size() == 1) {
            Card card = card(heading, results.get(0), Integer.MAX_VALUE, page);
            return side(List.of(card), page);
        }
        int keys = denying.size() <= FEW_LIMITS ? KEYS_OF_FEW : KEYS_OF_MANY;
        List<Card> cards = denying.stream()
                .map(result -> card(Text.visible(result.limit()), result, keys, page))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(page.paint(Look.DIM, heading + " by"));
        int abreast = abreast(cards, page);
        for (int i = 0; i < cards.size(); i += abreast) {
            lines.addAll(i == 0 ? List.of() : List.of(""));
            lines.addAll(side(cards.subList(i, Math.min(cards.size(), i + abreast)), page));
        }
        return lines;
    }

    private static Card card(String heading, LimitCounts result, int keys, Page page) {
        List<DeniedKey> top = result.top().stream().limit(keys).toList();
        int digits = top.isEmpty() ? 0 : Text.number(top.get(0).denied()).length();
        List<String> lines = new ArrayList<>();
        for (DeniedKey key : top) {
            String denied = Text.number(key.denied());
            String line = " ".repeat(digits - denied.length() + 2) + denied + "  " + Text.visible(key.key());
            lines.add(page.clip(line, page.columns()));
        }
        if (top.isEmpty()) {
            lines.add("  none in the server's top 20");
        }
        int width = lines.stream().mapToInt(Text::width).max().orElse(0);
        String clipped = page.clip(heading, page.columns());
        return new Card(clipped, lines, Math.max(width, Text.width(clipped)));
    }

    /** Returns how many cards fit side by side in every row, at least one. */
    private static int abreast(List<Card> cards, Page page) {
        for (int n = cards.size(); n > 1; n--) {
            if (fits(cards, n, page)) {
                return n;
            }
        }
        return 1;
    }

    private static boolean fits(List<Card> cards, int abreast, Page page) {
        for (int i = 0; i < cards.size(); i += abreast) {
            List<Card> row = cards.subList(i, Math.min(cards.size(), i + abreast));
            long width = row.stream().mapToLong(Card::width).sum() + (long) GAP.length() * (row.size() - 1);
            if (width > page.columns()) {
                return false;
            }
        }
        return true;
    }

    private static List<String> side(List<Card> cards, Page page) {
        int height = cards.stream().mapToInt(card -> card.lines.size()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i <= height; i++) {
            int row = i;
            lines.add(String.join(
                            GAP,
                            cards.stream().map(card -> card.line(row, page)).toList())
                    .stripTrailing());
        }
        return lines;
    }
}
